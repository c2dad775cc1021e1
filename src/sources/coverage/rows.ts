import { listed } from './codes.ts';
import { addShape, emptyShape, type Shape } from './geometry.ts';
import type { Description } from './properties.ts';

/** A feature of a file before rows of one area are merged. */
export interface Row {
  readonly sourceId: string;
  /** Its number in the file, from 1. */
  readonly row: number;
  readonly description: Description;
  readonly shape: Shape;
}

/** What rows of one area were made one of: its id and the numbers of the rows. */
export interface Merged {
  readonly id: string;
  readonly rows: readonly number[];
}

/**
 * Makes one area of the rows with the same id, as many national files have a row for each part of an area: its polygons are
 * those of all rows. A value that only some rows have is that of all; properties that are not mapped, such as the length
 * of a part, are kept where the rows agree. An area is in the place of its first row.
 * @param map names the columns in errors
 * @throws Error that names the rows, the column and its values, if a mapped column has different values in rows of one id
 */
export function mergeRows<T extends Row>(
  rows: readonly T[],
  map: Readonly<Record<string, string>>,
): { readonly areas: T[]; readonly merged: readonly Merged[] } {
  const byId = new Map<string, T[]>();
  for (const row of rows) {
    const known = byId.get(row.sourceId);
    if (known === undefined) byId.set(row.sourceId, [row]);
    else known.push(row);
  }
  const areas: T[] = [];
  const merged: Merged[] = [];
  for (const [id, [first, ...others]] of byId) {
    if (first === undefined) continue;
    if (others.length > 0) merged.push({ id, rows: [first, ...others].map(({ row }) => row) });
    areas.push(others.length === 0 ? first : mergedRow(first, others, map));
  }
  return { areas, merged };
}

/** What a report says of merged rows: how many areas and rows, and the first of them. */
export function mergedNotice(merged: readonly Merged[]): string {
  const rows = merged.reduce((sum, one) => sum + one.rows.length, 0);
  const areas = merged.map(({ id, rows }) => `${id} (${rows.length} rows)`);
  const isOne = merged.length === 1;
  return `${rows} rows are parts of ${merged.length} ${isOne ? 'area' : 'areas'} and were merged by id: ${listed(areas)}`;
}

function mergedRow<T extends Row>(first: T, others: readonly T[], map: Readonly<Record<string, string>>): T {
  const rows = [first, ...others];
  checkAgreement(rows, map);
  const shape = emptyShape();
  for (const one of rows) addShape(shape, one.shape);
  const all = rows.map(({ description }) => description);
  const found = <K extends keyof Description>(key: K): Description[K] =>
    (all.find((one) => one[key] !== null) ?? first.description)[key];
  const codeIds = [...new Set(all.flatMap((one) => one.codeIds ?? []))];
  const description: Description = {
    name: all.find(({ name }) => name !== '')?.name ?? '',
    names: Object.assign({}, ...all.map(({ names }) => names)) as Record<string, string>,
    otherNames: [...new Map(all.flatMap(({ otherNames }) => otherNames.map((one) => [one.type, one]))).values()],
    codes: [
      ...new Set([codeOf(rows.find((one) => !hasOnlyId(one)) ?? first), ...all.flatMap(({ codes }) => codes.slice(1))]),
    ],
    ...(codeIds.length === 0 ? {} : { codeIds }),
    adminLevel: found('adminLevel'),
    kind: found('kind'),
    countryCode: found('countryCode'),
    country: found('country'),
    iso: found('iso'),
    wikidata: found('wikidata'),
    population: found('population'),
    tags: commonTags(all),
    place: found('place'),
  };
  return { ...first, description, shape };
}

const codeOf = ({ description: { codes }, sourceId }: Row): string => codes[0] ?? sourceId;

/** An area without a code has its id as one, which does not contradict the code of another row. */
const hasOnlyId = (row: Row): boolean => codeOf(row) === row.sourceId;

/** What the mapped columns say of a row, by key of the map; null for what it does not say. */
function saidOf(row: Row): Record<string, string | number | null> {
  const {
    name,
    names,
    otherNames,
    codeIds = [],
    adminLevel,
    kind,
    country,
    iso,
    wikidata,
    population,
    place,
  } = row.description;
  const inLanguages = Object.entries(names).map(([language, text]) => [`name:${language}`, text]);
  return {
    name: name || null,
    ...Object.fromEntries([...inLanguages, ...otherNames.map(({ type, text }) => [type, text])]),
    ...Object.fromEntries(codeIds.map((id) => [`code:${id.slice(0, id.indexOf(':'))}`, id.slice(id.indexOf(':') + 1)])),
    code: hasOnlyId(row) ? null : codeOf(row),
    ...{ admin_level: adminLevel, kind, country, iso, wikidata, population, place },
  };
}

/** @throws Error for the first row that says something else than a row before it */
function checkAgreement(rows: readonly Row[], map: Readonly<Record<string, string>>): void {
  const said = new Map<string, { readonly row: number; readonly value: string | number }>();
  for (const one of rows) {
    for (const [key, value] of Object.entries(saidOf(one))) {
      if (value === null) continue;
      const before = said.get(key);
      if (before === undefined) said.set(key, { row: one.row, value });
      else if (before.value !== value) {
        throw new Error(
          `rows ${before.row} and ${one.row} have the same id ${one.sourceId} and differ in ${map[key] ?? key} ` +
            `("${before.value}" and "${value}"): rows of one area are merged only where their mapped columns agree`,
        );
      }
    }
  }
}

/** The properties of rows of one area, without those of which the rows have different values. */
function commonTags(rows: readonly Description[]): Record<string, string> {
  const tags = new Map<string, string | null>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row.tags)) {
      const known = tags.get(key);
      tags.set(key, known === undefined || known === value ? value : null);
    }
  }
  return Object.fromEntries([...tags].filter((pair): pair is [string, string] => pair[1] !== null));
}
