/** Rounds of the worker that recompute tiers (see tiers.ts), until it has been given every arc that they depend on. */

import { CellClasses, KeySet } from '../../../workers/arcs/key_set.ts';
import { cellsAt, decodeCells } from '../../../workers/arcs/reach.ts';
import { CELLS, parentCell } from '../../../workers/arcs/surroundings.ts';
import { ENDS_PER_ARC } from '../../../workers/contract.ts';
import type { TierResult } from '../../../workers/tasks/tiers.ts';
import { defined } from '../../common/elements.ts';
import { classOfKind, isOfEnds, kindOf } from './changes.ts';
import { tiersAt } from './loaded_arc.ts';
import type { Neighborhood } from './neighborhood.ts';
import type { BuildRun } from './source_rows.ts';
import { bytesOf } from './topology.ts';
import { outermost, type WantedCell } from './wanted_cells.ts';

/** Beyond so many arcs whose tiers are not final, a round asks for larger cells. */
const MANY_LEFT = 100;

/** What to recompute for an arc. */
interface ArcTask {
  readonly weights?: boolean;
  /** One bit per end class. */
  readonly ends?: number;
  readonly digits?: boolean;
}

/** Recomputes tiers of arcs, which are indexes into `arcs` of a neighborhood. */
export class TierRounds {
  private readonly run: BuildRun;
  private readonly around: Neighborhood;

  constructor(run: BuildRun, around: Neighborhood) {
    this.run = run;
    this.around = around;
  }

  /**
   * Recomputes weights, ends or digits of some arcs, round after round, until the worker misses no cell. Returns the
   * arcs whose tiers changed. The first round gives the worker the arcs of all cells that these arcs and the deleted
   * ones depended on before, as it is likely to need them again, and the arcs that `beside` returns.
   */
  async recompute(
    what: 'weights' | 'ends' | 'digits',
    todo: readonly number[],
    isWanted: (kind: number) => boolean,
    todoOf: (i: number) => ArcTask,
    beside: (left: readonly number[]) => readonly number[] = () => [],
  ): Promise<Set<number>> {
    const changed = new Set<number>();
    if (todo.length === 0) return changed;
    const { arcs } = this.around;
    const before = await this.around.keysBefore(todo);
    todo.forEach((i, n) => {
      // Weights and digits are recomputed whole, so their old keys are dropped; ends only for some classes.
      const keys = defined(arcs[i]).keys?.sorted() ?? defined(before[n]);
      defined(arcs[i]).keys = new KeySet(keys.filter((key) => !isWanted(kindOf(key)) || isOfEnds(kindOf(key))));
    });
    let cells = new CellClasses();
    const wantAll = (keys: Iterable<number>) => {
      for (const key of keys) if (isWanted(kindOf(key))) cells.raise(key % CELLS, classOfKind(kindOf(key)));
    };
    for (const keys of [...before, ...(await this.around.keysOfDeleted())]) wantAll(keys);
    let outer = outermost(cells);
    await this.around.readCellsOf(outer);
    for (let left = todo, round = 0; left.length > 0; round++) {
      this.run.progress(
        `detail levels near stored borders: ${what} of ${left.length} arcs, ${this.around.loaded} stored arcs read`,
      );
      const { result, given } = await this.runWorker(left, outer, beside(left), todoOf);
      await this.applyResult(result, given, changed);
      const open = new Set(given.filter((_, n) => result.open[n] === 1));
      left = left.filter((i) => open.has(i));
      // Few arcs are left after the first round, so the cells start over from theirs; later rounds only add cells.
      if (round === 0) cells = new CellClasses();
      for (const i of open) wantAll(defined(arcs[i]).keys?.sorted() ?? []);
      // Each round asks for a cell twice as large (up to 64 times), as a long search is likely to go on. Where many arcs
      // are left, as beside another source, a round costs more than the arcs of larger cells.
      const wider = left.length > MANY_LEFT ? 3 : 0;
      result.missing.forEach((missing, n) => {
        let cell = missing;
        for (let up = Math.min(round + wider, 6); up > 0 && parentCell(cell) >= 0; up--) cell = parentCell(cell);
        cells.raise(cell, defined(result.missingClass[n]));
      });
      outer = outermost(cells);
      await this.around.readCellsOf(outer);
      await this.around.link(Array.from(result.unlinked, (n) => defined(given[n])));
    }
    return changed;
  }

