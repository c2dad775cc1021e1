import initGeos from 'geos-wasm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { materialize } from '../../workers/arcs/layout.ts';
import {
  intersection,
  intersectionShare,
  isValid,
  openIntersections,
  overlay,
  sharesWithin,
} from '../../workers/arcs/overlay.ts';
import { FULL } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { crossingWorld } from '../proof/worlds.ts';
import { closed, leading } from '../setup/elements.ts';
import { flatten, type Line, nested, planeArea, random, rect, subdivision, wkt } from './topology.ts';

const ORACLE = process.env.ORACLE_DATABASE_URL;
const square = (west: number, south: number, size: number) => flatten([[rect(west, south, west + size, south + size)]]);
const BOWTIE: Line = [
  [0, 0],
  [10, 10],
  [10, 0],
  [0, 10],
  [0, 0],
];

describe('intersections of many pairs', () => {
  it.each([1e6, 200])('have the area of each pair alone, with up to %i vertices kept', async (most) => {
    const { arcs, boundaries } = crossingWorld(28_325_254);
    const shapes = boundaries.map(({ rings }) => materialize(arcs, rings, FULL, 0));
    let made = 0;
    const all = await openIntersections((area) => {
      made++;
      return defined(shapes[area]);
    }, most);
    try {
      for (let a = 0; a < shapes.length; a += 3) {
        for (let b = 0; b < shapes.length; b += 5) {
          const [ours, alone] = [all.of(a, b), await intersection(defined(shapes[a]), defined(shapes[b]))];
          expect(planeArea(ours), `${a} ${b}`).toBe(planeArea(alone));
          if (a === b) expect(planeArea(ours)).toBe(planeArea(defined(shapes[a])));
        }
      }
      expect(() => all.of(0, shapes.push(flatten([[BOWTIE]])) - 1)).toThrow('Self-intersection');
      expect(all.of(0, 0)).toEqual(await intersection(defined(shapes[0]), defined(shapes[0])));
      expect(planeArea(all.of(0, 0))).toBeGreaterThan(0);
    } finally {
      all.release();
    }
    if (most > 1e5) expect(made).toBeLessThanOrEqual(shapes.length);
    else expect(made).toBeGreaterThan(shapes.length);
  });
});

