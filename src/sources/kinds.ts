import type { Kind } from '../core/schemas.ts';
import { readTable } from './reference.ts';
import type { SourceBoundary } from './types.ts';

/**
 * One row of the kinds table (data/kinds.json). Without `country` it applies to every country. Without `admin_level` it
 * applies to boundaries that have none or, with `id`, to any level. With `when`, at least one of the tags must have one
 * of the listed values.
 */
export interface KindRow {
  readonly country?: string;
  readonly admin_level?: number;
  readonly id?: string;
  /** Applies only inside the boundary with this id. */
  readonly within?: string;
  readonly when?: Readonly<Record<string, readonly string[]>>;
  readonly kind: Kind;
  readonly source: string;
  readonly as_of: string;
}

interface Index {
  readonly rows: readonly KindRow[];
  readonly ids: ReadonlyMap<string, KindRow>;
  /** By "boundary level", for boundaries inside that boundary. */
  readonly within: ReadonlyMap<string, KindRow>;
  /** Both by "country level", or " level" for every country. Rows with `when` apply before the plain row. */
  readonly conditional: ReadonlyMap<string, readonly KindRow[]>;
  readonly plain: ReadonlyMap<string, KindRow>;
}

let index: Index | undefined;

function load(): Index {
  if (index !== undefined) return index;
  const rows = readTable<readonly KindRow[]>('kinds.json');
  const ids = new Map<string, KindRow>();
  const within = new Map<string, KindRow>();
  const conditional = new Map<string, KindRow[]>();
  const plain = new Map<string, KindRow>();
  for (const row of rows) {
    const key = `${row.country ?? ''} ${row.admin_level ?? ''}`;
    if (row.id !== undefined) ids.set(row.id, row);
    else if (row.within !== undefined) within.set(`${row.within} ${row.admin_level}`, row);
    else if (row.when === undefined) plain.set(key, row);
    else conditional.set(key, [...(conditional.get(key) ?? []), row]);
  }
  index = { rows, ids, within, conditional, plain };
  return index;
}

/** The whole kinds table, in file order, with the source and date of every row. */
export function kindRows(): readonly KindRow[] {
  return load().rows;
}

function matches(row: KindRow, tags: Readonly<Record<string, string>>): boolean {
  return Object.entries(row.when ?? {}).some(([key, values]) => {
    const value = Object.hasOwn(tags, key) ? tags[key] : undefined;
    return value?.split(';').some((word) => values.includes(word.trim().toLowerCase()));
  });
}

/**
 * The kind of a boundary, from the first rule that matches: postcode area; exception for its id; exception inside one
 * of its parents; `country` for a boundary of levels 2 to 6 with its own ISO 3166-1 code (territories too); tag values
 * for the country and level; tag values for the level in every country; the table by (country, level), where a
 * municipality whose linked label or center is a city becomes a city; the default of the level; the default of the
 * nearest level.
 *
 * @param input the boundary as its source describes it, with its country (null when unknown)
 * @returns the kind, and `known`: false if only a default matched, so misses can be counted per (country, level)
 */
export function kindOf(
  input: Pick<SourceBoundary, 'type' | 'adminLevel' | 'country' | 'countryCode' | 'tags' | 'place'> & {
    readonly id: string | null;
    /** Ids of the boundaries that contain it, outermost first. */
    readonly parents?: readonly string[];
  },
): { kind: Kind; known: boolean } {
  if (input.type === 'postal_code') return { kind: 'postal_code', known: true };
  const { ids, within, conditional, plain } = load();
  const exception = input.id === null ? undefined : ids.get(input.id);
  if (exception !== undefined) return { kind: exception.kind, known: true };
  const level = input.adminLevel;
  const inside = input.parents?.findLast((parent) => within.has(`${parent} ${level}`));
  if (inside !== undefined) return { kind: (within.get(`${inside} ${level}`) as KindRow).kind, known: true };
  if (input.countryCode !== null && level !== null && level >= 2 && level <= 6) return { kind: 'country', known: true };
  if (level === null) {
    const placed = conditional.get(' ')?.find((candidate) => matches(candidate, input.tags));
    return placed === undefined ? { kind: 'district', known: false } : { kind: placed.kind, known: true };
  }
  const country = input.countryCode ?? input.country ?? '';
  const keys = country === '' ? [` ${level}`] : [`${country} ${level}`, ` ${level}`];
  for (const key of keys) {
    const row = conditional.get(key)?.find((candidate) => matches(candidate, input.tags));
    if (row !== undefined) return { kind: row.kind, known: true };
  }
  const row = country === '' ? undefined : plain.get(`${country} ${level}`);
  const kind = row?.kind ?? plain.get(` ${level}`)?.kind ?? plain.get(` ${Math.min(Math.max(level, 2), 12)}`)!.kind;
  // A county's label or center is often a city, so it describes the area only of a municipality.
  if (kind === 'municipality' && input.place === 'city') return { kind: 'city', known: true };
  return { kind, known: row !== undefined };
}
