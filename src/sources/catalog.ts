import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../common/package_root.ts';
import { countryCodeOf, iso3Of } from './countries.ts';
import type { CoverageOptions } from './coverage/options.ts';

/** A file of a source. `{iso2}`, `{iso3}` and `{path}` in it stand for what the person names. */
const fileSchema = z.strictObject({
  /** How it is named after the source's name and a slash; empty when the source has one file. */
  part: z.string().max(60),
  holds: z.string().min(1).max(200),
  /** Short name of its own as a source, where other files have the same ids; absent: the recipe's. */
  source: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .optional(),
  /** Where it is; null when the publisher has no address that stays: the person gives it. */
  address: z.url().nullable(),
  /** The member of the JSON at `address` that has the address of the file. */
  via: z.string().optional(),
  /** The layer or object to read, of several. */
  layer: z.string().optional(),
  /** The reference system that it is published in. */
  crs: z
    .string()
    .regex(/^EPSG:\d{4,5}$/)
    .optional(),
  size_mb: z.number().positive().optional(),
  admin_level: z.int().min(1).max(12).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  type: z.enum(['administrative', 'postal_code']).optional(),
  /** As `--map`; absent for files of OpenStreetMap. */
  map: z.record(z.string(), z.string()).optional(),
  /** By what is mapped: what a value of the file stands for. */
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** By property: the values that a feature must have one of, to be read. */
  where: z.record(z.string(), z.array(z.string()).min(1)).optional(),
});

const recipeSchema = z.strictObject({
  title: z.string().min(1),
  publisher: z.string().min(1),
  homepage: z.url(),
  license: z.string().min(1).max(200),
  attribution: z.string().min(1).max(500),
  /** Whether the license lets others pass the data on. */
  redistribution: z.boolean(),
  edition: z.string().min(1).max(200),
  /** Whether the addresses and columns were tried with the publisher's own files. */
  verified: z.boolean(),
  /** What is known to be wrong with the data, or must be known to use it. */
  notes: z.array(z.string().min(1)),
  files: z.array(fileSchema).min(1),
});

export type SourceFile = z.infer<typeof fileSchema>;
export type Recipe = z.infer<typeof recipeSchema> & {
  /** Its name in commands: that of its file in data/sources. */
  readonly name: string;
};

/** A file of a source, chosen by name, with nothing left to fill in. */
export interface ChosenFile {
  readonly recipe: Recipe;
  /** `nuts/3`. */
  readonly name: string;
  readonly file: SourceFile;
}

const folder = (): string => join(packageRoot(), 'data', 'sources');

let known: readonly Recipe[] | undefined;

/** The sources of the catalog, by name, read once. @throws Error when a recipe does not fit its schema */
export function readCatalog(): readonly Recipe[] {
  known ??= readdirSync(folder())
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const read = recipeSchema.safeParse(JSON.parse(readFileSync(join(folder(), file), 'utf8')));
      if (!read.success) throw new Error(`data/sources/${file}: ${z.prettifyError(read.error)}`);
      return { name: file.slice(0, -'.json'.length), ...read.data };
    });
  return known;
}

/** The source with this name. @throws Error that lists the names there are */
export function findRecipe(name: string, catalog = readCatalog()): Recipe {
  const found = catalog.find((recipe) => recipe.name === name.toLowerCase());
  if (found) return found;
  throw new Error(`There is no source ${name}; the sources are ${catalog.map((recipe) => recipe.name).join(', ')}.`);
}

/**
 * The file that a text such as `nuts/3` or `geoboundaries/CHE/ADM1` names.
 * @throws Error that lists the files there are
 */