describe('overlay', () => {
  it('unites what overlaps and cuts what is excluded', async () => {
    const result = await overlay([square(0, 0, 10), square(5, 5, 10)], [square(0, 0, 2)]);
    expect(planeArea(result) / 2).toBe(100 + 100 - 25 - 4);
    expect(await isValid(result)).toBeNull();
  });

  it('turns shells counter-clockwise, holes clockwise, and closes rings', async () => {
    const result = await overlay([square(0, 0, 10)], [square(3, 3, 4)]);
    const [shell, hole] = leading(defined(nested(result)[0]), 2);
    expect(planeArea(flatten([[shell]]))).toBe(200);
    expect(planeArea(flatten([[hole]]))).toBe(-32);
    for (const ring of [shell, hole]) expect(ring.at(-1)).toEqual(ring[0]);
  });

  it('drops the lines that are left where a sliver collapses on the grid', async () => {
    const { arcs, boundaries } = crossingWorld(28_325_254);
    const [frame, moved] = leading(
      ['frame 0', 'moved frame 0'].map((id) => {
        const found = boundaries.find((one) => one.id === id);
        if (!found) throw new Error(`no ${id}`);
        return materialize(arcs, found.rings, FULL, 0);
      }),
      2,
    );
    const rest = await overlay([frame], [moved]);
    expect(await isValid(rest)).toBeNull();
    expect(planeArea(rest)).toBeGreaterThan(0);
    expect(planeArea(rest)).toBeLessThan(planeArea(frame));
  });

  it('puts new vertices on the grid', async () => {
    const a: Line = [
      [0, 0],
      [100, 7],
      [100, 90],
      [0, 0],
    ];
    const b: Line = [
      [0, 31],
      [97, 3],
      [90, 80],
      [0, 31],
    ];
    const result = await overlay([flatten([[a]]), flatten([[b]])], []);
    expect(await isValid(result)).toBeNull();
    expect(result.coords).toBeInstanceOf(Int32Array);
    expect(planeArea(result) / 2).toBeGreaterThan(4000);
  });

  it('has empty results for empty questions', async () => {
    const empty = flatten([]);
    for (const result of [
      await overlay([], []),
      await overlay([empty], [square(0, 0, 5)]),
      await overlay([square(1, 1, 5)], [square(0, 0, 10)]),
    ]) {
      expect(result.polygonEnd).toHaveLength(0);
      expect(result.coords).toHaveLength(0);
    }
    expect(planeArea(await overlay([square(0, 0, 10)], [empty]))).toBe(200);
  });

  it('refuses invalid input with the reason and the place, and works on afterwards', async () => {
    for (let k = 0; k < 50; k++) {
      await expect(overlay([flatten([[BOWTIE]]), square(0, 0, 5)], [])).rejects.toThrow(/Self-intersection at 5 5/);
      await expect(overlay([square(0, 0, 5)], [flatten([[BOWTIE]])])).rejects.toThrow(/Self-intersection/);
    }
    expect(planeArea(await overlay([square(0, 0, 10)], []))).toBe(200);
  });

  it('handles the edges of the int32 range', async () => {
    const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
    const result = await overlay([flatten([[rect(low, low, 0, high)]]), flatten([[rect(0, low, high, high)]])], []);
    const xs = defined(defined(nested(result)[0])[0]).map(([x]) => x);
    expect([result.ringEnd.length, Math.min(...xs), Math.max(...xs)]).toEqual([1, low, high]);
  });

  it('gives memory back', async () => {
    const next = random(3);
    const ring: [number, number][] = [];
    for (let k = 0; k < 20_000; k++) {
      const angle = (2 * Math.PI * k) / 20_000;
      const radius = 1e6 * (1 + 0.0001 * next());
      ring.push([Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))]);
    }
    const polygons = flatten([[closed(ring)]]);
    await isValid(polygons);
    // One instance a thread: this is the one that the kernel uses.
    const { Module } = await initGeos();
    const before = Module.HEAPU8.byteLength;
    for (let k = 0; k < 150; k++) await isValid(polygons);
    for (let k = 0; k < 150; k++) await overlay([polygons, flatten([[BOWTIE]])], []).catch(() => {});
    // 150 leaked copies of the input alone, as WKB and as geometry, would be 96 MB.
    expect(Module.HEAPU8.byteLength - before).toBeLessThan(4e6);
  });
});

describe('isValid', () => {
  it('accepts what is valid and the empty multipolygon', async () => {
    expect(await isValid(flatten([]))).toBeNull();
    expect(await isValid(square(0, 0, 9))).toBeNull();
    expect(await isValid(flatten([[rect(0, 0, 9, 9), rect(3, 3, 5, 5)]]))).toBeNull();
  });

  it('names the reason and the place', async () => {
    expect(await isValid(flatten([[BOWTIE]]))).toEqual({ reason: 'Self-intersection', x: 5, y: 5 });
    expect((await isValid(flatten([[rect(0, 0, 9, 9), rect(20, 20, 25, 25)]])))?.reason).toMatch(/Hole lies outside/);
    expect((await isValid(flatten([[rect(0, 0, 9, 9)], [rect(3, 3, 5, 5)]])))?.reason).toMatch(/Nested shells/);
  });

  it('takes short and open rings for trouble', async () => {
    expect(
      await isValid(
        flatten([
          [
            [
              [1, 2],
              [3, 4],
              [1, 2],
            ],
          ],
        ]),
      ),
    ).toMatchObject({ x: 1, y: 2 });
    expect(await isValid(flatten([[[[1, 2]]]]))).toMatchObject({ x: 1, y: 2 });
    expect(
      await isValid(
        flatten([
          [
            [
              [0, 0],
              [9, 0],
              [9, 9],
              [0, 9],
            ],
          ],
        ]),
      ),
    ).toMatchObject({ reason: 'open ring' });
    expect(
      await isValid(
        flatten([
          [
            [
              [0, 0],
              [9, 0],
              [4, 0],
              [0, 0],
            ],
          ],
        ]),
      ),
    ).not.toBeNull();
  });
});

