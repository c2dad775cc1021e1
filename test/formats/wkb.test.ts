import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../workers/formats/read.ts';
import { type PolygonRings, Unreadable } from '../../workers/formats/reading/document.ts';
import { polygonsOfWkb, readWkb } from '../../workers/formats/reading/wkb.ts';

const oracle = process.env.ORACLE_DATABASE_URL;

/** Geometries, how many points and lines are in them, and whether they have heights or measures. */
const GEOMETRIES: readonly (readonly [wkt: string, left: number, heights: boolean])[] = [
  ['POLYGON((0 0,4 0,4 4,0 0))', 0, false],
  ['POLYGON((0 0,9 0,9 9,0 0),(5 1,6 1,6 2,5 1))', 0, false],
  ['MULTIPOLYGON(((0 0,9 0,9 9,0 0),(5 1,6 1,6 2,5 1)),((20 0,21 0,21.5 -1e-7,20 0)))', 0, false],
  ['POLYGON Z((0 0 1,4 0 2,4 4 3,0 0 1))', 0, true],
  ['POLYGON M((0 0 1,4 0 2,4 4 3,0 0 1))', 0, true],
  ['MULTIPOLYGON ZM(((0 0 1 2,4 0 2 2,4 4 3 2,0 0 1 2)))', 0, true],
  ['POLYGON EMPTY', 0, false],
  ['MULTIPOLYGON EMPTY', 0, false],
  ['POINT(1 2)', 1, false],
  ['LINESTRING(1 2,3 4)', 1, false],
  ['MULTIPOINT(1 2,3 4)', 1, false],
  ['MULTILINESTRING((1 2,3 4),(5 6,7 8))', 1, false],
  ['CIRCULARSTRING(0 0,1 1,2 0)', 1, false],
  ['MULTICURVE((0 0,5 5),CIRCULARSTRING(4 0,4 4,8 4))', 1, false],
  ['GEOMETRYCOLLECTION(POINT(1 1),MULTIPOINT(1 2,3 4),POLYGON((0 0,4 0,4 4,0 0)),LINESTRING(0 0,1 1))', 3, false],
  ['GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(MULTIPOLYGON(((0 0,4 0,4 4,0 0)))),POLYGON((9 0,9 1,8 1,9 0)))', 0, false],
  ['CURVEPOLYGON((0 0,4 0,4 4,0 0))', 0, false],
  ['MULTISURFACE(CURVEPOLYGON(COMPOUNDCURVE((0 0,4 0),(4 0,4 4,0 0))),((9 0,9 1,8 1,9 0)))', 0, false],
];

const withoutRepeats = (ring: PolygonRings[number]): PolygonRings[number] =>
  ring.filter(([x, y], i) => i === 0 || x !== ring[i - 1]?.[0] || y !== ring[i - 1]?.[1]);

describe.skipIf(!oracle)('well-known binary as PostGIS writes it', () => {
  const postgis = new pg.Client({ connectionString: oracle });
  beforeAll(() => postgis.connect());
  afterAll(() => postgis.end());

  it.each(GEOMETRIES)('%s', async (wkt, left, heights) => {
    const { rows } = await postgis.query<{ forms: Buffer[]; rings: string[] }>(
      `with one as (select st_geomfromtext($1) as geom),
       part as (select path, (dump).geom from one, lateral st_dump(st_curvetoline(geom)) as dump(path, geom))
       select array[st_asbinary(geom, 'NDR'), st_asbinary(geom, 'XDR'), st_asewkb(st_setsrid(geom, 2154), 'NDR'),
                    st_asewkb(geom, 'XDR')] as forms,
              array(select st_asgeojson(st_force2d(part.geom), 15)::jsonb -> 'coordinates' from part
                    where st_dimension(part.geom) = 2 and not st_isempty(part.geom) order by path)::text[] as rings
       from one`,
      [wkt],
    );
    const [{ forms, rings }] = rows as [(typeof rows)[number]];
    expect(forms).toHaveLength(4);
    for (const bytes of forms) {
      const tally: Parameters<typeof readWkb>[1] = { left: 0 };
      const { polygons, end } = readWkb(bytes, tally);
      // The parts of a compound curve repeat the vertex where they meet.
      expect(polygons.map((one) => one.map(withoutRepeats))).toEqual(rings.map((ring) => JSON.parse(ring) as unknown));
      expect({ left: tally.left, heights: tally.heights ?? false, end }).toEqual({ left, heights, end: bytes.length });
      for (const cut of [1, 4, 8, bytes.length >> 1, bytes.length - 1]) {
        expect(() => polygonsOfWkb(bytes.subarray(0, cut), { left: 0 }), `cut at ${cut}`).toThrow(RangeError);
      }
    }
  });

  it.each([
    ['CURVEPOLYGON(CIRCULARSTRING(0 0,4 0,4 4,0 4,0 0))', 'make them straight first'],
    ['TIN(((0 0,4 0,4 4,0 0)))', 'a part of the type 16'],
    ['POLYHEDRALSURFACE(((0 0,4 0,4 4,0 0)))', 'a part of the type 15'],
  ])('%s is refused', async (wkt, reason) => {
    const { rows } = await postgis.query<{ bytes: Buffer }>('select st_asbinary(st_geomfromtext($1)) as bytes', [wkt]);
    expect(() => polygonsOfWkb(rows[0]?.bytes as Buffer, { left: 0 })).toThrow(reason);
  });
});

