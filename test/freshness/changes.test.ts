import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createFreshness } from '../../src/domain/boundaries/freshness.ts';
import { versionsOf } from '../../src/domain/history/versions.ts';
import { importFile } from '../../src/sources/import.ts';
import { supply } from '../../src/sources/update/supply.ts';
import { expectSoundArrangement } from '../proof/arrangement.ts';
import { openEnvironments, type ProofEnvironment } from '../proof/environment.ts';
import { apply, boundariesOf, differences, openFolder, stateOf } from './change_files.ts';

/**
 * A made map: a country (r1, level 2) of two counties (r2, r3, level 6) of two municipalities each (r11, r12 and r21,
 * r22, level 8), squares in a row, whose borders are ways between the corners:
 *
 *   1---2---3---4---5
 *   |   |   |   |   |
 *   6---7---8---9---10
 */
const STEP = 0.1;
const node = (id: number, x: number, y: number, version = 1) =>
  `<node id="${id}" version="${version}" lat="${y}" lon="${x}"/>`;
const corners = (id: number): [number, number] => (id <= 5 ? [(id - 1) * STEP, 47.1] : [(id - 6) * STEP, 47]);
const way = (id: number, refs: readonly number[], version = 1) =>
  `<way id="${id}" version="${version}">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way>`;
const WAYS: Record<number, readonly number[]> = {
  101: [1, 2],
  102: [2, 3],
  103: [3, 4],
  104: [4, 5],
  111: [6, 7],
  112: [7, 8],
  113: [8, 9],
  114: [9, 10],
  121: [1, 6],
  122: [2, 30, 7],
  123: [3, 31, 8],
  124: [4, 32, 9],
  125: [5, 10],
};
const RELATIONS: Record<number, { level: number; name: string; ways: readonly number[] }> = {
  1: { level: 2, name: 'Land', ways: [101, 102, 103, 104, 125, 114, 113, 112, 111, 121] },
  2: { level: 6, name: 'West', ways: [101, 102, 123, 112, 111, 121] },
  3: { level: 6, name: 'East', ways: [103, 104, 125, 114, 113, 123] },
  11: { level: 8, name: 'Aa', ways: [101, 122, 111, 121] },
  12: { level: 8, name: 'Bb', ways: [102, 123, 112, 122] },
  21: { level: 8, name: 'Cc', ways: [103, 124, 113, 123] },
  22: { level: 8, name: 'Dd', ways: [104, 125, 114, 124] },
};
/** A relation of which only some maps know, with ways of its own. */
const APART = [301, 302, 303];
const relation = (
  id: number,
  { ways, version = 1, tags = {} }: { ways?: readonly number[]; version?: number; tags?: Record<string, string> } = {},
) => {
  const known = RELATIONS[id];
  const all = {
    type: 'boundary',
    boundary: 'administrative',
    admin_level: String(known?.level ?? 8),
    name: known?.name ?? 'New',
    wikidata: `Q${id}`,
    ...tags,
  };
  const members = (ways ?? known?.ways ?? APART).map((ref) => `<member type="way" ref="${ref}" role="outer"/>`);
  const pairs = Object.entries(all).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
  return `<relation id="${id}" version="${version}">${members.join('')}${pairs.join('')}</relation>`;
};
const MIDDLES: Record<number, [number, number]> = { 30: [0.1, 47.05], 31: [0.2, 47.05], 32: [0.3, 47.05] };

/** The map as OSM XML, with other objects beside it or in their place. */
function map(others: { nodes?: string; ways?: Record<number, readonly number[]>; relations?: string } = {}): string {
  const nodes = [
    ...Array.from({ length: 10 }, (_, i) => node(i + 1, ...corners(i + 1))),
    ...Object.entries(MIDDLES).map(([id, at]) => node(Number(id), ...at)),
  ];
  const ways = Object.entries({ ...WAYS, ...others.ways }).map(([id, refs]) => way(Number(id), refs));
  const relations = Object.keys(RELATIONS).map((id) => relation(Number(id)));
  const body = [...nodes, others.nodes ?? '', ...ways, ...relations, others.relations ?? ''].join('\n');
  return `<?xml version="1.0"?><osm version="0.6">${body}</osm>`;
}

