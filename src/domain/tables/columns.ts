import { invalidInput } from '../../core/errors.ts';
import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';

/** Columns as the caller names them; absent: found by their names and contents. */
export interface AskedColumns {
  readonly name?: string;
  readonly code?: string;
  readonly within?: readonly string[];
  readonly type?: string;
}

/** The places of the columns; null: there is none. */
export interface TableColumns {
  readonly name: number | null;
  readonly code: number | null;
  /** The innermost first. */
  readonly within: readonly number[];
  readonly type: number | null;
  /** Kinds that the name of the name column means ("provincia"), the likeliest first. */
  readonly kinds: readonly Kind[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words for columns in English, Spanish, French and German, folded. */
const NAMES = words(
  'name names place placename location nombre lugar localidad nom lieu localite ort ortsname bezeichnung area toponym',
);
const CODES = words(
  'code codes id codigo cod clave kennung kennziffer schluessel schlussel ags rs insee ine fips geoid nuts iso isocode key kode kod wikidata',
);
const TYPES = words('type kind tipo clase genre art typ nivel niveau ebene level adminlevel stufe');

/** Words for kinds of places, from the innermost to the outermost. */
const KINDS_OF_PLACES: readonly ReadonlySet<string>[] = [
  words('borough ward barrio quartier stadtteil ortsteil neighbourhood neighborhood'),
  words(
    'city town village municipality ciudad municipio localidad pueblo ville commune municipalite stadt gemeinde kommune',
  ),
  words('county district condado comarca distrito comte arrondissement district landkreis kreis parish'),
  words('department departement departamento province provincia provinz dept dpto prov'),
  words('state region estado comunidad ccaa etat bundesland kanton canton'),
  words('country pais pays land staat nation'),
];

const wordsOf = (name: string): string[] => foldName(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).split(' ');
const has = (name: string, some: ReadonlySet<string>): boolean => wordsOf(name).some((word) => some.has(word));

/** How far out the place is that a column is for; -1 if its name has no word for a kind. */
const rankOf = (name: string): number => KINDS_OF_PLACES.findIndex((some) => has(name, some));

/**
 * Finds the columns of a table: those asked for, else by the words in their names. Of several columns for places, the
 * innermost has the names, and the others are around it.
 * @returns the columns; `name` and `code` are null where the names of the columns do not tell
 * @throws invalid_input for a column that does not exist
 */
export function findTableColumns(columns: readonly string[], asked: AskedColumns): TableColumns {
  const place = (path: string, name: string): number => {
    const at = columns.findIndex((one) => foldName(one) === foldName(name));
    if (at >= 0) return at;
    const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ' …' : '');
    throw invalidInput([{ path, code: 'not_found', message: `there is no column ${name}; the columns are ${shown}` }]);
  };
  let name = asked.name === undefined ? null : place('name_column', asked.name);
  let code = asked.code === undefined ? null : place('code_column', asked.code);
  let type = asked.type === undefined ? null : place('type_column', asked.type);
  const given = asked.within?.map((one) => place('within_columns', one));
  const taken = new Set([name, code, type, ...(given ?? [])]);
  const free = [...columns.keys()].filter((at) => !taken.has(at));
  const first = (some: ReadonlySet<string>, but?: ReadonlySet<string>): number | null =>
    free.find((at) => has(columns[at] ?? '', some) && !(but && has(columns[at] ?? '', but))) ?? null;
  code ??= first(CODES, TYPES);
  type ??= first(TYPES, CODES);
  const ranked = free
    .filter((at) => at !== code && at !== type)
    .map((at) => ({ at, rank: rankOf(columns[at] ?? ''), named: has(columns[at] ?? '', NAMES) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || Number(b.named) - Number(a.named));
  if (name === null) {
    const plain = free.find((at) => at !== code && has(columns[at] ?? '', NAMES) && rankOf(columns[at] ?? '') < 0);
    name = plain ?? ranked[0]?.at ?? null;
  }
  const own = name === null ? -1 : rankOf(columns[name] ?? '');
  const around = ranked.filter(({ at, rank }) => at !== name && rank > own).map(({ at }) => at);
  return { name, code, within: given ?? around, type, kinds: name === null ? [] : kindsIn(columns[name] ?? '') };
}

/** The kinds that a word in the name of a column means. */
export function kindsIn(name: string): readonly Kind[] {
  return wordsOf(name).flatMap((word) => (rankOf(word) < 0 ? [] : kindsOfTypeWords(word)));
}