  /** One round of the worker: gives it the arcs to recompute, the arcs of some cells, and those `beside`. */
  private async runWorker(
    todo: readonly number[],
    cells: readonly WantedCell[],
    beside: readonly number[],
    todoOf: (i: number) => ArcTask,
  ) {
    const asked = new Set(todo);
    const { given, links } = this.around.linked(new Set([...todo, ...beside, ...this.around.within(cells)]));
    const arcs = given.map((i) => defined(this.around.arcs[i]));
    const first = new Uint32Array(arcs.length);
    const length = Uint32Array.from(arcs, ({ coords }) => coords.length / 2);
    for (let n = 1; n < arcs.length; n++) first[n] = defined(first[n - 1]) + defined(length[n - 1]);
    const vertices = length.reduce((sum, own) => sum + own, 0);
    const coords = new Int32Array(2 * vertices);
    const weights = new Uint8Array(vertices);
    const ends = new Uint16Array(ENDS_PER_ARC * arcs.length);
    arcs.forEach((arc, n) => {
      const from = defined(first[n]);
      coords.set(arc.coords, 2 * from);
      weights.set(arc.tiers.weights, from);
      ends.set(arc.tiers.ends, ENDS_PER_ARC * n);
    });
    const todos = given.map((i): ArcTask => (asked.has(i) ? todoOf(i) : {}));
    const result = await this.run.engine.pool.runPatiently('tiers', {
      coords,
      first,
      length,
      arcClass: Uint8Array.from(arcs, (arc) => arc.class),
      main: Uint8Array.from(arcs, (arc) => arc.main),
      links: Int32Array.from(links),
      linked: Uint8Array.from(arcs, ({ linked }) => Number(linked)),
      cells: Float64Array.from(cells, ([cell]) => cell),
      cellClass: Uint8Array.from(cells, ([, limit]) => limit),
      weights,
      ends,
      exact: Uint16Array.from(arcs, ({ tiers }) => tiers.exact),
      todoWeights: Uint8Array.from(todos, ({ weights = false }) => Number(weights)),
      todoEnds: Uint16Array.from(todos, ({ ends = 0 }) => ends),
      todoDigits: Uint8Array.from(todos, ({ digits = false }) => Number(digits)),
    });
    return { result, given };
  }

  /** Takes over a result; adds the arcs whose tiers it changed to `changed`. */
  private async applyResult(result: TierResult, given: readonly number[], changed: Set<number>): Promise<void> {
    const { arcs } = this.around;
    const keysOf = given.map((_, n) => decodeCells(cellsAt(result.reach, n).bytes));
    const unread = given.filter((i, n) => defined(keysOf[n]).length > 0 && defined(arcs[i]).keys === null);
    const before = await this.around.keysBefore(unread);
    unread.forEach((i, n) => {
      defined(arcs[i]).keys = new KeySet(before[n]);
    });
    let from = 0;
    given.forEach((i, n) => {
      const arc = defined(arcs[i]);
      const to = from + arc.coords.length / 2;
      const tiers = tiersAt(result, n, from, to);
      from = to;
      const { weights, ends, exact } = arc.tiers;
      if (!isSame(tiers.weights, weights) || !isSame(tiers.ends, ends) || tiers.exact !== exact) changed.add(i);
      arc.tiers = tiers;
      for (const key of defined(keysOf[n])) arc.keys?.add(key);
    });
  }
}

/** Whether two arrays have the same bytes. */
export const isSame = (a: ArrayBufferView, b: ArrayBufferView) => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