export function chooseFile(text: string, catalog = readCatalog()): ChosenFile {
  const [name = '', ...rest] = text.split('/');
  const recipe = findRecipe(name, catalog);
  const part = rest.join('/');
  for (const file of recipe.files) {
    const words = wordsIn(file.part, part);
    if (words) return { recipe, name: text, file: filled(file, words) };
  }
  const parts = recipe.files.map((file) => (file.part === '' ? recipe.name : `${recipe.name}/${file.part}`));
  throw new Error(
    `${recipe.name} has no file ${part === '' ? 'without a name' : part}; its files are ${parts.join(', ')}.`,
  );
}

/**
 * The files of the catalog that hold areas of one country, by the names that `boundary import @NAME` takes: those of the
 * country's own publishers first, then those of sources that have a file for every country.
 * @param country ISO 3166-1 alpha-2
 */
export function filesOf(country: string, catalog: readonly Recipe[]): string[] {
  const all = catalog.flatMap((recipe) => recipe.files.map((file) => ({ recipe, file })));
  const own = all.filter(({ file }) => file.country === country);
  const ofEach = all.filter(({ file }) => file.map !== undefined && /\{iso[23]\}/.test(file.part));
  const iso3 = iso3Of(country);
  return [...own, ...ofEach].flatMap(({ recipe, file: { part } }) => {
    if (iso3 === null && part.includes('{iso3}')) return [];
    const name = part.replace('{iso2}', country).replace('{iso3}', iso3 ?? '');
    return [name === '' ? recipe.name : `${recipe.name}/${name}`];
  });
}

type Words = Readonly<Record<'iso2' | 'iso3' | 'path', string>>;

const PLACEHOLDER = /\{(iso2|iso3|path)\}/;

/** What the placeholders of a part stand for in a text; null when the text does not fit the part. */
function wordsIn(part: string, text: string): Words | null {
  const [before = '', key, after = ''] = part.split(PLACEHOLDER);
  const none = { iso2: '', iso3: '', path: '' };
  const lower = text.toLowerCase();
  if (key === undefined) return lower === before.toLowerCase() ? none : null;
  if (!lower.startsWith(before.toLowerCase()) || !lower.endsWith(after.toLowerCase())) return null;
  const word = lower.slice(before.length, lower.length - after.length);
  if (key === 'path') return /^[a-z][a-z-]*(\/[a-z][a-z-]*)*$/.test(word) ? { ...none, path: word } : null;
  const iso2 = word.includes('/') ? null : countryCodeOf(word);
  if (iso2 === null) return null;
  return { ...none, iso2, iso3: iso3Of(iso2) ?? '' };
}

/** A file with its placeholders filled in: codes in upper case, in addresses those of two letters in lower case. */
function filled(file: SourceFile, words: Words): SourceFile {
  const fill = (text: string, isAddress = false): string =>
    text.replace(/\{(iso2|iso3|path)\}/g, (_, key: keyof Words) =>
      isAddress && key === 'iso2' ? words.iso2.toLowerCase() : words[key],
    );
  return {
    ...file,
    part: fill(file.part),
    address: file.address === null ? null : fill(file.address, true),
    ...(file.layer === undefined ? {} : { layer: fill(file.layer, true) }),
    ...(file.where === undefined
      ? {}
      : {
          where: Object.fromEntries(Object.entries(file.where).map(([key, of]) => [key, of.map((one) => fill(one))])),
        }),
  };
}

/** How a chosen file is imported; null for files of OpenStreetMap, which say all themselves. */
export function coverageOf({ recipe, file }: ChosenFile): CoverageOptions | null {
  const { map, layer, admin_level: adminLevel, country, type, values, where } = file;
  if (map === undefined) return null;
  return {
    source: file.source ?? recipe.name,
    name: `${recipe.title} (${recipe.publisher})`,
    url: recipe.homepage,
    license: recipe.license,
    attribution: recipe.attribution,
    map,
    ...(layer === undefined ? {} : { layer }),
    ...(adminLevel === undefined ? {} : { adminLevel }),
    ...(country === undefined ? {} : { country }),
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { values }),
    ...(where === undefined ? {} : { where }),
  };
}
