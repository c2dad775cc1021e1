/** How a file of areas would be imported: what a person is shown before they agree. */
import { chooseFile, coverageOf } from './catalog.ts';
import type { CoverageOptions } from './coverage/options.ts';
import { type Preview, previewCoverage } from './preview.ts';
import { proposalOf } from './proposal/proposal.ts';
import { type Column, type Sample, sampleOf } from './proposal/sample.ts';

/** What is asked of a file. */
export interface LookAsked {
  /** The name of the file where the person has it. */
  readonly fileName: string;
  /** How it is to be imported; absent: as its columns are understood. */
  readonly options?: CoverageOptions;
  /** The file of the catalog that it is, in place of `options`. */
  readonly recipe?: string;
  readonly reading: Pick<CoverageOptions, 'layer' | 'crs' | 'encoding' | 'geometry'>;
  /** The most areas that are read for the preview. */
  readonly mostAreas: number;
}

/** A column of a file, with some of its values. */
export interface ColumnSeen {
  readonly name: string;
  /** Rows with a value, and different values, of the rows that were looked at. */
  readonly filled: number;
  readonly distinct: number;
  readonly examples: readonly string[];
}

export interface Looked {
  /** Rows that were looked at for the columns, and whether there are more. */
  readonly rows: number;
  readonly isCut: boolean;
  readonly columns: readonly ColumnSeen[];
  /** The file of the catalog whose columns it has; null if it is none. */
  readonly recipe: string | null;
  /** How it would be imported; null if that cannot be proposed. */
  readonly options: CoverageOptions | null;
  /** Whether nothing says the admin_level. */
  readonly lacksLevel: boolean;
  readonly notes: readonly string[];
  /** What would be stored; null while something is missing. */
  readonly preview: Preview | null;
  /** Why there are no options, or no preview. */
  readonly trouble: string | null;
}

const MOST_EXAMPLES = 3;
const MOST_EXAMPLE = 60;

const columnSeen = ({ name, filled, distinct }: Column): ColumnSeen => ({
  ...{ name, filled, distinct: distinct.size },
  examples: [...distinct].slice(0, MOST_EXAMPLES).map((text) => text.slice(0, MOST_EXAMPLE)),
});

type Agreed = Pick<Looked, 'recipe' | 'notes'> & { readonly options: CoverageOptions };

/**
 * How a file would be imported: by the options that are given, by a recipe of the catalog, or as its columns are
 * understood; with what would be stored so. It stores nothing.
 * @throws Error that says what is wrong with the file
 */
export async function lookAt(path: string, asked: LookAsked): Promise<Looked> {
  const sample = await sampleOf(path, asked.reading);
  const { rows, isCut, columns } = sample;
  const seen = { rows, isCut, columns: columns.map(columnSeen) };
  let agreed: Agreed;
  try {
    agreed = await agreedOptions(path, asked, sample);
  } catch (error) {
    const none = { recipe: null, options: null, notes: [], lacksLevel: false, preview: null };
    return { ...seen, ...none, trouble: (error as Error).message };
  }
  const lacksLevel = isWithoutLevel(agreed.options);
  if (lacksLevel) return { ...seen, ...agreed, lacksLevel, preview: null, trouble: null };
  try {
    const preview = await previewCoverage(path, agreed.options, asked.mostAreas);
    return { ...seen, ...agreed, lacksLevel, preview, trouble: null };
  } catch (error) {
    return { ...seen, ...agreed, lacksLevel, preview: null, trouble: (error as Error).message };
  }
}

async function agreedOptions(path: string, asked: LookAsked, { rows }: Sample): Promise<Agreed> {
  const { fileName, options, recipe: named, reading } = asked;
  if (rows === 0) throw new Error(`${path}: it has no features`);
  if (options !== undefined) return { recipe: null, options, notes: [] };
  if (named !== undefined) {
    const chosen = chooseFile(named);
    const known = coverageOf(chosen);
    if (known === null) throw new Error(`@${named} is a file of OpenStreetMap, not of areas`);
    // The file may have another container than the publisher's: it is opened by what the person says of its layer.
    const { layer: _layer, ...columns } = known;
    return { recipe: named, options: { ...columns, ...reading }, notes: chosen.recipe.notes };
  }
  const { recipe, coverage, notes } = await proposalOf(path, { fileName }, reading);
  const known = recipe?.recipe.notes ?? [];
  return { recipe: recipe?.name ?? null, options: { ...coverage, ...reading }, notes: [...notes, ...known] };
}

const isWithoutLevel = ({ type, levels, map, adminLevel }: CoverageOptions): boolean =>
  type !== 'postal_code' && levels === undefined && map?.admin_level === undefined && adminLevel === undefined;
