import { type ChosenFile, chooseFile, type Recipe, type SourceFile } from '../catalog.ts';
import { iso3Of } from '../countries.ts';
import { isIdOfRows } from './columns.ts';
import { levelOfWords } from './levels.ts';
import type { Sample } from './sample.ts';

/** Names of columns that many files have: they do not tell whose file it is. */
const COMMON = new Set([
  'id',
  'name',
  'code',
  'nom',
  'nombre',
  'nome',
  'type',
  'class',
  'level',
  'kind',
  'country',
  'state',
  'region',
  'geometry',
  'district',
  'population',
]);

const outer = (column: string): string => column.split('.')[0] ?? column;

/** The columns that a recipe reads. */
const columnsOf = ({ map = {}, where = {} }: SourceFile): string[] => [
  ...new Set([...Object.values(map), ...Object.keys(where)].map(outer)),
];

/** The name of a file, or of that at an address, without folders and extensions. */
export const stemOf = (text: string): string => (text.split(/[\\/]/).at(-1) ?? '').split('.')[0] ?? '';

/** How likely a file is one of a recipe; 0 if it is not. */
function fit({ name }: Recipe, file: SourceFile, sample: Sample, fileName: string): number {
  const wanted = columnsOf(file);
  const columns = new Map(sample.columns.map((column) => [outer(column.name), column]));
  if (file.map === undefined || !wanted.every((name) => columns.has(name))) return 0;
  if (file.country !== undefined && sample.country !== null && file.country !== sample.country) return 0;
  const lacks = Object.entries(file.where ?? {}).some(
    ([name, of]) => !of.some((value) => value.includes('{') || columns.get(name)?.distinct.has(value)),
  );
  if (lacks) return 0;
  // Files of finer areas name the coarser ones that these are in: they have an id of their own.
  const id = columns.get(outer(file.map.id ?? ''));
  const isFiner = id !== undefined && 2 * id.distinct.size < id.filled;
  if (isFiner && sample.columns.some((column) => isIdOfRows(column, sample.rows))) return 0;
  const own = wanted.filter((name) => !COMMON.has(name.toLowerCase())).length;
  const base = stemOf(fileName).toLowerCase();
  const part = lastWord(file.part);
  const words = base.split(/[^\p{L}\p{N}]+/u);
  const isNamed = part !== '' && words.includes(part);
  const isOfRecipe = words.includes(name) || (isNamed && file.country !== undefined && file.country === sample.country);
  if (own === 0 && !isOfRecipe) return 0;
  const isSameFile = file.address !== null && stemOf(file.address).toLowerCase() === base;
  const isLayer = file.layer !== undefined && file.layer.toLowerCase() === base;
  const level = levelOfWords(base, file.country ?? sample.country);
  const isLevel = level !== null && level.level === file.admin_level;
  const isSaid = sample.columns.some(
    ({ name, distinct }) => /lev|type/i.test(name) && distinct.size === 1 && distinct.has(part.toUpperCase()),
  );
  return (
    wanted.length + (isSameFile || isLayer ? 0.5 : 0) + (isLevel ? 0.1 : 0) + (isNamed ? 0.2 : 0) + (isSaid ? 0.3 : 0)
  );
}

const lastWord = (part: string): string => (part.split('/').at(-1) ?? '').toLowerCase();

/** A file of the catalog as a command names it; with a country, that stands in place of its placeholder. */
function nameOf(recipe: Recipe, { part }: SourceFile, country: string | null): string {
  const name = part === '' ? recipe.name : `${recipe.name}/${part}`;
  if (country === null) return name;
  return name.replace('{iso2}', country).replace('{iso3}', iso3Of(country) ?? country);
}

/** The files of the catalog that a file may be. */
export interface Recognized {
  readonly files: readonly ChosenFile[];
  /** Names of those that hold one country each, when the file has several: `overture/{iso2}`. */
  readonly byCountry: readonly string[];
}

/**
 * The files of the catalog that a file may be, by its columns, its places and its name: one, several that these do not
 * tell apart, or none.
 */
export function recipesOf(sample: Sample, fileName: string, catalog: readonly Recipe[]): Recognized {
  const fits = catalog.flatMap((recipe) =>
    recipe.files.map((file) => ({ recipe, file, score: fit(recipe, file, sample, fileName) })),
  );
  const most = Math.max(...fits.map(({ score }) => score));
  const names = fits
    .filter(({ score }) => score > 0 && score === most)
    .map(({ recipe, file }) => nameOf(recipe, file, sample.country));
  return {
    files: names.filter((name) => !name.includes('{')).map((name) => chooseFile(name, catalog)),
    byCountry: names.filter((name) => name.includes('{')),
  };
}
