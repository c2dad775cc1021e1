import { KINDS } from '../../common/kinds.ts';
import { foldName } from '../../domain/names/fold.ts';
import { kindsOfTypeWords } from '../../domain/names/type_kinds.ts';
import { countryCodeOf } from '../countries.ts';
import { listed } from '../coverage/codes.ts';
import { ROW_NUMBER } from '../coverage/properties.ts';
import { countsPeople } from './people.ts';
import type { Column, Sample } from './sample.ts';

/** What columns mean, as `--map` names it, and what a person should know of that. */
export interface ColumnMeanings {
  readonly map: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** Columns that programs add: numbers of rows, which change with each edition, and measures. */
const BY_PROGRAMS = new Set(
  'objectid object_id fid ogc_fid gml_id rowid index globalid uuid x y xcoord ycoord x_coord y_coord'.split(' '),
);
const MEASURES = new Set(
  (
    'area areas areaha shape length leng len perimeter km2 ha flaeche surface lat latitude lon long lng longitude geom ' +
    'geometry'
  ).split(' '),
);

/** Schemes of codes that a word of a column's name names. */
const SCHEMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'insee',
      'istat',
      'nuts',
      'lau',
      'ags',
      'ars',
      'fips',
      'bfs',
      'ine',
      'gss',
      'siren',
      'teryt',
      'ibge',
      'gers',
      'hasc',
    ].map((one) => [one, one]),
  ),
  bfsnr: 'bfs',
};

/** Words of columns of ids, and ends of such names that are written in one word. */
const ID_WORDS = new Set('id code cod cd nr no num kode kod key pcode ref geoid gid'.split(' '));
const ID_ENDS = ['code', 'nummer', 'number', 'nr', 'id'];
/** As in LAD23CD and LAD23NM of the United Kingdom. */
const ID_OF_YEAR = /^[a-z]{2,12}\d\dcd$/i;
const NAME_OF_YEAR = /^[a-z]{2,12}\d\dnm$/i;

/** Words of columns of names, in languages of publishers. */
const NAME_WORDS = new Set(
  (
    'name nom nombre nome naam navn namn nazwa nazev naziv nev nimi ime nama ten isim adi nam nm gen bezeichnung label ' +
    'libelle title'
  ).split(' '),
);

const LANGUAGE_NAME = /^(?:name|nom|names?\.common)[_:.]?([a-z]{2,3}(?:-[a-z]{4})?)$/i;

/** Whether a text is the code of a language: `fr`. */
function isLanguage(code: string): boolean {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined;
  } catch {
    return false;
  }
}

/** The words of a column's name: `com_istat_code`, `nameEn`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);

const schemeOf = ({ name }: Column): string | undefined =>
  wordsOf(name)
    .map((word) => (Object.hasOwn(SCHEMES, word) ? SCHEMES[word] : undefined))
    .find((scheme) => scheme !== undefined);

/** The share of the values that pass a test. */
function share({ distinct }: Column, passes: (value: string) => boolean): number {
  let passed = 0;
  for (const value of distinct) if (passes(value)) passed++;
  return distinct.size === 0 ? 0 : passed / distinct.size;
}

/** The first of the columns with the highest score above 0. */
function best(columns: readonly Column[], score: (column: Column) => number): Column | undefined {
  let found: Column | undefined;
  let most = 0;
  for (const column of columns) {
    const own = score(column);
    if (own > most) [found, most] = [column, own];
  }
  return found;
}

/** Whether a column's name says that programs made it, or that it has measures. */
const isByPrograms = (name: string): boolean =>
  BY_PROGRAMS.has(name.toLowerCase()) || wordsOf(name).some((word) => MEASURES.has(word));

/** Whether a column's name says that it has ids. */
function isIdName(name: string): boolean {
  // "LGA_CODE24"
  const words = wordsOf(name.replace(/(?<!\d)\d+$/, ''));
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const isEnd = ID_ENDS.some((end) => last.endsWith(end));
  return ID_WORDS.has(first) || ID_WORDS.has(last) || isEnd || first.startsWith('geoid') || ID_OF_YEAR.test(name);
}

