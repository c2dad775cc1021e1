import { seeded as random } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import { isCountryCode } from '../../src/sources/countries.ts';
import { leading } from '../../test/setup/elements.ts';

/** Municipalities along one side of a country; a state has a third of that, a district a ninth. */
export const SIDE = 36;
const STATE = SIDE / 3;
const DISTRICT = SIDE / 9;
/** Countries along one side of a continent; they share their borders. */
const ACROSS = 2;
/** One in PARTED municipalities has four parts of admin_level 10; one in WITH_ISLAND on the coast has an island. */
const PARTED = 4;
const WITH_ISLAND = 12;

/** Boundaries per country: itself, 9 states, 81 districts, 1,296 municipalities, 1,296 parts of a quarter of them. */
export const BOUNDARIES_OF_COUNTRY = 1 + 9 + 81 + SIDE * SIDE + (4 * SIDE * SIDE) / PARTED;

/** In degrees: the size of a country, and the distance between continents. */
const [WIDTH, HEIGHT] = [12, 9];
const [EAST, NORTH] = [30, 22];
const COLUMNS = 12;
const CONTINENTS = COLUMNS * 7;
const MAX_COUNTRIES = CONTINENTS * ACROSS * ACROSS;

/**
 * Largest displacement of a midpoint as a share of the segment's length, and the factor per halving. The angles add up
 * to less than half a right angle, so that no two borders can cross at any random values.
 */
const [OFFSET, SHRINK] = [0.06, 0.78];
/** Largest displacement of a corner from the grid, in grid steps. */
const JITTER = 0.08;

/** Receives a world in this order: nodes and ways of one continent after another, then relations. */
export interface WorldSink {
  /** Adds a node and returns its id. Coordinates in 1e-7 degrees. */
  node(x: number, y: number, tags?: Readonly<Record<string, string>>): number;
  /** Adds a way over node `from`, then nodes `first` to `first + count - 1`, then `to`. Returns its id. */
  way(from: number, first: number, count: number, to: number): number;
  relation(tags: Readonly<Record<string, string>>, ways: readonly number[], center: number | null): void;
}

export interface WorldSize {
  readonly countries: number;
  /** Segments per side of a municipality: a power of two, at least 4. */
  readonly segments: number;
  readonly seed: number;
}

/**
 * Generates a world of nested boundaries (admin_level 2, 4, 6, 8, 10): countries in continents of four, with shared
 * fractal borders (random midpoint displacement, Fournier, Fussell and Carpenter 1982), and islands off the coast. At
 * 256 segments a country has about a million vertices, so that 224 countries are as large as the real planet: 601,000
 * boundaries, 230 million vertices. The result depends only on the size and seed.
 */
export async function makeWorld(size: WorldSize, sink: WorldSink, room: () => Promise<void>): Promise<void> {
  if (size.countries > MAX_COUNTRIES) throw new Error(`a world has room for ${MAX_COUNTRIES} countries`);
  const codes = countryCodes();
  for (let from = 0; from < size.countries; from += ACROSS * ACROSS) {
    const countries = Math.min(ACROSS * ACROSS, size.countries - from);
    const continent = new Continent(size, from / (ACROSS * ACROSS), countries, sink);
    continent.borders();
    for (let k = 0; k < countries; k++) continent.country(k, defined(codes[(from + k) % codes.length]));
    await room();
  }
}

/** The codes of all countries, in alphabetical order. */
export function countryCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountryCode);
}

/** The two halves of a border between two grid corners, and the node between them. */
interface Edge {
  readonly halves: readonly [number, number];
  readonly middle: number;
}

class Continent {
  private readonly size: WorldSize;
  private readonly number: number;
  private readonly countries: number;
  private readonly sink: WorldSink;
  private readonly next: () => number;
  /** Edges by 2 × corner: even keys go east, odd ones north. */
  private readonly edges = new Map<number, Edge>();
  /**
   * The four ways from the middles of the sides (south, west, north, east) to a municipality's center, by its corner.
   */
  private readonly crosses = new Map<number, readonly number[]>();
  private readonly islands = new Map<number, number>();
  private readonly centers = new Map<number, number>();

  constructor(size: WorldSize, number: number, countries: number, sink: WorldSink) {
    this.size = size;
    this.number = number;
    this.countries = countries;
    this.sink = sink;
    this.next = random(size.seed * 1000 + number);
  }

  /** The country of a cell, or -1 for the sea and where no country was generated. */
  private owner(x: number, y: number): number {
    if (x < 0 || y < 0 || x >= ACROSS * SIDE || y >= ACROSS * SIDE) return -1;
    const country = Math.floor(y / SIDE) * ACROSS + Math.floor(x / SIDE);
    return country < this.countries ? country : -1;
  }

