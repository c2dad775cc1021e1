import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { AskedColumns } from '../../domain/tables/columns.ts';
import type { PlaceRow } from '../../domain/tables/match_rows.ts';
import { textsOf } from '../../domain/tables/row_places.ts';
import type { Table } from '../../domain/tables/table.ts';
import { areSame, EXPLAINED, MEANT, type Trial, type Trying, tried } from './column_trials.ts';
import { matchPlaces } from './match_table.ts';

/** Columns whose contents are looked at. */
export const MOST_TRIED = 20;
/** A column with fewer different cells than this share of its rows may be what is around the places. */
export const DIFFERENT = 0.5;
/** The share of what the best column explains, from which another one may be meant as well. */
const NEARLY = 0.75;

/** A search for the columns of a table. */
export interface Looking extends Trying {
  readonly table: Table;
  readonly asked: AskedColumns;
  /** What the caller named, which stays. */
  readonly fixed: { readonly code: boolean; readonly type: boolean; readonly within: boolean };
}

/** The number of different cells that a reading has names in. */
export const textsFor = ({ sample }: Looking, { columns }: Trial): number =>
  columns.name === null ? 0 : textsOf(sample, columns.name).length;

/**
 * The reading that is meant: of those whose cells repeat less, the one that explains most rows, else the first. Null of none.
 * @throws invalid_input for several that mean other places: where people come from and where they go
 */
export async function bestOf(looking: Looking, trials: readonly Trial[]): Promise<Trial | null> {
  const { table } = looking;
  // One whose cells repeat beside those of another is around it, also where the places of that are not stored.
  const inner = trials.filter(
    (one) => !trials.some((other) => textsFor(looking, one) < DIFFERENT * textsFor(looking, other)),
  );
  const meant = inner.filter(({ share }) => share >= MEANT);
  const most = Math.max(...meant.map(({ share }) => share));
  const near = meant.filter(({ share }) => share >= NEARLY * most);
  const [first, ...others] = near;
  if (first === undefined) return inner[0] ?? null;
  let best = first;
  for (const other of others) {
    if (areSame(first, other)) {
      // The hamlet beside its municipality: where the two differ, that which is stored is meant.
      if (other.share > best.share) best = other;
      continue;
    }
    const both = (await insideOther(looking, best, other)) ?? (await insideOther(looking, other, best));
    if (both === null) {
      const [one, two] = [best, other].map(({ columns }) => table.columns[columns.name ?? 0] ?? '');
      const message = `${one} and ${two} both have names of places: say which with name_column`;
      throw invalidInput([{ path: 'name_column', code: 'ambiguous', message }]);
    }
    best = both;
  }
  return withRepeated(looking, best, trials);
}

/** The reading with the places of columns whose cells repeat around it, if the names are inside of these: NAME_0 beside NAME_1. */
async function withRepeated(looking: Looking, best: Trial, trials: readonly Trial[]): Promise<Trial> {
  let inside = best;
  const taken = [...best.columns.within];
  for (const outer of trials) {
    const at = outer.columns.name;
    if (at === null || taken.includes(at) || outer.share < MEANT) continue;
    if (textsFor(looking, outer) >= DIFFERENT * textsFor(looking, best)) continue;
    inside = (await insideOther(looking, inside, outer)) ?? inside;
  }
  return inside;
}

/** A reading whose places are inside of those of another one, with this around it; null if they are not. */
async function insideOther(looking: Looking, inner: Trial, outer: Trial): Promise<Trial | null> {
  const at = outer.columns.name;
  if (at === null || looking.fixed.within || textsFor(looking, inner) <= textsFor(looking, outer)) return null;
  const trial = await tried(looking, { ...inner.columns, within: [at, ...inner.columns.within] });
  return trial.share >= EXPLAINED * inner.share ? trial : null;
}

/** A row that has only a name. */
export const rowOf = (name: string): PlaceRow => ({ name, code: '', within: [], type: '' });

/** How many texts are names of boundaries, of one or several. */
export async function namesAmong(ctx: Context, texts: readonly string[]): Promise<number> {
  const rows = texts.map(rowOf);
  const { rows: matched } = await matchPlaces(ctx, rows, { filters: {}, whole: false, kinds: [] });
  return matched.filter(({ match }) => match !== 'not_found' && match !== 'typo').length;
}
