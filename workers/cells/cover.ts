/** The cells of a grid that areas have: those completely inside, and those that their borders meet. */
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { Polygons } from '../contract.ts';
import { Border } from './border.ts';
import { geohash, quadkey } from './boxes.ts';
import type { Grid, Span } from './grid.ts';
import { h3 } from './h3.ts';
import { s2 } from './s2.ts';
import type { Fineness } from './sizes.ts';

/** The grids by name. */
export const GRIDS = { h3, s2, geohash, quadkey } as const;

/** The cells of one area, each by its place in the grid. */
export interface Covered<Cell> {
  /** Cells of this or a coarser resolution that are completely inside: they stand for all cells they are divided into. */
  readonly whole: readonly Cell[];
  /** Cells of the resolution that the border meets or passes within the margin of their outline. */
  readonly edge: readonly Cell[];
}

/** The cells of areas at one resolution. */
export interface Cover<Cell> {
  readonly resolution: number;
  readonly areas: readonly Covered<Cell>[];
  /** Cells of all areas together, each area's own counted. */
  readonly full: number;
  readonly edge: number;
}

/** More cells than allowed; `least` of them at least. */
export class TooManyCells extends Error {
  override name = 'TooManyCells';
  readonly least: number;

  constructor(least: number) {
    super(`at least ${least} cells`);
    this.least = least;
  }
}

/** Cells between two checks of `isCanceled`. */
const POLL = 256;
/** Cells on the way that may be open for each allowed cell of the result: what only seems to be on a border. */
const OPEN = 4;
/** Cells of which the reach and the children are remembered: areas that are neighbors divide the same cells. */
const REMEMBERED = 100_000;

interface Open<Cell> {
  readonly cell: Cell;
  /** The edges of the border that reach into the cell's `reach`. */
  readonly edges: Int32Array;
}

/** An area on its way from the coarsest resolution to the wanted one. */
class Walk<Cell> {
  private readonly border: Border;
  private readonly grid: Grid<Cell>;
  private readonly check: () => void;
  /** Cells of this or a coarser resolution that are completely inside. */
  private readonly whole: Cell[];
  private readonly open: Open<Cell>[] = [];

  constructor(border: Border, grid: Grid<Cell>, check: () => void, whole: readonly Cell[] = []) {
    this.border = border;
    this.grid = grid;
    this.check = check;
    this.whole = [...whole];
  }

  /** Opens those of some cells that the border reaches into, of which `edges` are all edges there may be. */
  descend(cells: readonly Cell[], edges: Int32Array): void {
    for (const cell of cells) {
      this.check();
      const own = this.border.within(edges, this.grid.reach(cell));
      if (own.length > 0) this.open.push({ cell, edges: own });
      else if (this.border.contains(...this.grid.inside(cell))) this.whole.push(cell);
    }
  }

  /** The number of open cells. */
  get size(): number {
    return this.open.length;
  }

  /** The walk one resolution on, with every open cell divided. @throws TooManyCells for more than `most` open cells */
  divided(most: number): Walk<Cell> {
    const next = new Walk(this.border, this.grid, this.check, this.whole);
    for (const { cell, edges } of this.open) {
      next.descend(this.grid.children(cell), edges);
      if (next.size > most) throw new TooManyCells(Math.ceil(next.size / OPEN));
    }
    return next;
  }

  /** The most cells that settle() can give, at a resolution. */
  most(resolution: number): number {
    return this.whole.reduce((total, cell) => total + this.grid.count(cell, resolution), this.open.length);
  }

  /** Decides the open cells by their outlines. */
  settle(): Covered<Cell> {
    const [full, edge]: [Cell[], Cell[]] = [[], []];
    for (const { cell, edges } of this.open) {
      this.check();
      const outline = this.grid.outline(cell);
      if (outline === null || this.border.meets(edges, outline)) edge.push(cell);
      else if (this.border.contains(...this.grid.inside(cell))) full.push(cell);
    }
    return { whole: [...this.whole, ...full], edge };
  }
}

/** The grid with a memory of cells: areas that are neighbors divide the same ones. */
function remembering<Cell>(grid: Grid<Cell>): Grid<Cell> {
  const reaches = new Map<Cell, Span>();
  const children = new Map<Cell, readonly Cell[]>();
  const from = <T>(known: Map<Cell, T>, cell: Cell, make: (cell: Cell) => T): T => {
    let value = known.get(cell);
    if (value === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      value = make(cell);
      known.set(cell, value);
    }
    return value;
  };
  return {
    ...grid,
    reach: (cell) => from(reaches, cell, grid.reach),
    children: (cell) => from(children, cell, grid.children),
  };
}

/**
 * The cells of each area. A full cell is completely inside the area: no edge of its border comes within the margin of
 * the cell's outline, and a point of it is inside, which is decided exactly. A cell that is in neither list has no point
 * of the area. An edge cell may be one that the border only passes within the margin.
 *
 * The walk goes from the coarsest resolution to finer ones and divides only cells that the border reaches into, so its
 * cost depends on the border, not on the area.
 * @throws TooManyCells for more cells than `most`; DOMException named AbortError when canceled
 */
export function cover<Cell>(
  areas: readonly Polygons[],
  grid: Grid<Cell>,
  fineness: Fineness,
  most: number,
  isCanceled?: IsCanceled,
): Cover<Cell> {
  let steps = 0;
  const check = () => {
    if (++steps % POLL === 0) throwIfCanceled(isCanceled);
  };
  const known = remembering(grid);
  const roots = known.roots();
  let walks = areas.map((polygons) => {
    const border = new Border(polygons);
    const walk = new Walk(border, known, check);
    walk.descend(roots, border.edges);
    return walk;
  });
  const budget = 'mostCells' in fineness ? Math.min(fineness.mostCells, most) : null;
  const last = 'resolution' in fineness ? fineness.resolution : grid.finest;
  /** The finest resolution so far that fits the budget: decided, or so coarse that it need not be. */
  let best: (() => Cover<Cell>) | null = null;
  for (let resolution = grid.coarsest; resolution <= last; resolution++) {
    if (resolution > grid.coarsest) {
      try {
        let room = OPEN * (budget ?? most) + 1_000;
        walks = walks.map((walk) => {
          const next = walk.divided(room);
          room -= next.size;
          return next;
        });
      } catch (error) {
        if (error instanceof TooManyCells && best !== null) return best();
        throw error;
      }
    }
    if (budget === null && resolution < last) continue;
    const here = walks;
    const decide = () => settled(here, known, resolution);
    if (budget !== null && resolution < last && sum(here.map((walk) => walk.most(resolution))) <= budget) {
      best = decide;
      continue;
    }
    const made = decide();
    if (made.full + made.edge > (budget ?? most)) {
      if (best !== null) return best();
      throw new TooManyCells(made.full + made.edge);
    }
    best = () => made;
  }
  if (best === null) throw new RangeError('the grid has no such resolution');
  return best();
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function settled<Cell>(walks: readonly Walk<Cell>[], grid: Grid<Cell>, resolution: number): Cover<Cell> {
  const areas = walks.map((walk) => walk.settle());
  return {
    resolution,
    areas,
    full: sum(areas.map(({ whole }) => sum(whole.map((cell) => grid.count(cell, resolution))))),
    edge: sum(areas.map(({ edge }) => edge.length)),
  };
}

/** The full cells of an area at the resolution of its cover. */
export function* fullCells<Cell>({ whole }: Covered<Cell>, grid: Grid<Cell>, resolution: number): Generator<Cell> {
  for (const cell of whole) yield* grid.expand(cell, resolution);
}
