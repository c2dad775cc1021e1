import { type ChosenFile, coverageOf, type Recipe, readCatalog } from '../catalog.ts';
import type { FileOptions } from '../coverage/feed.ts';
import type { Level } from '../coverage/levels.ts';
import type { CoverageOptions } from '../coverage/options.ts';
import { type ColumnMeanings, meaningsOf, otherMeanings } from './columns.ts';
import { levelOfWords, levelsIn } from './levels.ts';
import { recipesOf, stemOf } from './recipes.ts';
import { type Sample, sampleOf } from './sample.ts';

/** What a person says of a file whose columns are not named. */
export interface Given {
  /** The name of the file where it was found, which its path need not have. */
  readonly fileName: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly adminLevel?: number;
  /** Of a file of several levels the columns of each. */
  readonly levels?: readonly Level[];
  /** The admin_levels of a file of several that are wanted; absent: all. */
  readonly onlyLevels?: readonly number[];
  readonly country?: string;
  readonly type?: 'administrative' | 'postal_code';
}

/** How a file would be imported. */
export interface Proposal {
  /** The file of the catalog that it is recognized as; null if its columns were read by their names and values. */
  readonly recipe: ChosenFile | null;
  readonly coverage: CoverageOptions;
  /** What the person should know of it. */
  readonly notes: readonly string[];
  /** Whether its admin_level is not known: the person has to say it. */
  readonly lacksLevel: boolean;
}

/**
 * How a file of areas would be imported of which nothing is said: by the recipe of the catalog whose columns it has, else
 * by what its columns seem to mean. At most its first 20,000 rows are looked at.
 * @throws Error that says what is wrong with the file, or that it may be several of the catalog
 */
export async function proposalOf(
  path: string,
  given: Given,
  reading: FileOptions & { readonly crs?: string },
  catalog: readonly Recipe[] = readCatalog(),
): Promise<Proposal> {
  const sample = await sampleOf(path, reading);
  if (sample.rows === 0) throw new Error(`${path}: it has no features`);
  const none = { files: [], byCountry: [] };
  const { files, byCountry } = given.map === undefined ? recipesOf(sample, given.fileName, catalog) : none;
  const [recipe, ...others] = files;
  if (recipe !== undefined && others.length > 0) {
    const names = [recipe, ...others].map(({ name }) => `@${name}`);
    throw new Error(
      `${path}: its columns are those of ${names.join(', ')}: choose one with boundary import ${names[0]} --from FILE`,
    );
  }
  const known = recipe && coverageOf(recipe);
  if (recipe !== undefined && known) {
    // The file may have another container than the publisher's: it was opened by what the person says of its layer.
    const { layer: _layer, ...columns } = known;
    const coverage = { ...columns, ...(reading.layer !== undefined && { layer: reading.layer }) };
    return { recipe, coverage, notes: [], lacksLevel: false };
  }
  try {
    const own = mapped(sample, given, reading.layer);
    const notes = byCountry.map(
      (name) => `its columns are those of @${name}, which imports one country of it with --from`,
    );
    return { ...own, notes: [...notes, ...own.notes] };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function mapped(sample: Sample, given: Given, layer: string | undefined): Proposal {
  const stem = layer ?? stemOf(given.fileName);
  const type = given.type === undefined ? {} : { type: given.type };
  const isOneLevel = given.adminLevel !== undefined || given.type === 'postal_code';
  const levels = isOneLevel ? null : (given.levels ?? chosenLevels(sample, given.onlyLevels));
  const { map, notes } = levels ? mapOfLevels(levels, sample) : meaningsOf(sample, given.map ?? {});
  const whole = { ...map, ...given.map };
  const country = whole.country === undefined ? (given.country ?? sample.country) : undefined;
  const words = levelOfWords([stem, whole.name ?? '', whole.id ?? ''].join(' '), country ?? sample.country);
  const needsLevel =
    given.type !== 'postal_code' && !levels && whole.admin_level === undefined && given.adminLevel === undefined;
  const level = needsLevel && words ? { adminLevel: words.level } : {};
  const more = [...notes];
  if (needsLevel && words) more.push(`admin_level ${words.level} by the word "${words.word}"`);
  if (country !== undefined && country !== null && given.country === undefined) {
    more.push(`country ${country} by its place`);
  }
  if (sample.isCut) more.push(`only its first ${sample.rows} rows were looked at for this`);
  const source = sourceOf(stem, country ?? null);
  const { adminLevel } = given;
  // A country's own code is that of the country that it is in.
  const iso = (adminLevel ?? level.adminLevel) === 2 ? (whole.iso ?? whole.country) : undefined;
  const coverage: CoverageOptions = {
    source,
    license: 'unknown',
    attribution: source,
    map: iso === undefined ? whole : { ...whole, iso },
    ...type,
    ...level,
    ...(adminLevel !== undefined && { adminLevel }),
    ...(levels && { levels }),
    ...(country !== undefined && country !== null && { country }),
    ...(layer !== undefined && { layer }),
  };
  return { recipe: null, coverage, notes: more, lacksLevel: needsLevel && words === null };
}

/** The levels of a file of several, of them those that are wanted. @throws Error for one that it has not */
function chosenLevels(sample: Sample, wanted: readonly number[] | undefined): readonly Level[] | null {
  const all = levelsIn(sample);
  if (wanted === undefined) return all;
  const there = (all ?? []).map(({ adminLevel }) => adminLevel);
  const absent = wanted.filter((level) => !there.includes(level));
  if (absent.length === 0) return (all ?? []).filter(({ adminLevel }) => wanted.includes(adminLevel));
  throw new Error(
    there.length === 0
      ? 'its columns name no levels: --levels needs their columns, such as 2=GID_0:NAME_0,4=GID_1:NAME_1'
      : `it has no admin_level ${absent.join(', ')}; its columns are of ${there.join(', ')}`,
  );
}

function mapOfLevels(levels: readonly Level[], sample: Sample): ColumnMeanings {
  const { country } = otherMeanings(sample);
  const names = levels.map(({ adminLevel, id, name }) => `${adminLevel} (${id}, ${name})`);
  const notes = [`its rows name ${levels.length} levels: admin_level ${names.join(', ')}`];
  return { map: country === undefined ? {} : { country }, notes };
}

/** A short name for a source, with its country so that files of two countries do not become one. */
function sourceOf(stem: string, country: string | null): string {
  const plain = stem.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .split(/[^a-z0-9]/)
    .filter((part) => part !== '')
    .join('-');
  const prefix = country === null ? '' : `${country.toLowerCase()}-`;
  const name = slug.startsWith(prefix) ? slug : `${prefix}${slug}`;
  return (name || 'file').slice(0, 40).replace(/-$/, '');
}
