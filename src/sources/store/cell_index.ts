import { cellAt, cellSpan } from '../../../workers/arcs/surroundings.ts';
import { defined } from '../../common/elements.ts';

/** Upper bound of the number of arcs. An entry is `position of the cell on the Morton curve * ARCS + arc`. */
const ARCS = 2 ** 23;

/**
 * Finds the arcs that have a vertex in a cell. It holds one number per arc and smallest cell, sorted along a Morton
 * curve, so a cell of any size is a contiguous range. New numbers are sorted lazily and merged as in an LSM tree.
 */
export class CellIndex {
  /** Sorted runs; each is at least twice as long as the next. */
  private readonly runs: Float64Array[] = [];
  private added: number[] = [];

  add(arc: number, coords: Int32Array): void {
    const cells = new Set<number>();
    for (let j = 0; j < coords.length; j += 2) cells.add(cellAt(defined(coords[j]), defined(coords[j + 1])));
    for (const cell of cells) this.added.push(cellSpan(cell)[0] * ARCS + arc);
  }

  /** Yields the arcs in a cell; an arc may be repeated. */
  *in(cell: number): Generator<number> {
    if (this.added.length > 0) this.sort();
    const [from, to] = cellSpan(cell);
    for (const run of this.runs)
      for (let at = firstFrom(run, from * ARCS); at < run.length && defined(run[at]) < to * ARCS; at++)
        yield defined(run[at]) % ARCS;
  }

  private sort(): void {
    let run = Float64Array.from(this.added).sort();
    this.added = [];
    for (let last = this.runs.at(-1); last && last.length < 2 * run.length; last = this.runs.at(-1)) {
      const both = new Float64Array(last.length + run.length);
      both.set(last);
      both.set(run, last.length);
      run = both.sort();
      this.runs.pop();
    }
    this.runs.push(run);
  }
}

/** The index of the first number of a sorted run that is at least `limit`. */
function firstFrom(run: Float64Array, limit: number): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (defined(run[middle]) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
