import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { generator } from '../proof/made.ts';

/** Cells of a made land: columns, rows, and the side of one in 1e-7 degrees. */
const [COLUMNS, ROWS, CELL] = [6, 5, 500_000];
const [WEST, SOUTH] = [200_000_000, 100_000_000];
/** Vertices inside an edge of a cell. */
const BENDS = 5;

type Point = [x: number, y: number];
type Random = () => number;

/** An area at some time: cells, of which others of its level have none. */
interface Area {
  readonly code: string;
  name: string;
  cells: number[];
}

/** A land as of a date. */
export interface World {
  readonly date: string;
  /** What was done since the date before. */
  readonly steps: readonly string[];
  /** A GeoJSON file of it, with the properties id, name and level. */
  readonly file: string;
  /** How many areas it has. */
  readonly count: number;
}

/** Writes the made history of a land, each date as a file of a folder of its own. */
export interface History {
  readonly worlds: readonly World[];
  /** A point in the land, in degrees. */
  point(random: Random): { readonly lat: number; readonly lon: number };
  remove(): void;
}

/**
 * A land of two levels through `dates` dates, with `steps` random edits between two of them: areas merge (into one of
 * them, or under a new code), split, hand a cell over, get another name, code or region, and edges are surveyed again.
 * One land in three has regions whose borders are of another survey than those of their areas.
 */
