import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { foldName } from '../domain/names/fold.ts';
import { putJson } from './batches.ts';
import type { OtherName } from './types.ts';

/** The columns of table boundary that a boundary inherits from the seed boundaries whose place it took. */
interface Facts {
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
  readonly other_names: readonly OtherName[];
  readonly codes: readonly string[];
  /** Absent in seed boundaries that an earlier release replaced. */
  readonly code_ids?: readonly string[] | null;
  readonly iso: string | null;
  readonly country_code: string | null;
  readonly wikidata: string | null;
  readonly population: number | null;
  readonly place: string | null;
  readonly kind_given: string | null;
  readonly country_given: string | null;
  readonly admin_level: number | null;
}

/** The row of a seed boundary. */
interface Seed extends Facts {
  readonly id: string;
  readonly source: string;
}

interface Heir extends Facts {
  readonly id: string;
  readonly inherited: Readonly<Record<string, string>> | null;
  readonly seeds: readonly Seed[];
}

/** Fields that are inherited whole where the source of the heir does not state them. */
const SINGLE = ['iso', 'country_code', 'wikidata', 'population', 'place', 'country_given'] as const;

/**
 * Gives boundaries what their source does not state from the seed boundaries whose place they took: codes, wikidata id,
 * population, country, and names in other languages. Names and codes that differ from those of the source become
 * further ones, and a differing wikidata id or ISO code an alias, so all that found the seed boundary finds its heir.
 * @param ids ids of boundaries; those that replaced nothing stay as they are
 * @returns the ids of the boundaries that inherit
 */
export async function inherit(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const heirs = await tx.query<Heir>(loadQuery('replace_heirs'), [ids]);
  if (heirs.length === 0) return [];
  const given = heirs.map(inheriting);
  await putJson(
    tx,
    loadQuery('replace_inherit'),
    given.map(({ row }) => row),
  );
  const aliases = new Map(given.flatMap(({ row, aliases }) => aliases.map((alias) => [alias, row.id])));
  if (aliases.size > 0) await tx.query(loadQuery('store_put_aliases'), [[...aliases.keys()], [...aliases.values()]]);
  return heirs.map(({ id }) => id);
}

type Row = { -readonly [Field in keyof Facts]: Facts[Field] } & Pick<Heir, 'id' | 'inherited'>;

/** The row of an heir with what it inherits, `inherited` being the source of each such field, and further aliases. */
function inheriting({ seeds, ...own }: Heir): { row: Row; aliases: string[] } {
  const row: Row = { ...own };
  const aliases: string[] = [];
  const take = (fields: Partial<Facts>, { source }: Seed) => {
    const sources = Object.fromEntries(Object.keys(fields).map((field) => [field, source]));
    Object.assign(row, fields, { inherited: { ...row.inherited, ...sources } });
  };
  for (const seed of seeds) {
    const beside = codesBeside(row, seed);
    aliases.push(...beside.map(({ form, code }) => `${form}:${code}`));
    for (const field of SINGLE) {
      if (row[field] === null && seed[field] !== null) take({ [field]: seed[field] }, seed);
    }
    if (row.kind_given === null && seed.kind_given !== null && seed.admin_level === row.admin_level) {
      take({ kind_given: seed.kind_given }, seed);
    }
    const more = Object.entries(seed.names).filter(([language]) => !Object.hasOwn(row.names, language));
    if (more.length > 0) take({ names: { ...row.names, ...Object.fromEntries(more) } }, seed);
    const others = namesBeside(row, seed);
    if (others.length > 0) take({ other_names: [...row.other_names, ...others] }, seed);
    const codes = [...seed.codes, ...beside.map(({ code }) => code)].filter((code) => !row.codes.includes(code));
    if (codes.length > 0) take({ codes: [...row.codes, ...new Set(codes)] }, seed);
    const known = row.code_ids ?? [];
    const ids = (seed.code_ids ?? []).filter((id) => !known.includes(id));
    // `inherited` has them under codes, as the answers do.
    if (ids.length > 0) Object.assign(row, { code_ids: [...known, ...ids] });
  }
  return { row, aliases };
}

/** The names of a seed boundary that its heir does not have. */
function namesBeside(row: Facts, seed: Facts): OtherName[] {
  const known = new Set(
    [row.name, ...Object.values(row.names), ...row.other_names.map(({ text }) => text)].map(foldName),
  );
  const texts = [seed.name, ...Object.values(seed.names)].map((text): OtherName => ({ type: 'alt_name', text }));
  return [...texts, ...seed.other_names].filter(({ text }) => {
    const folded = foldName(text);
    if (known.has(folded)) return false;
    known.add(folded);
    return true;
  });
}

/** The wikidata id and the ISO codes of a seed boundary, where its heir has others. */
function codesBeside(row: Facts, seed: Facts): { form: 'iso' | 'wikidata'; code: string }[] {
  const beside = [...new Set([seed.iso, seed.country_code])].flatMap((code) =>
    code !== null && row.iso !== null && row.iso !== code && row.country_code !== code
      ? [{ form: 'iso' as const, code }]
      : [],
  );
  if (seed.wikidata === null || row.wikidata === null || row.wikidata === seed.wikidata) return beside;
  return [...beside, { form: 'wikidata' as const, code: seed.wikidata }];
}