const folder = openFolder();
afterAll(() => folder.remove());

let houses: Awaited<ReturnType<typeof openEnvironments>>;
beforeAll(async () => {
  houses = await openEnvironments();
});
afterAll(() => houses?.close());
let server: ProofEnvironment;
beforeEach(async () => {
  server = await houses.open();
  await load(map());
});
afterEach(async () => {
  try {
    await expectSoundArrangement(server);
  } finally {
    await server.close();
  }
});

let files = 0;
async function load(text: string, accept: readonly string[] = []) {
  const path = `${folder.folder}/map${++files}.osm`;
  writeFileSync(path, text);
  return importFile({ db: server.test.db, engine: server.engine }, path, null, { accept });
}

const shown = () => boundariesOf(server.test.db);
const change = (body: string, accept?: readonly string[]) =>
  apply(server, folder.write(body, { packed: true }), accept);

/** What differs after a change. */
async function changed(body: string): Promise<string[]> {
  const before = await shown();
  await change(body);
  return differences(before, await shown());
}

describe('a change of the map', { timeout: 60_000 }, () => {
  it('of a node on a shared border changes both neighbors, what they lie in along it, and nothing else', async () => {
    expect(await changed(`<modify>${node(30, 0.101, 47.05, 2)}</modify>`)).toEqual(['r11', 'r12']);
    expect(await changed(`<modify>${node(31, 0.201, 47.05, 2)}</modify>`)).toEqual(['r12', 'r2', 'r21', 'r3']);
    expect(await changed(`<modify>${node(99, 0.101, 47.05, 2)}</modify>`)).toEqual([]);
  });

  it('of a border alone is in force from its import on, as all that it changes', async () => {
    const { db } = server.test;
    await db.query("update boundary set imported_at = '2020-01-01'");
    await change(`<modify>${node(30, 0.101, 47.05, 2)}${relation(22, { version: 2, tags: { name: 'Dé' } })}</modify>`);
    const now = await db.query<{ id: string }>(
      "select id from boundary where imported_at > now() - interval '1 hour' order by id",
    );
    expect(now.map(({ id }) => id)).toEqual(['r11', 'r12', 'r22']);
    const day = new Date().toISOString().slice(0, 10);
    for (const { id } of now) expect((await versionsOf(db, id)).map((one) => one.valid_from)).toEqual([day]);
    expect((await versionsOf(db, 'r1')).map((one) => one.valid_from)).toEqual(['2020-01-01']);
  });

  it('with times is in force from those of what it changes, and keeps the order of the versions of one object', async () => {
    const { db } = server.test;
    await db.query("update boundary set imported_at = '2020-01-01'");
    const at = (time: string, element: string) => element.replace(/^<(\w+) /, `<$1 timestamp="${time}" `);
    const before = Date.now();
    await change(
      `<modify>${at('2021-03-04T05:06:07Z', node(30, 0.102, 47.05, 3))}` +
        `${at('2021-08-01T00:00:00Z', relation(22, { version: 4, tags: { name: 'Later' } }))}` +
        `${at('2021-07-01T00:00:00Z', relation(22, { version: 3, tags: { name: 'Sooner' } }))}` +
        `${at('2999-01-01T00:00:00Z', relation(21, { version: 2, tags: { name: 'Ahead' } }))}</modify>`,
    );
    const of = async (id: string) => (await versionsOf(db, id)).map((one) => [one.name, one.valid_from]);
    for (const id of ['r11', 'r12']) expect((await of(id)).map(([, from]) => from)).toEqual(['2021-03-04']);
    expect(await of('r22')).toEqual([['Later', '2021-08-01']]);
    expect(await of('r21')).toEqual([['Ahead', new Date().toISOString().slice(0, 10)]]);
    expect((await of('r1')).map(([, from]) => from)).toEqual(['2020-01-01']);
    // When the service learned of it is another time.
    const [version] = await versionsOf(db, 'r22');
    expect(Date.parse(version?.recorded_at ?? '')).toBeGreaterThanOrEqual(before);
    // A change without times counts from its import.
    await change(`<modify>${relation(22, { version: 5, tags: { name: 'Now' } })}</modify>`);
    expect(await of('r22')).toEqual([['Now', new Date().toISOString().slice(0, 10)]]);
  });

  it('lists the lakes and coastlines that it changes and that are not read', async () => {
    const way = (id: number, tags: string, nodes = [1, 2, 3, 1]) =>
      `<way id="${id}" version="9">${nodes.map((ref) => `<nd ref="${ref}"/>`).join('')}${tags}</way>`;
    const tag = (k: string, v: string) => `<tag k="${k}" v="${v}"/>`;
    const lakes = Array.from({ length: 12 }, (_, i) => way(9000 + i, tag('natural', 'water')));
    const { leftOut, relevant } = await change(
      `<modify>${lakes.join('')}${way(9100, tag('natural', 'coastline'), [1, 2])}` +
        `${way(9101, tag('natural', 'water'), [1, 2])}${way(9102, tag('building', 'yes'))}` +
        `<relation id="77" version="1"><member type="way" ref="9101" role="outer"/>${tag('type', 'multipolygon')}` +
        `${tag('water', 'lake')}</relation></modify>`,
    );
    expect(relevant).toBe(0);
    expect(leftOut.coast).toEqual({ count: 1, first: ['w9100'] });
    expect([leftOut.water.count, leftOut.water.first.length, leftOut.water.first[0]]).toEqual([13, 10, 'r77']);
  });

  it('in a file of earlier times does not put earlier what a later one changed, nor what an edition says', async () => {
    const { db } = server.test;
    const at = (time: string, element: string) => element.replace(/^<(\w+) /, `<$1 timestamp="${time}" `);
    const of = async (id: string) =>
      (await versionsOf(db, id)).map((one) => [one.name, one.valid_from, one.valid_to ?? null]);
    await db.query("update boundary set imported_at = '2020-01-01'");
    await change(
      `<modify>${at('2021-08-01T00:00:00Z', relation(22, { version: 2, tags: { name: 'Later' } }))}</modify>`,
    );
    const before = Date.now();
    // Each file has something newer, as files must be in order.
    const other = at('2021-10-01T00:00:00Z', node(99, 0, 0));
    await change(`<modify>${at('2021-06-01T00:00:00Z', node(32, 0.302, 47.05, 2))}${other}</modify>`);
    expect(await of('r22')).toEqual([['Later', '2021-08-01', null]]);
    expect(await of('r21')).toEqual([['Cc', '2021-06-01', null]]);
    // The service learned of this border with the second file.
    const [version] = await versionsOf(db, 'r22');
    expect(Date.parse(version?.recorded_at ?? '')).toBeGreaterThanOrEqual(before);

    const path = `${folder.folder}/edition.osm`;
    writeFileSync(path, map());
    await importFile({ db, engine: server.engine }, path, null, { validFrom: '2022-02-02' });
    await change(
      `<modify>${at('2021-09-01T00:00:00Z', relation(22, { version: 3, tags: { name: 'Earlier' } }))}${other}</modify>` +
        `<create>${at('2021-09-01T00:00:00Z', relation(23, { ways: [103, 124, 113, 123] }))}</create>`,
    );
    // What is stored counts on the day of the edition; the edition ended what was in force before it.
    expect((await of('r22')).at(-1)).toEqual(['Earlier', '2022-02-02', null]);
    expect((await of('r23')).at(-1)).toEqual(['New', '2022-02-02', null]);
    expect((await of('r21')).at(-1)).toEqual(['Cc', '2022-02-02', null]);
  });

  it('that moves a label moves the centroid, and one that moves a corner leaves it at the label', async () => {
    const { db } = server.test;
    const member = (ref: number, role: string) => `<member type="node" ref="${ref}" role="${role}"/>`;
    const labeled = relation(11, { version: 2 }).replace(
      '<member',
      `${member(51, 'admin_center')}${member(50, 'label')}<member`,
    );
    const centroid = async () => {
      const row = only(await db.query<{ lon: number; lat: number }>("select lon, lat from boundary where id = 'r11'"));
      return [row.lon / 1e7, row.lat / 1e7];
    };
    await change(`<create>${node(50, 0.02, 47.03)}${node(51, 0.07, 47.07)}</create><modify>${labeled}</modify>`);
    expect(await centroid()).toEqual([0.02, 47.03]);
    await change(`<modify>${node(50, 0.08, 47.09, 2)}</modify>`);
    expect(await centroid()).toEqual([0.08, 47.09]);
    // Made again of what is stored, the change names no relation.
    await change(`<modify>${node(30, 0.101, 47.05, 2)}</modify>`);
    expect(await centroid()).toEqual([0.08, 47.09]);
    // Outside it says nothing any more.
    await change(`<modify>${node(50, 0.15, 47.05, 3)}</modify>`);
    expect((await centroid())[0]).toBeLessThan(0.1);
  });

  it('taken in twice changes nothing the second time', async () => {
    const body = `<modify>${node(31, 0.201, 47.05, 2)}${relation(12, { version: 2, tags: { name: 'Bbb' } })}</modify>`;
    await change(body);
    const state = await stateOf(server.test.db);
    expect(await changed(body)).toEqual([]);
    expect(await stateOf(server.test.db)).toEqual(state);
  });

  it('that splits a way, and one that joins two, leave shapes as they were', async () => {
    const before = await shown();
    await change(
      `<create>${way(223, [31, 8])}</create><modify>${way(123, [3, 31], 2)}${[2, 3, 12, 21]
        .map((id) => relation(id, { version: 2, ways: [...defined(RELATIONS[id]).ways, 223] }))
        .join('')}</modify>`,
    );
    const split = await shown();
    for (const [id, { geometry, rings }] of before)
      expect(split.get(id)).toMatchObject({ geometry, rings, stale: null });
    await change(
      `<modify>${way(123, [3, 31, 8], 3)}${[2, 3, 12, 21].map((id) => relation(id, { version: 3 })).join('')}</modify>` +
        `<delete><way id="223" version="2"/></delete>`,
    );
    const joined = await shown();
    for (const [id, { geometry, rings }] of before)
      expect(joined.get(id)).toMatchObject({ geometry, rings, stale: null });
    const rows = await server.test.db.query<{ id: number }>('select id from way where id = 223');
    expect(rows).toEqual([]);
  });

  it('that takes a way out of a relation keeps its last good shape, stale with the place, until it is repaired', async () => {
    const before = await shown();
    await change(`<modify>${relation(11, { version: 2, ways: [101, 122, 111] })}</modify>`);
    const { id, stale } = only(await createFreshness(server.test.db).stale());
    expect(id).toBe('r11');
    expect(stale.reason).toBe('open ring');
    expect([stale.lon, [47, 47.1].includes(stale.lat as number)]).toEqual([0, true]);
    expect((await createFreshness(server.test.db).staleByReason()).open).toBe(1);
    expect((await shown()).get('r11')).toMatchObject({ geometry: before.get('r11')?.geometry, has_geometry: true });

    await change(`<modify>${relation(11, { version: 3, ways: [101, 122, 111], tags: { name: 'Aaa' } })}</modify>`);
    expect((await shown()).get('r11')?.stale?.since).toBe(stale.since);
    await change(`<modify>${relation(11, { version: 4 })}</modify>`);
    expect((await shown()).get('r11')).toMatchObject({ geometry: before.get('r11')?.geometry, stale: null });
  });

  it('that takes a way out which no other relation has is repaired by the relation alone', async () => {
    const nodes = [node(51, 1, 47), node(52, 1.1, 47), node(53, 1, 47.1)].join('');
    const ways = { 301: [51, 52], 302: [52, 53], 303: [53, 51] };
    await load(map({ nodes, ways, relations: relation(31, { ways: [301, 302, 303] }) }));
    const before = (await shown()).get('r31');
    expect(before?.has_geometry).toBe(true);
    await change(`<modify>${relation(31, { version: 2, ways: [301, 302] })}</modify>`);
    expect((await shown()).get('r31')).toMatchObject({ geometry: before?.geometry, stale: { reason: 'open ring' } });
    await change(`<modify>${relation(31, { version: 3, ways: [301, 302, 303] })}</modify>`);
    expect((await shown()).get('r31')).toMatchObject({ geometry: before?.geometry, stale: null });

    // What is good without a way needs it no more.
    const replaced = relation(31, { version: 4, ways: [301, 302, 304] });
    await change(`<create>${way(304, [53, 51])}</create><modify>${replaced}</modify>`);
    expect((await shown()).get('r31')?.stale).toBeNull();
    const rows = await server.test.db.query('select id from way where id in (303, 304)');
    expect(rows).toEqual([{ id: 304 }]);
  });

  it('that deletes a way leaves what it bordered stale', async () => {
    await change(`<delete><way id="124" version="2"/></delete>`);
    const after = await shown();
    for (const id of ['r21', 'r22']) expect(after.get(id)?.stale?.reason).toBe('missing way 124');
    expect(after.get('r3')?.stale).toBeNull();
    await change(`<modify>${way(124, [4, 32, 9], 1)}</modify>`);
    expect((await shown()).get('r21')?.stale?.reason).toBe('missing way 124');
  });

  it('that needs objects which were never stored waits for them, and a file supplies them', async () => {
    await change(
      `<modify>${way(124, [4, 77, 9], 2)}${relation(11, { version: 2, ways: [101, 122, 111, 321] })}</modify>`,
    );
    const stale = await shown();
    for (const id of ['r21', 'r22']) expect(stale.get(id)?.stale?.reason).toBe('way 124: missing node 77');
    expect(stale.get('r11')?.stale?.reason).toBe('missing way 321');
    // Its other nodes are known all the same, and go on moving.
    await change(`<modify>${node(4, 0.3, 47.101, 2)}</modify>`);

    const path = `${folder.folder}/supply.osm`;
    const newer = relation(11, { version: 2, ways: [101, 122, 111, 321] });
    const ways = { 124: [4, 77, 9], 321: [1, 6] };
    writeFileSync(path, map({ nodes: node(77, 0.3, 47.05), ways }).replace(relation(11), newer));
    const summary = await supply({ db: server.test.db, engine: server.engine }, path);
    expect(summary.supplied).toEqual(['r11', 'r21', 'r22']);
    const after = await shown();
    for (const [, { stale: why }] of after) expect(why).toBeNull();
    const { y } = only(
      await server.test.db.query<{ y: number }>(
        `select st_ymax(geom) as y from boundary_shape where boundary_id = 'r22'`,
      ),
    );
    expect(y).toBe(47.101);
  });

  it('that makes an area less than half or more than double of what it was is kept back until something lifts it', async () => {
    const before = await shown();
    const grown = [101, 102, 103, 124, 113, 112, 111, 121];
    await change(`<modify>${relation(11, { version: 2, ways: grown })}</modify>`);
    const kept = (await shown()).get('r11');
    expect(kept).toMatchObject({ geometry: before.get('r11')?.geometry });
    expect(kept?.stale?.reason).toMatch(/^area [\d.]+ km² after [\d.]+ km²$/);

    await change(`<modify>${relation(11, { version: 3, ways: grown })}</modify>`, ['r11']);
    expect((await shown()).get('r11')?.stale).toBeNull();
    await change(`<modify>${relation(11, { version: 4 })}</modify>`);
    expect((await shown()).get('r11')?.stale?.reason).toMatch(/^area /);
    await change(`<modify>${relation(11, { version: 5, tags: { admin_level: '7' } })}</modify>`);
    expect((await shown()).get('r11')).toMatchObject({ geometry: before.get('r11')?.geometry, stale: null });

    await change(`<modify>${relation(11, { version: 6, ways: grown, tags: { type: 'multipolygon' } })}</modify>`);
    expect((await shown()).get('r11')?.stale?.reason).toBeUndefined();
    const postal = { boundary: 'postal_code', postal_code: '1' };
    await change(`<modify>${relation(11, { version: 7, tags: postal })}</modify>`);
    expect((await shown()).get('r11')?.stale).toBeNull();
  });

  it('is kept back on import too, and an import of the same file accepts it', async () => {
    const grown = relation(11, { version: 2, ways: [101, 102, 103, 124, 113, 112, 111, 121] });
    const text = map().replace(relation(11), grown);
    await load(text);
    expect((await shown()).get('r11')?.stale?.reason).toMatch(/^area /);
    await load(text, ['r11']);
    expect((await shown()).get('r11')?.stale).toBeNull();
  });

  it('that deletes a relation leaves a tombstone, and an older state of it does not come back', async () => {
    const without = await changed(`<delete><relation id="22" version="2"/></delete>`);
    expect(without).toEqual(['r22']);
    const gone = () => server.test.db.query('select id, reason, replaced_by from boundary_gone order by id');
    expect(await gone()).toEqual([{ id: 'r22', reason: 'deleted', replaced_by: null }]);
    await expect(createBoundaries(server.test.db).get('r22')).rejects.toThrow(
      /No boundary r22\. r22 \(Dd\) was deleted from the map/,
    );
    await change(`<modify>${relation(22, { version: 1 })}</modify>`);
    await load(map());
    expect((await shown()).has('r22')).toBe(false);

    await change(`<modify>${relation(11, { version: 2, tags: { boundary: 'historic' } })}</modify>`);
    expect(await gone()).toEqual([
      { id: 'r11', reason: 'retagged', replaced_by: null },
      { id: 'r22', reason: 'deleted', replaced_by: null },
    ]);
    await change(`<modify>${relation(11, { version: 3 })}</modify>`);
    expect((await gone()).length).toBe(1);
    expect((await shown()).get('r11')?.has_geometry).toBe(true);
  });

  it.each([
    ['deletes a relation', `<delete><relation id="31" version="2"/></delete>`],
    [
      'makes a relation another thing',
      `<modify>${relation(31, { version: 2, tags: { boundary: 'historic' } })}</modify>`,
    ],
  ])('that %s is undone without the ways that it alone had', async (_how, mistake) => {
    const nodes = [node(51, 1, 47), node(52, 1.1, 47), node(53, 1, 47.1)].join('');
    const ways = { 301: [51, 52], 302: [52, 53], 303: [53, 51] };
    await load(map({ nodes, ways, relations: relation(31) }));
    const before = (await shown()).get('r31');
    await change(mistake);
    expect((await shown()).has('r31')).toBe(false);
    await change(`<modify>${node(53, 1, 47.12, 2)}</modify>`);
    await change(`<modify>${relation(31, { version: 3 })}</modify>`);
    const after = (await shown()).get('r31');
    expect(after).toMatchObject({ has_geometry: true, stale: null });
    expect(after?.geometry).not.toEqual(before?.geometry);
    await change(`<modify>${node(53, 1, 47.1, 3)}</modify>`);
    expect((await shown()).get('r31')).toMatchObject({ geometry: before?.geometry, stale: null });
  });

  it.each([
    ['in one file', false],
    ['first deleted, then made again', true],
  ])('that replaces a relation by another names it: %s', async (_how, apart) => {
    const made = `<create>${relation(500, { ways: defined(RELATIONS[22]).ways, tags: { name: 'Dd', wikidata: 'Q22' } })}</create>`;
    const deleted = `<delete><relation id="22" version="2"/></delete>`;
    if (apart) {
      await change(deleted);
      await change(made);
    } else await change(made + deleted);
    const [tomb] = await server.test.db.query(`select replaced_by from boundary_gone where id = 'r22'`);
    expect(tomb).toEqual({ replaced_by: 'r500' });
    const { id, boundary } = await createBoundaries(server.test.db).get('r22');
    expect(id).toBe('r500');
    expect(boundary.parents.map((parent) => parent.id)).toEqual(['r1', 'r3']);
  });

  it('that is older than one taken in before is refused', async () => {
    const at = (id: number, x: number, time: string) =>
      `<modify>${node(id, x, 47.05, 2).replace(' lat', ` timestamp="${time}" lat`)}</modify>`;
    await change(at(30, 0.101, '2024-03-02T00:00:00Z'));
    const before = await shown();
    await expect(change(at(30, 0.1, '2024-03-01T00:00:00Z'))).rejects.toThrow('apply changes in order');
    expect(differences(before, await shown())).toEqual([]);
  });
});
