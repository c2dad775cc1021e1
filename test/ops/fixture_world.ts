import type { SourceInfo, StoreInput } from '../../src/sources/store/source_rows.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';

type WayRow = NonNullable<StoreInput['ways']> extends ReadonlyMap<number, infer W> ? W : never;

/** A world in the middle of the Atlantic, where no other data has a country. */
export const FIXTURE_SOURCE: SourceInfo = {
  id: 'made',
  name: 'Made world',
  url: 'https://example.org/license',
  license: 'CC0-1.0',
  attribution: 'the tests',
  resolution: null,
  seed: false,
};

/** Origin of the grid in degrees: the south-west corner of cell (0, 0); a cell has sides of one degree. */
export const WEST = -30;
export const SOUTH = 30;
const STEPS = 60;

const unit = (degrees: number) => Math.round(degrees * 1e7);

/** A linear congruential generator, so that a way always gets the same shape. */
function wobble(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

/** Ids of grid ways: the southern, or western, side of cell (x, y). */
const southOf = (x: number, y: number) => 10_000 + 100 * (y + 10) + (x + 10);
const westOf = (x: number, y: number) => 20_000 + 100 * (y + 10) + (x + 10);

/** The ways of the grid by id; each goes from one corner to the next along a rough line. */
export class Grid {
  readonly ways = new Map<number, WayRow>();

  /** The ways around a block of cells, x0 … x1 and y0 … y1, both inclusive. */
  around(x0: number, y0: number, x1 = x0, y1 = y0): number[] {
    const ids: number[] = [];
    for (let x = x0; x <= x1; x++)
      ids.push(this.way(southOf(x, y0), x, y0, 1, 0), this.way(southOf(x, y1 + 1), x, y1 + 1, 1, 0));
    for (let y = y0; y <= y1; y++)
      ids.push(this.way(westOf(x0, y), x0, y, 0, 1), this.way(westOf(x1 + 1, y), x1 + 1, y, 0, 1));
    return ids;
  }

  private way(id: number, x: number, y: number, dx: number, dy: number): number {
    if (!this.ways.has(id)) {
      const next = wobble(id);
      const coords = new Int32Array(2 * (STEPS + 1));
      for (let i = 0; i <= STEPS; i++) {
        const off = i === 0 || i === STEPS ? 0 : 0.004 * next();
        coords[2 * i] = unit(WEST + x + (dx * i) / STEPS + dy * off);
        coords[2 * i + 1] = unit(SOUTH + y + (dy * i) / STEPS + dx * off);
      }
      this.ways.set(id, { id, version: 1, tags: {}, refs: null, coords, missing: null });
    }
    return id;
  }

  /** Adds a way through these corners (degrees). */
  put(id: number, points: readonly (readonly [number, number])[], version = 1): number {
    const coords = Int32Array.from(points.flat(), unit);
    this.ways.set(id, { id, version, tags: {}, refs: null, coords, missing: null });
    return id;
  }
}

/** The corners of a rectangle as a closed ring (degrees). */
export function rectangle(west: number, south: number, east: number, north: number): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** The border of a boundary without ways, from rings in degrees. */
export const ringsOf = (...rings: [number, number][][]) => ({
  rings: rings.map((ring) => Int32Array.from(ring.flat(), unit)),
});

/** A generated boundary; what a test does not set gets a default. */
export function fixtureBoundary(
  id: string,
  name: string,
  border: SourceBoundary['border'],
  more: Partial<Omit<SourceBoundary, 'id' | 'name' | 'border'>> = {},
): SourceBoundary {
  return {
    id,
    sourceId: id,
    version: '1',
    type: 'administrative',
    name,
    names: {},
    otherNames: [],
    codes: [],
    adminLevel: 8,
    kind: null,
    countryCode: null,
    country: null,
    iso: null,
    wikidata: null,
    population: null,
    tags: {},
    place: null,
    subareas: [],
    border,
    ...more,
  };
}

/** A name that would break a header, a path and an XML document if it were not escaped. */
export const HOSTILE = '東京/"<&>; x=1\r\nSet-Cookie: a=b\\..';

/**
 * Atlantis (r100): three provinces (r101 … r103) of three communes each (r111 … r133), a quarter inside a commune (the
 * closed way w500) and a postcode area with a commune's border. Next to it are two countries that overlap in a commune
 * (r400, r410, r420), two communes whose borders cross where neither has a vertex (r430, r431), one that does not close
 * (r300), an island on both sides of the antimeridian (r600), and land around the South Pole (r700).
 */
export function fixtureWorld(): StoreInput {
  const grid = new Grid();
  const boundaries: SourceBoundary[] = [
    fixtureBoundary(
      'r100',
      'Atlantis',
      { ways: grid.around(0, 0, 2, 2) },
      { adminLevel: 2, countryCode: 'XA', wikidata: 'Q100', population: 900 },
    ),
  ];
  for (let x = 0; x < 3; x++) {
    boundaries.push(
      fixtureBoundary(
        `r10${x + 1}`,
        `Province ${x + 1}`,
        { ways: grid.around(x, 0, x, 2) },
        { adminLevel: 4, iso: `XA-${x + 1}`, wikidata: `Q10${x + 1}` },
      ),
    );
    for (let y = 0; y < 3; y++) {
      const id = `${x + 1}${y + 1}`;
      const name = id === '22' ? HOSTILE : `Commune ${id}`;
      boundaries.push(
        fixtureBoundary(`r1${id}`, name, { ways: grid.around(x, y) }, { iso: `XA-C${id}`, wikidata: `Q1${id}` }),
      );
    }
  }
  boundaries.push(
    fixtureBoundary(
      'w500',
      'The Quarter',
      { ways: [grid.put(500, rectangle(-29.75, 30.25, -29.5, 30.5))] },
      { adminLevel: 9, wikidata: 'Q500', iso: 'XA-Q5' },
    ),
    fixtureBoundary(
      'r200',
      '1234',
      { ways: grid.around(0, 0) },
      { type: 'postal_code', adminLevel: null, wikidata: 'Q200' },
    ),
    fixtureBoundary('r300', 'Openland', {
      ways: [
        grid.put(300, [
          [-20, 40],
          [-19, 40],
          [-19, 41],
        ]),
      ],
    }),
    fixtureBoundary('r400', 'Lyonesse', { ways: grid.around(5, 0, 6, 0) }, { adminLevel: 2, countryCode: 'XB' }),
    fixtureBoundary('r410', 'Ys', { ways: grid.around(6, 0, 7, 0) }, { adminLevel: 2, countryCode: 'XC' }),
    fixtureBoundary('r420', 'Claimed', { ways: grid.around(6, 0) }),
    fixtureBoundary('r430', 'Crossing A', { ways: [grid.put(430, rectangle(-20, 30, -19, 31))] }),
    fixtureBoundary('r431', 'Crossing B', { ways: [grid.put(431, rectangle(-19.5, 30.5, -18.5, 31.5))] }),
    fixtureBoundary('r600', 'Dateland', ringsOf(rectangle(178, 10, 180, 12), rectangle(-180, 10, -178, 12)), {
      adminLevel: 2,
      countryCode: 'XD',
    }),
    fixtureBoundary('r700', 'Southland', ringsOf(rectangle(-180, -90, 180, -80)), { adminLevel: 2, countryCode: 'XE' }),
  );
  return { source: FIXTURE_SOURCE, file: 'made', boundaries, ways: grid.ways };
}
