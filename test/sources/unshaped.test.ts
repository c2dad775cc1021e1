import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Queryable } from '../../src/db/connect.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { apply, openFolder } from '../freshness/change_files.ts';
import { dataDir, openEnvironment, openEnvironments, type ProofEnvironment } from '../proof/environment.ts';
import { MADE_SOURCE, madeBoundary, rectangle } from '../proof/made.ts';
import { leading } from '../setup/elements.ts';

interface Row {
  readonly country: string | null;
  readonly kind: string;
  readonly basis: string | null;
  readonly parents: readonly string[];
}

/** What is known of boundaries without a polygon, by id. */
async function unshaped(db: Queryable): Promise<Record<string, Row>> {
  const rows = await db.query<Row & { id: string }>(
    `select b.id, b.country, b.kind, t.basis,
            array(select p.parent from boundary_parent p where p.child = b.id order by p.position) as parents
     from boundary b left join unshaped t on t.boundary_id = b.id
     where not b.has_geometry order by b.id`,
  );
  return Object.fromEntries(rows.map(({ id, ...row }) => [id, row]));
}

describe.skipIf(!dataDir)('boundaries that an extract cuts (REAL_DATA_DIR)', { timeout: 300_000 }, () => {
  let server: ProofEnvironment | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });
  const imported = async (name: string) => {
    server = await openEnvironment(join('osm', `${name}.boundaries.osm.pbf`));
    return unshaped(server.test.db);
  };

  it('Bezirk Bludenz is a district of Vorarlberg in Austria', async () => {
    const found = await imported('liechtenstein-2024');
    expect(found.r74804).toEqual({ country: 'AT', kind: 'district', basis: 'neighbor', parents: ['r16239', 'r74942'] });
    // Of Vorarlberg no way is without the border of Austria, whose subarea it is.
    expect(found.r74942).toEqual({ country: 'AT', kind: 'state', basis: 'code', parents: ['r16239'] });
    // All that the file has of Feldkirch is the border with Liechtenstein, which its neighbors across are in.
    expect(found.r75155).toMatchObject({ country: 'AT', basis: 'neighbor', parents: ['r16239', 'r74942', 'r75152'] });
    // The same of a postcode area, which has no such neighbors: not known.
    expect(found.r7878753).toMatchObject({ country: null, parents: [] });
    const { db } = (server as ProofEnvironment).test;
    const search = (country: string) =>
      searchBoundaries({ db, boundaries: createBoundaries(db) }, { q: 'Bezirk Bludenz', country: [country], limit: 5 });
    const [first] = await search('AT');
    expect(first).toMatchObject({ id: 'r74804', parents: [{ name: 'Österreich' }, { name: 'Vorarlberg' }] });
    expect((await search('CH')).map(({ id }) => id)).not.toContain('r74804');
    const none = Object.keys(found).filter((id) => defined(found[id]).country === null);
    expect([Object.keys(found).length, none]).toEqual([28, ['r7878753']]);
  });

  it('合肥市 is a city of Anhui in China, by the relations that name it', async () => {
    const found = await imported('anhui-cn-2017');
    expect(found.r3288965).toEqual({ country: 'CN', kind: 'city', basis: 'member', parents: ['r270056', 'r913011'] });
    expect(Object.values(found).map(({ country }) => country)).toEqual(Array(64).fill('CN'));
  });

  it('the communes around Monaco are in France, though coarse shapes of Monaco reach into them', async () => {
    server = await openEnvironment();
    const { db } = server.test;
    const coarse = { ...MADE_SOURCE, id: 'coarse', seed: true };
    const shape = (name: string, code: string, ring: readonly (readonly [number, number])[]) => ({
      ...madeBoundary(name, [ring], 2),
      country: null,
      countryCode: code,
      iso: code,
    });
    await storeBoundaries(
      { db, engine: server.engine },
      {
        source: coarse,
        file: 'made',
        boundaries: [
          shape('coarse Monaco', 'MC', rectangle(73_900_000, 437_150_000, 74_550_000, 437_600_000)),
          shape('coarse France', 'FR', rectangle(60_000_000, 437_600_000, 75_000_000, 450_000_000)),
        ],
      },
    );
    await importFile(
      { db, engine: server.engine },
      join(dataDir as string, 'osm/monaco-2023.boundaries.osm.pbf'),
      null,
    );
    const found = await unshaped(db);
    const above = ['r2202162', 'r1403916', 'r8654', 'r7385', 'r1670977'];
    for (const id of ['r174558', 'r174562', 'r174956', 'r174958']) {
      expect(found[id], id).toMatchObject({ country: 'FR', kind: 'municipality', parents: above });
    }
    // Of the two outlines with the code of Monaco, the one of the map.
    expect(found.r2220322).toMatchObject({ country: 'MC', basis: 'member', parents: ['r1124039'] });
    expect(found.r10561404).toMatchObject({ country: null, parents: [] });
  });

  it('those around Luxembourg are in the countries that their national codes say', async () => {
    const found = await imported('luxembourg-2018-boundaries');
    const rows = await (server as ProofEnvironment).test.db.query<{ id: string; says: string | null }>(
      `select id, case when tags ? 'de:regionalschluessel' then 'DE' when tags ? 'ref:INSEE' then 'FR'
                       when tags ? 'ref:INS' then 'BE' end as says
       from boundary where not has_geometry`,
    );
    const wrong = rows.filter(({ id, says }) => says !== null && defined(found[id]).country !== says);
    expect([rows.length, rows.filter(({ says }) => says !== null).length, wrong]).toEqual([94, 77, []]);
    expect(Object.values(found).filter(({ country }) => country === null)).toEqual([]);
    expect(defined(found.r1692474).parents).toEqual(['r2202162', 'r1403916', 'r3792876', 'r51856']);
  });
});