export function madeHistory(seed: number, dates: number, steps: number): History {
  const random = generator(seed);
  const land = new Land(random, seed % 3 === 0);
  const folder = mkdtempSync(join(tmpdir(), 'boundary-history-'));
  const worlds = Array.from({ length: dates }, (_, i): World => {
    const done = Array.from({ length: i === 0 ? 0 : steps }, () => land.step());
    const date = new Date(Date.UTC(1990, 0, 1 + i * 200)).toISOString().slice(0, 10);
    const file = join(folder, `${date}.geojson`);
    const features = land.features();
    writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
    return { date, steps: done, file, count: land.count };
  });
  return {
    worlds,
    point: (next) => ({
      lat: Number(((SOUTH + next() * ROWS * CELL) / 1e7).toFixed(7)),
      lon: Number(((WEST + next() * COLUMNS * CELL) / 1e7).toFixed(7)),
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

class Land {
  private readonly random: Random;
  private readonly areas: Area[] = [];
  /** Region of each area by its code. */
  private readonly regionOf = new Map<string, string>();
  private readonly corners: Point[] = [];
  /** Vertices inside an edge, from its western or southern corner on. */
  private readonly edges = new Map<string, Point[]>();
  /** Those of the regions; the same, or of a survey of their own, which crosses the other. */
  private readonly regionEdges: Map<string, Point[]>;
  private codes = 0;
  private names = 0;

  constructor(random: Random, isSurveyedApart: boolean) {
    this.random = random;
    this.regionEdges = isSurveyedApart ? new Map() : this.edges;
    for (let row = 0; row <= ROWS; row++) {
      for (let column = 0; column <= COLUMNS; column++) {
        this.corners.push([WEST + column * CELL + this.jitter(CELL / 5), SOUTH + row * CELL + this.jitter(CELL / 5)]);
      }
    }
    for (let cell = 0; cell < COLUMNS * ROWS; cell++) this.found([cell], cell % COLUMNS < COLUMNS / 2 ? 'W' : 'E');
  }

  get count(): number {
    return this.areas.length + new Set(this.regionOf.values()).size;
  }

  /** Does a random edit that is possible, and says which. */
  step(): string {
    for (;;) {
      const kinds = ['merge', 'mergeNew', 'split', 'move', 'rename', 'recode', 'region', 'survey'] as const;
      const kind = kinds[Math.floor(this.random() * kinds.length)] ?? 'rename';
      if (this[kind]()) return kind;
    }
  }

  /** A feature for each cell of each area and region, which an import joins. */
  features(): object[] {
    const feature = (id: string, name: string, level: number, cell: number) => ({
      type: 'Feature',
      properties: { id, name, level },
      geometry: {
        type: 'Polygon',
        coordinates: [this.ring(cell, level === 4 ? this.regionEdges : this.edges).map(([x, y]) => [x / 1e7, y / 1e7])],
      },
    });
    return this.areas.flatMap(({ code, name, cells }) =>
      cells.flatMap((cell) => {
        const region = this.regionOf.get(code) ?? 'W';
        return [feature(code, name, 8, cell), feature(region, `Region ${region}`, 4, cell)];
      }),
    );
  }

  private merge(): boolean {
    const [one, other] = this.neighbors();
    if (one === undefined || other === undefined || this.areas.length < 4) return false;
    one.cells.push(...other.cells);
    this.end(other);
    return true;
  }

  private mergeNew(): boolean {
    const [one, other] = this.neighbors();
    if (one === undefined || other === undefined || this.areas.length < 4) return false;
    this.found([...one.cells, ...other.cells], this.regionOf.get(one.code) ?? 'W');
    this.end(one);
    this.end(other);
    return true;
  }

  private split(): boolean {
    const one = this.any();
    if (one.cells.length < 2) return false;
    const at = 1 + Math.floor(this.random() * (one.cells.length - 1));
    this.found(one.cells.splice(at), this.regionOf.get(one.code) ?? 'W');
    return true;
  }

  private move(): boolean {
    const [one, other] = this.neighbors();
    if (one === undefined || other === undefined || other.cells.length < 2) return false;
    const given = other.cells.filter((cell) => this.around(cell).some((next) => one.cells.includes(next)));
    const cell = given[Math.floor(this.random() * given.length)];
    if (cell === undefined) return false;
    other.cells = other.cells.filter((own) => own !== cell);
    one.cells.push(cell);
    return true;
  }

  private rename(): boolean {
    this.any().name = this.newName();
    return true;
  }

  private recode(): boolean {
    const one = this.any();
    this.found(one.cells, this.regionOf.get(one.code) ?? 'W');
    this.end(one);
    return true;
  }

  private region(): boolean {
    const { code } = this.any();
    this.regionOf.set(code, this.regionOf.get(code) === 'W' ? 'E' : 'W');
    return new Set(this.regionOf.values()).size === 2;
  }

  /** Some edges get other vertices, by up to 20 m. */
  private survey(): boolean {
    for (const points of this.edges.values()) {
      if (this.random() < 0.2)
        for (const point of points) for (const i of [0, 1]) point[i] = defined(point[i]) + this.jitter(2_000);
    }
    return true;
  }

  private found(cells: number[], region: string): void {
    const code = `m${++this.codes}`;
    this.areas.push({ code, name: this.newName(), cells: [...cells] });
    this.regionOf.set(code, region);
  }

  private end(area: Area): void {
    this.areas.splice(this.areas.indexOf(area), 1);
    this.regionOf.delete(area.code);
  }

  private newName(): string {
    // Names of different beginnings, so that a search finds one of them.
    const letters = (number: number): string =>
      number < 26 ? String.fromCharCode(97 + number) : letters(Math.floor(number / 26)) + letters(number % 26);
    return `Ulm${letters(7_919 * ++this.names)}`;
  }

  private any(): Area {
    return this.areas[Math.floor(this.random() * this.areas.length)] as Area;
  }

  /** An area, and one that has a cell beside one of its own; none if it has no neighbor. */
  private neighbors(): [Area?, Area?] {
    const one = this.any();
    const beside = this.areas.filter(
      (other) =>
        other !== one && other.cells.some((cell) => this.around(cell).some((next) => one.cells.includes(next))),
    );
    return [one, beside[Math.floor(this.random() * beside.length)]];
  }

  private around(cell: number): number[] {
    const [column, row] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    return [
      ...(column > 0 ? [cell - 1] : []),
      ...(column < COLUMNS - 1 ? [cell + 1] : []),
      ...(row > 0 ? [cell - COLUMNS] : []),
      ...(row < ROWS - 1 ? [cell + COLUMNS] : []),
    ];
  }

  private ring(cell: number, edges: Map<string, Point[]>): Point[] {
    const [column, row] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    const at = (x: number, y: number) => y * (COLUMNS + 1) + x;
    const [sw, se, nw, ne] = [at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)];
    const side = (from: number, to: number) => this.edge(edges, from, to);
    const sides = [side(sw, se), side(se, ne), side(nw, ne).toReversed(), side(sw, nw).toReversed()];
    const ring = sides.flatMap((points) => points.slice(0, -1));
    return [...ring, ring[0] as Point];
  }

  /** The vertices from a corner to one with a larger number. */
  private edge(edges: Map<string, Point[]>, from: number, to: number): Point[] {
    const [start, end] = [this.corners[from] as Point, this.corners[to] as Point];
    const key = `${from} ${to}`;
    const inside =
      edges.get(key) ??
      Array.from({ length: BENDS }, (_, i): Point => {
        const part = (i + 1) / (BENDS + 1);
        return [0, 1].map((axis) =>
          Math.round((start[axis] as number) * (1 - part) + (end[axis] as number) * part + this.jitter(CELL / 30)),
        ) as Point;
      });
    edges.set(key, inside);
    return [start, ...inside, end];
  }

  private jitter(reach: number): number {
    return Math.round((this.random() - 0.5) * 2 * reach);
  }
}
