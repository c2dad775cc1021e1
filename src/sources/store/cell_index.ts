import { cellAt, cellSpan } from '../../../workers/kernels/surroundings.ts';
import { defined } from '../../elements.ts';

/** More arcs than are ever at hand: an entry is the place of a cell along the curve times this, plus the arc. */
const ARCS = 2 ** 23;

/**
 * Which arcs have a vertex in a cell: one number for each arc and smallest cell, sorted along Morton's curve, so that a
 * cell of any size is a run of them.
 */
export class CellIndex {
  /** Sorted each; one is more than half as long as the one before it at most once. */
  private readonly runs: Float64Array[] = [];
  private added: number[] = [];

  add(arc: number, coords: Int32Array): void {
    const cells = new Set<number>();
    for (let j = 0; j < coords.length; j += 2) cells.add(cellAt(defined(coords[j]), defined(coords[j + 1])));
    for (const cell of cells) this.added.push(cellSpan(cell)[0] * ARCS + arc);
  }

  /** The arcs in a cell; one may come several times. */
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

/** The place of the first number that is not below a limit. */
function firstFrom(run: Float64Array, limit: number): number {
  let [low, high] = [0, run.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (defined(run[middle]) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
