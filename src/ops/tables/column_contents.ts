import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { saysOther } from '../../domain/tables/column_titles.ts';
import { meantBy, type TableColumns } from '../../domain/tables/columns.ts';
import { cellAt, textsOf } from '../../domain/tables/row_places.ts';
import { bestOf, DIFFERENT, type Looking, MOST_TRIED, namesAmong, rowOf, textsFor } from './column_rivals.ts';
import { EXPLAINED, explaining, MEANT, type Trial, tried } from './column_trials.ts';
import { matchPlaces } from './match_table.ts';

const COUNTRY_LEVEL = 2;
/** Different cells that a column must have to be found by them, where it has that many rows; not of countries and counties. */
const TEXTS_FROM = 5;
const FEW_TO = 6;
/** The share of the names from which they are ambiguous without more. */
const AMBIGUOUS_SHARE = 0.5;

/** A column by its contents. */
interface Contents {
  readonly at: number;
  /** Its different cells that have letters. */
  readonly texts: readonly string[];
  /** The share of these that are names of boundaries. */
  readonly share: number;
}

/**
 * The columns with the names in that of which most cells are names of boundaries, and with what is around it.
 * @param known those found by their names: what these have is around it
 */
export async function byContents(looking: Looking, known: TableColumns): Promise<TableColumns | null> {
  const { ctx, table, sample, fixed } = looking;
  const taken = [known.name, known.code, known.type, ...known.within];
  const free = [...table.columns.keys()].filter(
    (at) => !taken.includes(at) && !saysOther(table.columns[at] ?? '', COUNTRY_LEVEL),
  );
  // A column whose cells repeat more says less of the place of its row than the one that is known.
  const least = known.name === null ? 0 : textsOf(sample, known.name).length;
  const named: Contents[] = [];
  for (const at of free.slice(0, MOST_TRIED)) {
    const texts = textsOf(sample, at);
    if (texts.length <= least) continue;
    looking.looked();
    const share = (await namesAmong(ctx, texts)) / texts.length;
    if (share >= MEANT) named.push({ at, texts, share });
  }
  named.sort((a, b) => (repeatsBeside(a, b) ? 1 : repeatsBeside(b, a) ? -1 : b.share - a.share));
  const [first] = named;
  if (first === undefined) return null;
  const outer = known.name === null ? known.within : [known.name, ...known.within];
  const rivals = named.filter((one) => !repeatsBeside(one, first));
  const trials: Trial[] = [];
  for (const { at } of rivals) {
    const own = { ...known, name: at, within: outer, ...meantBy(table.columns[at] ?? '') };
    const around = fixed.within ? [] : named.filter((one) => repeatsBeside(one, first));
    trials.push(
      await explaining(looking, { ...own, within: [...(await holding(looking, own, around)), ...outer] }, fixed),
    );
  }
  const best = await bestOf(
    looking,
    trials.filter((trial) => isEnough(looking, trial)),
  );
  const name = best?.columns.name;
  if (best === null || name == null) return null;
  if (!hasNumbersBelow(looking)) await requireHeader(ctx, table.columns[name] ?? '', textsOf(sample, name));
  return best.columns;
}

/** Whether the contents of a column tell that it has names of places: a few words may be those of some municipalities. */
function isEnough(looking: Looking, trial: Trial): boolean {
  const { adminLevel } = trial.decision;
  if (saysOther(looking.table.columns[trial.columns.name ?? 0] ?? '', adminLevel)) return false;
  const isOfFew = adminLevel !== null && adminLevel <= FEW_TO;
  return isOfFew || textsFor(looking, trial) >= Math.min(TEXTS_FROM, DIFFERENT * looking.sample.length);
}

/** Whether a cell is a number as people write it: "1,234", "12 %". */
const isNumber = (cell: string): boolean => /\d/.test(cell) && /^[\d.,'\s%-]+$/.test(cell);

/** Whether the first line has words above columns of numbers, so that it has the names of the columns. */
const hasNumbersBelow = ({ table, sample }: Looking): boolean =>
  table.columns.some((title, at) => {
    const cells = sample.map((row) => cellAt(row, at)).filter((cell) => cell !== '');
    return !/\d/.test(title) && /\p{L}/u.test(title) && cells.length > 0 && cells.every((cell) => isNumber(cell));
  });

/** @throws invalid_input where the first line has a place like those below it, which would be lost as the name of a column */
async function requireHeader(ctx: Context, name: string, texts: readonly string[]): Promise<void> {
  const rows = [name, ...texts].map(rowOf);
  const { rows: matched } = await matchPlaces(ctx, rows, { filters: {}, whole: true, kinds: [] });
  const [first, ...others] = matched.map(({ match }) => match);
  const areAmbiguous = others.filter((match) => match === 'ambiguous').length > AMBIGUOUS_SHARE * others.length;
  const isPlace = matched[0]?.boundary && first !== 'typo';
  if (!isPlace && !(first === 'ambiguous' && areAmbiguous)) return;
  const message = `names a place, ${name}, as the lines below it do: put a line with the names of the columns in front, or give name_column=${name}`;
  throw invalidInput([{ path: '', code: 'invalid_line', message: `line 1 ${message}` }]);
}

/** Whether the cells of a column repeat so much more than those of another that it may be around it. */
const repeatsBeside = (one: Contents, other: Contents): boolean => one.texts.length < DIFFERENT * other.texts.length;

/** Those of some columns inside of whose places the names of a column are, the innermost first. */
async function holding(looking: Looking, own: TableColumns, others: readonly Contents[]): Promise<number[]> {
  const around: number[] = [];
  if (others.length === 0) return around;
  let { share } = await tried(looking, { ...own, within: [] });
  for (const { at } of [...others].sort((a, b) => b.texts.length - a.texts.length)) {
    const trial = await tried(looking, { ...own, within: [...around, at] });
    if (trial.share === 0 || trial.share < EXPLAINED * share) continue;
    around.push(at);
    share = Math.max(share, trial.share);
  }
  return around;
}