/**
 * A land (r1, level 4) around Innsbruck, and in it a municipality (r2) that lacks a way:
 *
 *   1-------2
 *   | 5---6 |
 *   | |   : |
 *   | 8---7 |
 *   4-------3
 */
describe('a boundary that lacks a way', { timeout: 300_000 }, () => {
  const places = [
    [11.2, 47.4],
    [11.6, 47.4],
    [11.6, 47.1],
    [11.2, 47.1],
    [11.35, 47.3],
    [11.45, 47.3],
    [11.45, 47.2],
    [11.35, 47.2],
  ];
  const nodes = places.map(([lon, lat], i) => `<node id="${i + 1}" version="1" lat="${lat}" lon="${lon}"/>`).join('');
  const way = (id: number, ...refs: number[]) =>
    `<way id="${id}" version="1">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`;
  const relation = (id: number, level: number, ways: readonly number[], version = 1) =>
    `<relation id="${id}" version="${version}">${ways.map((ref) => `<member type="way" ref="${ref}" role="outer"/>`).join('')}
       <tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="${level}"/>
       <tag k="name" v="B${id}"/></relation>`;
  const LAND = [way(101, 1, 2, 3, 4, 1), relation(1, 4, [101])];
  const PLACE = [way(102, 7, 8, 5, 6), relation(2, 8, [102, 103])];

  let houses: Awaited<ReturnType<typeof openEnvironments>>;
  let server: ProofEnvironment;
  let files: ReturnType<typeof openFolder>;
  beforeAll(async () => {
    houses = await openEnvironments();
  });
  afterAll(() => houses.close());
  beforeEach(async () => {
    files = openFolder();
    server = await houses.open();
  });
  afterEach(async () => {
    files.remove();
    await server.close();
  });
  const load = (elements: readonly string[]) => {
    const ofKind = (kind: string) => elements.filter((one) => one.startsWith(`<${kind}`)).join('');
    const path = join(files.folder, 'map.osm');
    writeFileSync(path, `<osm version="0.6">${nodes}${ofKind('way')}${ofKind('relation')}</osm>`);
    return importFile({ db: server.test.db, engine: server.engine }, path, null);
  };
  const alone = { country: 'AT', kind: 'municipality', basis: 'points', parents: [] };
  const inLand = { ...alone, basis: 'polygons', parents: ['r1'] };

  it.each([
    ['with it', [[...LAND, ...PLACE]]],
    ['before it', [LAND, PLACE]],
    ['after it', [PLACE, LAND]],
  ])('lies in the polygon that comes %s', async (_, imports) => {
    for (const elements of imports) await load(elements);
    expect(await unshaped(server.test.db)).toEqual({ r2: inLand });
  });

  it('is found again when an update makes, moves or deletes what it lies in, or gives it its way', async () => {
    const { db } = server.test;
    await load(PLACE);
    expect(await unshaped(db)).toEqual({ r2: alone });
    await apply(server, files.write(`<create>${nodes}${LAND.join('')}</create>`));
    expect(await unshaped(db)).toEqual({ r2: inLand });
    // Its corners go east, so that it lies beside the land.
    const moved = [5, 6, 7, 8].map((id) => {
      const [lon, lat] = leading(defined(places[id - 1]), 2);
      return `<node id="${id}" version="2" lat="${lat}" lon="${lon + 0.3}"/>`;
    });
    await apply(server, files.write(`<modify>${moved.join('')}</modify>`));
    expect(await unshaped(db)).toEqual({ r2: alone });
    const back = moved.map(
      (_, i) =>
        `<node id="${i + 5}" version="3" lat="${defined(places[i + 4])[1]}" lon="${defined(places[i + 4])[0]}"/>`,
    );
    await apply(server, files.write(`<modify>${back.join('')}</modify>`));
    expect(await unshaped(db)).toEqual({ r2: inLand });
    await apply(server, files.write('<delete><relation id="1" version="2"/></delete>'));
    expect(await unshaped(db)).toEqual({ r2: alone });
    await apply(
      server,
      files.write(`<create>${way(103, 6, 7)}</create><modify>${relation(2, 8, [102, 103], 2)}</modify>`),
    );
    expect(await unshaped(db)).toEqual({});
    expect(await db.query('select boundary_id from unshaped')).toEqual([]);
  });

  it('imported again writes nothing of it', async () => {
    await load([...LAND, ...PLACE]);
    const written = () =>
      server.test.db.query(
        `select id, xmin::text from boundary union all select boundary_id, xmin::text from unshaped
         union all select child || ' in ' || parent, xmin::text from boundary_parent order by 1, 2`,
      );
    const before = await written();
    expect(before).toHaveLength(4);
    await load([...LAND, ...PLACE]);
    expect(await written()).toEqual(before);
  });
});