describe('well-known binary that is made to be large', () => {
  const head = (type: number, count: number): Buffer => {
    const bytes = Buffer.alloc(9);
    bytes[0] = 1;
    bytes.writeUInt32LE(type, 1);
    bytes.writeUInt32LE(count, 5);
    return bytes;
  };
  const of = (...parts: Buffer[]) => polygonsOfWkb(Buffer.concat(parts), { left: 0 });

  it('counts beyond its end are cut off, and take no memory', () => {
    const before = process.memoryUsage().heapUsed;
    for (const type of [2, 3, 4, 6, 7, 10]) expect(() => of(head(type, 2 ** 32 - 1))).toThrow(RangeError);
    const positions = Buffer.alloc(4 + 16);
    positions.writeUInt32LE(2 ** 32 - 1);
    expect(() => of(head(3, 1), positions)).toThrow(RangeError);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50e6);
  });

  it('deep nesting and millions of empty rings are refused', () => {
    expect(() => of(...Array<Buffer>(1_000).fill(head(7, 1)))).toThrow('nested more than 100 deep');
    expect(() => of(...Array<Buffer>(1_000).fill(head(4, 1)))).toThrow('nested more than 100 deep');
    expect(() => of(head(10, 1), ...Array<Buffer>(1_000).fill(head(9, 1)))).toThrow('nested more than 100 deep');
    expect(() => of(head(3, 2_000_000), Buffer.alloc(8_000_000))).toThrow('more than 1000000 rings');
    expect(() => of(head(3, 2_000_000), Buffer.alloc(8_000_000))).toThrow(Unreadable);
  });
});

describe('a table of well-known binary in a plane', () => {
  type Ring = readonly (readonly [number, number])[];
  const hexOf = (ring: Ring): string => {
    const bytes = Buffer.alloc(17 + 16 * ring.length);
    bytes[0] = 1;
    for (const [i, value] of [0x20000003, 2154, 1, ring.length].entries()) bytes.writeUInt32LE(value, 1 + 4 * i);
    for (const [i, value] of ring.flat().entries()) bytes.writeDoubleLE(value, 17 + 8 * i);
    return bytes.toString('hex');
  };
  const table = (ring: Ring): Buffer => {
    const first = hexOf([[650_000, 6_860_000], [650_050, 6_860_000], [650_000, 6_860_050], [650_000, 6_860_000]]); // biome-ignore format: a ring
    return Buffer.from(`id;name;geom\n1;one;${first}\n2;two;${hexOf(ring)}\n`);
  };

  it.each([
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [1e300, '1e+300'],
  ])('a ring with %s is refused with its name and the position', async (x, shown) => {
    const ring = [[650_000, 6_860_000], [x, 6_860_000], [651_000, 6_861_000], [650_000, 6_860_000]] as const; // biome-ignore format: a ring
    await expect(readDocument('csv', table(ring))).rejects.toThrow(
      `two: RGF93 v1 / Lambert-93 has no place at ${shown},6860000`,
    );
  });

  it('a ring of a million vertices is read', async () => {
    const circle = Array.from({ length: 1_000_000 }, (_, i): readonly [number, number] => {
      const angle = (2 * Math.PI * i) / 1_000_000;
      return [650_000 + 50_000 * Math.cos(angle), 6_860_000 + 50_000 * Math.sin(angle)];
    });
    const { features } = await readDocument('csv', table([...circle, circle[0] as (typeof circle)[number]]));
    expect(features.map(({ polygons }) => polygons[0]?.[0]?.length)).toEqual([4, 1_000_001]);
  });
});