  /** Writes every border of the continent once, as nodes and ways. */
  borders(): void {
    const { sink, next } = this;
    const most = ACROSS * SIDE;
    const corners = new Map<number, { x: number; y: number; id: number }>();
    const corner = (x: number, y: number) => {
      const key = this.key(x, y);
      let known = corners.get(key);
      if (known === undefined) {
        const at = { x: x + JITTER * (2 * next() - 1), y: y + JITTER * (2 * next() - 1) };
        known = { ...at, id: this.put(at.x, at.y) };
        corners.set(key, known);
      }
      return known;
    };
    const middles = new Map<number, Float64Array>();
    for (let y = 0; y <= most; y++) {
      for (let x = 0; x <= most; x++) {
        for (const [direction, other, dx, dy] of [
          [0, this.owner(x, y - 1), 1, 0],
          [1, this.owner(x - 1, y), 0, 1],
        ]) {
          if (this.owner(x, y) < 0 && defined(other) < 0) continue;
          if (x + defined(dx) > most || y + defined(dy) > most) continue;
          const [a, b] = [corner(x, y), corner(x + defined(dx), y + defined(dy))];
          const path = this.fractal(a.x, a.y, b.x, b.y, this.size.segments);
          const half = this.size.segments / 2;
          const middle = this.put(defined(path[2 * half]), defined(path[2 * half + 1]));
          const edge = 2 * this.key(x, y) + defined(direction);
          const halves = [this.inner(a.id, path, 0, half, middle), this.inner(middle, path, half, 2 * half, b.id)];
          this.edges.set(edge, { halves: halves as [number, number], middle });
          middles.set(edge, path.slice(2 * half, 2 * half + 2));
        }
      }
    }
    for (let y = 0; y < most; y++) {
      for (let x = 0; x < most; x++) {
        if (this.owner(x, y) < 0) continue;
        const key = this.key(x, y);
        const [cx, cy] = [x + 0.5 + JITTER * (2 * next() - 1), y + 0.5 + JITTER * (2 * next() - 1)];
        if ((x + y * 2) % PARTED === 0) {
          const center = this.put(cx, cy);
          const sides = [2 * key, 2 * key + 1, 2 * this.key(x, y + 1), 2 * this.key(x + 1, y) + 1];
          this.crosses.set(
            key,
            sides.map((side) => {
              const [mx, my] = leading(middles.get(side) as Float64Array, 2);
              const path = this.fractal(mx, my, cx, cy, this.size.segments / 2);
              return this.inner(this.edge(side).middle, path, 0, this.size.segments / 2, center);
            }),
          );
        }
        if (this.owner(x, y - 1) < 0 && next() * WITH_ISLAND < 1) this.islands.set(key, this.island(x + 0.5, y - 0.75));
        const tags = { place: 'village', name: this.word() };
        this.centers.set(key, sink.node(...this.place(cx + 0.1, cy + 0.05), tags));
      }
    }
  }

  /** The relations of one country. */
  country(index: number, code: string): void {
    const [x, y] = [(index % ACROSS) * SIDE, Math.floor(index / ACROSS) * SIDE];
    this.relation(x, y, SIDE, 2, { 'ISO3166-1': code, 'ISO3166-1:alpha2': code });
    let state = 0;
    for (let sy = y; sy < y + SIDE; sy += STATE) {
      for (let sx = x; sx < x + SIDE; sx += STATE) {
        this.relation(sx, sy, STATE, 4, { 'ISO3166-2': `${code}-${10 + state++}` });
        for (let dy = sy; dy < sy + STATE; dy += DISTRICT) {
          for (let dx = sx; dx < sx + STATE; dx += DISTRICT) {
            this.relation(dx, dy, DISTRICT, 6, {});
            for (let my = dy; my < dy + DISTRICT; my++) {
              for (let mx = dx; mx < dx + DISTRICT; mx++) {
                const population = String(Math.round(10 ** (2 + 3 * this.next())));
                this.relation(mx, my, 1, 8, { population });
                this.parts(mx, my);
              }
            }
          }
        }
      }
    }
  }

  private parts(x: number, y: number): void {
    const cross = this.crosses.get(this.key(x, y));
    if (!cross) return;
    const [south, west, north, east] = leading(
      [2 * this.key(x, y), 2 * this.key(x, y) + 1, 2 * this.key(x, y + 1), 2 * this.key(x + 1, y) + 1].map(
        (side) => this.edge(side).halves,
      ),
      4,
    );
    const quarters = [
      [south[0], west[0], cross[0], cross[1]],
      [south[1], east[0], cross[0], cross[3]],
      [north[0], west[1], cross[2], cross[1]],
      [north[1], east[1], cross[2], cross[3]],
    ];
    for (const ways of quarters) this.sink.relation(this.tags(10, {}), leading(ways, 4), null);
  }