describe('sharesWithin', () => {
  it('gives of each child what intersectionShare gives', async () => {
    const parent = square(0, 0, 100);
    const within = await sharesWithin(parent);
    const children = [
      square(10, 10, 10),
      square(-5, 0, 10),
      square(300, 0, 10),
      square(95, 95, 10),
      square(10, 10, 10),
    ];
    try {
      const shares = children.map((child) => within.shareOf(child));
      expect(shares).toEqual(await Promise.all(children.map((child) => intersectionShare(child, parent))));
      expect(shares).toEqual([1, 0.5, 0, 0.25, 1]);
      expect(() => within.shareOf(flatten([]))).toThrow(/no area/);
      expect(within.shareOf(square(90, 0, 20))).toBe(0.5);
    } finally {
      within.release();
    }
    const nothing = await sharesWithin(flatten([]));
    expect(nothing.shareOf(parent)).toBe(0);
    nothing.release();
  });
});

describe('intersectionShare', () => {
  it('is the share of the child inside the parent', async () => {
    expect(await intersectionShare(square(0, 0, 10), square(0, 0, 100))).toBe(1);
    expect(await intersectionShare(square(0, 0, 10), square(5, 0, 100))).toBe(0.5);
    expect(await intersectionShare(square(0, 0, 10), square(50, 50, 10))).toBe(0);
    expect(await intersectionShare(square(0, 0, 10), square(10, 0, 10))).toBe(0);
    expect(await intersectionShare(square(0, 0, 10), flatten([]))).toBe(0);
  });

  it('refuses a child without area', async () => {
    await expect(intersectionShare(flatten([]), square(0, 0, 10))).rejects.toThrow(/no area/);
  });
});

describe.skipIf(!ORACLE)('overlay against native PostGIS', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: ORACLE });
    await client.connect();
  });
  afterAll(() => client.end());

  it('differs from the unsnapped overlay by at most two grid units along the border, and is valid', async () => {
    for (let seed = 1; seed <= 120; seed++) {
      const next = random(seed);
      // Two subdivisions that know nothing of each other: their faces cross everywhere.
      const faces = [subdivision(next, 4, 4, 1000), subdivision(next, 5, 3, 900)].flat();
      const chosen = (share: number) => faces.filter(() => next() < share).map((face) => flatten([[face]]));
      const include = chosen(0.6);
      const exclude = chosen(0.2);
      const ours = await overlay(include, exclude);
      expect(await isValid(ours)).toBeNull();
      const { rows } = await client.query(
        `with kept as (select ST_Union(ST_GeomFromText(t)) as g from unnest($2::text[]) t),
              gone as (select coalesce(ST_Union(ST_GeomFromText(t)), 'POLYGON EMPTY'::geometry) as g from unnest($3::text[]) t),
              theirs as (select ST_Difference(kept.g, gone.g) as g from kept, gone)
         select ST_IsValid(ours.g) as valid, ST_Area(ST_SymDifference(ours.g, theirs.g)) as off,
                ST_Perimeter(theirs.g) as perimeter, ST_Area(theirs.g) as area
         from (select ST_GeomFromText($1) as g) ours, theirs`,
        [wkt(ours), include.map((p) => wkt(p)), exclude.map((p) => wkt(p))],
      );
      const [{ valid, off, perimeter, area }] = rows;
      expect(valid).toBe(true);
      expect(area).toBeGreaterThan(0);
      expect(off, `seed ${seed}`).toBeLessThanOrEqual(2 * perimeter);
    }
  });
});