/** Whether a column's name says that it has ids, and no two of the rows have the same. */
export const isIdOfRows = ({ name, filled, distinct }: Column, rows: number): boolean =>
  filled === rows && distinct.size === rows && isIdName(name) && !isByPrograms(name);

/** The share of the rows that must have an id: the import leaves out the others, and lists them. */
const MOST_FILLED = 0.9;

/** How well the values of a column tell the areas of a file apart; 0 for not at all. */
function idScore(column: Column, { rows }: Sample): number {
  const { name, filled, distinct, isText } = column;
  if (filled < MOST_FILLED * rows || isByPrograms(name) || share(column, (value) => value.length <= 64) < 1) return 0;
  if (!isText && share(column, (value) => /^-?\d+$/.test(value)) < 1) return 0;
  const scheme = schemeOf(column) === undefined ? 0 : 3;
  const named = /^(id|code)$/i.test(name) ? 4 : isIdName(name) ? 2 : 0;
  const part = distinct.size / filled;
  // An area may have a row for each of its parts; where the name does not say that it is an id, all must differ.
  if (scheme + named === 0 && (part < 1 || /\s/.test([...distinct].slice(0, 20).join('')))) return 0;
  if (part < 0.5) return 0;
  const isPopulation = countsPeople(name) || /pop|einw|census\d*|inhab|households/i.test(name);
  return isPopulation ? 0 : (1 + scheme + named) * part ** 2 + (isText ? 0.1 : 0);
}

/** How well the name of a column says that it has names: exactly, in part, by a type of place, in one language. */
function nameOfColumn(name: string): number {
  if (NAME_WORDS.has(name.toLowerCase())) return 4;
  const words = wordsOf(name.replace(/\d/g, ' '));
  if (name.toLowerCase().includes('name') || words.some((word) => NAME_WORDS.has(word)) || NAME_OF_YEAR.test(name)) {
    return LANGUAGE_NAME.test(name) ? 2 : 3;
  }
  return wordsOf(name).some((word) => kindsOfTypeWords(foldName(word)).length > 0) ? 2.5 : 0;
}

function nameScore(column: Column, { rows }: Sample): number {
  const { name, filled, distinct } = column;
  if (filled < rows / 2 || isByPrograms(name)) return 0;
  if (share(column, (value) => /\p{L}/u.test(value) && !/^(true|false)$/.test(value)) < 0.8) return 0;
  const isCode = share(column, (value) => /^[A-Z0-9._-]{1,12}$/.test(value) && /[A-Z]{2}|\d/.test(value)) > 0.8;
  const named = nameOfColumn(name);
  if (named === 0 && (isCode || distinct.size < rows / 2)) return 0;
  return (named + 0.5) * (filled / rows) * (0.3 + (0.7 * distinct.size) / rows) + (isCode ? -0.3 : 0);
}

/** Whether a value is a number of people; Natural Earth writes -99 for unknown. */
const isCount = (value: string): boolean => Number(value) >= 0 || Number(value) === -99;

/** Less than 1, and more for a later year in a column's name: `POP2020` before `POP2010`. */
const newestOf = (name: string): number => Number(/(?<!\d)(?:18|19|20)\d\d(?!\d)/.exec(name)?.[0] ?? 0) / 10_000;

/** Maps to codes: at least as many values as this are valid. */
const VALID = 0.9;