  /** Writes a square of cells as a relation: the edges around it, and the islands of those inside. */
  private relation(x: number, y: number, side: number, level: number, more: Readonly<Record<string, string>>): void {
    const ways: number[] = [];
    for (let k = 0; k < side; k++) {
      ways.push(...this.edge(2 * this.key(x + k, y)).halves, ...this.edge(2 * this.key(x + k, y + side)).halves);
      ways.push(
        ...this.edge(2 * this.key(x, y + k) + 1).halves,
        ...this.edge(2 * this.key(x + side, y + k) + 1).halves,
      );
      // Islands are off the southern coast, so only the lowest row has them.
      const island = this.islands.get(this.key(x + k, y));
      if (island !== undefined) ways.push(island);
    }
    const middle = this.key(x + (side >> 1), y + (side >> 1));
    this.sink.relation(this.tags(level, more), ways, this.centers.get(middle) ?? null);
  }

  private tags(level: number, more: Readonly<Record<string, string>>): Record<string, string> {
    const name = this.word();
    return {
      type: 'boundary',
      boundary: 'administrative',
      admin_level: String(level),
      name,
      ...(level < 10 ? { 'name:en': `${name} ${this.word()}`, wikidata: `Q${Math.floor(this.next() * 1e8)}` } : {}),
      source: 'made',
      ...more,
    };
  }

  private edge(key: number): Edge {
    const edge = this.edges.get(key);
    if (!edge) throw new Error('a boundary has a side without a border');
    return edge;
  }

  private key(x: number, y: number): number {
    return y * (ACROSS * SIDE + 1) + x;
  }

  /** Writes a ring of 32 nodes in the sea. */
  private island(x: number, y: number): number {
    const points = new Float64Array(2 * 33);
    for (let k = 0; k <= 32; k++) {
      const radius = 0.1 * (1 + 0.3 * (this.next() - 0.5));
      points[2 * k] = x + radius * Math.cos((k * Math.PI) / 16);
      points[2 * k + 1] = y + radius * Math.sin((k * Math.PI) / 16);
    }
    const start = this.put(defined(points[0]), defined(points[1]));
    return this.inner(start, points, 0, 32, start);
  }

  /** Writes the vertices strictly between two vertices of a path as nodes, and the way along them. */
  private inner(from: number, path: Float64Array, first: number, last: number, to: number): number {
    let id = 0;
    for (let k = first + 1; k < last; k++) {
      const made = this.put(defined(path[2 * k]), defined(path[2 * k + 1]));
      if (k === first + 1) id = made;
    }
    return this.sink.way(from, id, last - first - 1, to);
  }

  private put(x: number, y: number): number {
    return this.sink.node(...this.place(x, y));
  }

  /** Converts grid steps of the continent to 1e-7 degrees. */
  private place(x: number, y: number): [number, number] {
    const west = -179 + 2.5 + EAST * (this.number % COLUMNS);
    const south = -76 + NORTH * Math.floor(this.number / COLUMNS);
    return [Math.round((west + (x * WIDTH) / SIDE) * 1e7), Math.round((south + (y * HEIGHT) / SIDE) * 1e7)];
  }

  /** A path of `segments` segments from a to b: x and y alternating, in grid steps. */
  private fractal(ax: number, ay: number, bx: number, by: number, segments: number): Float64Array {
    const path = new Float64Array(2 * (segments + 1));
    path.set([ax, ay]);
    path.set([bx, by], 2 * segments);
    let share = OFFSET;
    for (let step = segments; step > 1; step /= 2, share *= SHRINK) {
      for (let k = 0; k < segments; k += step) {
        const [i, j, m] = [2 * k, 2 * (k + step), 2 * k + step];
        const by = share * (2 * this.next() - 1);
        const [dx, dy] = [defined(path[j]) - defined(path[i]), defined(path[j + 1]) - defined(path[i + 1])];
        path[m] = (defined(path[i]) + defined(path[j])) / 2 - by * dy;
        path[m + 1] = (defined(path[i + 1]) + defined(path[j + 1])) / 2 + by * dx;
      }
    }
    return path;
  }

  private word(): string {
    return wordFrom(this.next);
  }
}

/** A name of two to four syllables. */
export function wordFrom(next: () => number): string {
  const count = 2 + Math.floor(2.6 * next());
  let word = '';
  for (let k = 0; k < count; k++) word += SYLLABLES[Math.floor(SYLLABLES.length * next())];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const SYLLABLES =
  'ba ber cha den el fal gor hau in ja ko lu mar nor os pa qui ro san ta ul vi wes xa yo zen ör lé ñu'.split(' ');
