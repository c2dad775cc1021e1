import { invalidInput } from '../../core/errors.ts';
import type { Kind } from '../../core/schemas.ts';
import { isBoundaryId } from '../boundaries/ids.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { WITH_SCHEME } from './candidates.ts';

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
  'code codes codigo cod clave kennung kennziffer schluessel schlussel ags rs insee ine fips geoid nuts iso isocode key kode kod wikidata',
);
/** Words for ids of any kind: a column of them has codes only if it has ids of boundaries. */
const IDS = words('id ids');
const TYPES = words('type kind tipo clase genre art typ nivel niveau ebene level adminlevel stufe');

/** Words for kinds of places, from the innermost to the outermost. */
const KINDS_OF_PLACES: readonly ReadonlySet<string>[] = [
  words('borough ward barrio quartier stadtteil ortsteil neighbourhood neighborhood'),
  words(
    'city town village municipality ciudad municipio localidad pueblo ville commune municipalite stadt gemeinde kommune',
  ),
  words('county district condado comarca distrito comte arrondissement district landkreis kreis parish'),
  words(
    'department departement departamento province provincia provinz dept dpto prov prefecture prefectura prafektur ' +
      'governorate gobernacion gouvernorat gouvernement oblast voivodeship voivodia voievodie woiwodschaft',
  ),
  words('state region estado comunidad ccaa etat bundesland kanton canton territory territorio territoire territorium'),
  words('country pais pays land staat nation'),
];

/** Words that make a code one of something around the place of the row, or of its mail. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...words('postal post postcode zip zipcode plz postleitzahl postalcode region regional'),
  ...KINDS_OF_PLACES.slice(-2).flatMap((some) => [...some]),
]);

/** The share of the cells of a column that must be ids of boundaries. */
const IDS_SHARE = 0.5;

/** Whether more cells than IDS_SHARE of those that are not empty are ids of boundaries. */
function hasIds(cells: readonly string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  return texts.filter((text) => WITH_SCHEME.test(text) && isBoundaryId(text)).length > IDS_SHARE * texts.length;
}

const wordsOf = (name: string): string[] => foldName(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).split(' ');
const has = (name: string, some: ReadonlySet<string>): boolean => wordsOf(name).some((word) => some.has(word));

/** How far out the place is that a column is for; -1 if its name has no word for a kind. */
const rankOf = (name: string): number => KINDS_OF_PLACES.findIndex((some) => has(name, some));

/**
 * Finds the columns of a table: those asked for, else by the words in their names. Of several columns for places, the
 * innermost has the names, and the others are around it.
 * @param sample the cells of some rows, by column: they tell whether a column of ids has those of boundaries
 * @returns the columns; `name` and `code` are null where the names of the columns do not tell
 * @throws invalid_input for a column that does not exist
 */
export function findTableColumns(
  columns: readonly string[],
  asked: AskedColumns,
  sample: (column: number) => readonly string[] = () => [],
): TableColumns {
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
  const isCode = (at: number): boolean => has(columns[at] ?? '', CODES) || has(columns[at] ?? '', IDS);
  const innermost = Math.min(
    ...free
      .filter((at) => !isCode(at))
      .map((at) => rankOf(columns[at] ?? ''))
      .filter((rank) => rank >= 0),
  );
  const own = free.filter((at) => {
    const column = columns[at] ?? '';
    return isCode(at) && !has(column, OF_OTHERS) && !has(column, TYPES) && rankOf(column) <= innermost;
  });
  code ??= own.find((at) => has(columns[at] ?? '', CODES)) ?? own.find((at) => hasIds(sample(at))) ?? null;
  type ??= free.find((at) => has(columns[at] ?? '', TYPES) && !isCode(at)) ?? null;
  const ranked = free
    .filter((at) => at !== code && at !== type)
    .map((at) => {
      const column = columns[at] ?? '';
      return { at, rank: rankOf(column), named: Number(has(column, NAMES)), isCode: Number(isCode(at)) };
    })
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.isCode - b.isCode || b.named - a.named);
  if (name === null) {
    const plain = free.find((at) => at !== code && has(columns[at] ?? '', NAMES) && rankOf(columns[at] ?? '') < 0);
    name = plain ?? ranked[0]?.at ?? null;
  }
  const rank = name === null ? -1 : rankOf(columns[name] ?? '');
  const around = ranked
    .filter((one) => one.at !== name && one.rank > rank)
    // The code of a place says nothing more where its name is there.
    .filter((one) => one.isCode === 0 || !ranked.some((other) => other.rank === one.rank && other.isCode === 0))
    .map(({ at }) => at);
  return { name, code, within: given ?? around, type, kinds: name === null ? [] : kindsIn(columns[name] ?? '') };
}

/** The kinds that a word in the name of a column means. */
export function kindsIn(name: string): readonly Kind[] {
  return wordsOf(name).flatMap((word) => (rankOf(word) < 0 ? [] : kindsOfTypeWords(word)));
}