/** Columns other than the id and the name whose values are what `--map` knows. */
export function otherMeanings(sample: Sample, columns: readonly Column[] = usable(sample)): Record<string, string> {
  const map: Record<string, string> = {};
  const take = (key: string, score: (column: Column) => number): void => {
    const found = best(columns, score);
    if (found !== undefined) map[key] = found.name;
  };
  const isFull = ({ filled }: Column) => filled >= VALID * sample.rows;
  const isDivision = (value: string) =>
    /^[A-Z]{2}-[A-Z0-9]{1,3}$/i.test(value) && countryCodeOf(value.slice(0, 2)) !== null;
  take('admin_level', (column) =>
    /^admin_?level$/i.test(column.name) ? share(column, (value) => /^([1-9]|1[0-2])$/.test(value)) : 0,
  );
  take('country', (column) =>
    isFull(column) &&
    /country|cntr|iso|adm0|gid_0|group|^cc$|^land$|^a[23]$/i.test(column.name) &&
    share(column, (value) => countryCodeOf(value) !== null) >= VALID
      ? share(column, (value) => value.length === 2) + 0.1
      : 0,
  );
  take('iso', (column) => (/iso/i.test(column.name) && share(column, isDivision) >= VALID ? column.filled : 0));
  take('kind', (column) =>
    isFull(column) && share(column, (value) => (KINDS as readonly string[]).includes(value.toLowerCase())) === 1
      ? 1
      : 0,
  );
  take('wikidata', (column) => (share(column, (value) => /(^|\/)Q[1-9]\d*$/.test(value)) >= VALID ? column.filled : 0));
  take('population', (column) =>
    countsPeople(column.name) && share(column, isCount) === 1 ? column.filled + newestOf(column.name) : 0,
  );
  for (const column of columns) {
    const [, language] = LANGUAGE_NAME.exec(column.name) ?? [];
    if (language === undefined || !isLanguage(language.toLowerCase())) continue;
    if (share(column, (value) => /\p{L}/u.test(value)) > 0.8) map[`name:${language.toLowerCase()}`] = column.name;
    if (Object.keys(map).length >= 60) break;
  }
  for (const column of columns) {
    const scheme = schemeOf(column);
    const isUnique = column.distinct.size === column.filled && share(column, (value) => !/\s/.test(value)) === 1;
    if (scheme !== undefined && isUnique && isFull(column) && !(`code:${scheme}` in map))
      map[`code:${scheme}`] = column.name;
  }
  return map;
}

/** A column that a flag can name. */
const isNameable = ({ name }: Column): boolean => !/[,=\p{Cc}]/u.test(name) && name.trim() === name;

/** The columns that have values and that a flag can name. */
const usable = ({ columns }: Sample): Column[] => columns.filter((one) => isNameable(one) && one.filled > 0);

/**
 * What the columns of a file mean, by their names and values.
 * @param given what the person says they mean, which decides
 * @throws Error that lists the columns if none tells the areas apart
 */
export function meaningsOf(sample: Sample, given: Readonly<Record<string, string>>): ColumnMeanings {
  const columns = usable(sample);
  const { ids, rows } = sample;
  const notes: string[] = [];
  const name = given.name ?? best(columns, (column) => nameScore(column, sample))?.name;
  const rest = columns.filter((column) => column.name !== name);
  const column = best(rest, (one) => idScore(one, sample));
  const hasOwnIds = ids.filled === rows && ids.distinct.size === rows && !/^(id|code)$/i.test(column?.name ?? '');
  const named = columns.find((one) => one.name === name);
  let id: string | undefined = given.id;
  if (id === undefined && hasOwnIds) notes.push('ids are those of the features');
  else if (id === undefined && column !== undefined) id = column.name;
  else if (id === undefined && named?.filled === rows && named.distinct.size === rows) {
    id = named.name;
    notes.push('no column has ids: the names stand for them');
  } else if (id === undefined) {
    const all = sample.columns.map((one) => `${one.name} (${one.distinct.size} values in ${one.filled} rows)`);
    const what = `no column has an id of each of its ${rows} areas: ${listed(all, MOST_LISTED) || 'there are no columns'}`;
    const isNumbered = columns.every(({ distinct, filled }) => distinct.size < filled);
    if (!isNumbered || ids.filled > 0) throw new Error(`${what}; name one with --map id=COLUMN`);
    id = ROW_NUMBER;
    notes.push(
      `${what}: the numbers of the rows stand for them, which another edition of the file may give to other areas`,
    );
  }
  if (name === undefined && id === undefined) {
    throw new Error('no column has names of its areas: name one with --map name=COLUMN');
  }
  if (name === undefined) notes.push('no column has names: the ids stand for them');
  const others = otherMeanings(sample, rest);
  return { map: { ...(id !== undefined && { id }), name: name ?? (id as string), ...others, ...given }, notes };
}

/** The most columns that an error lists. */
const MOST_LISTED = 30;
