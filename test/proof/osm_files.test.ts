import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type OsmExtract, readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { drawn } from './rounds.ts';

const dir = process.env.REAL_DATA_DIR ?? '';
const noOsmium = spawnSync('osmium', ['--version']).status !== 0;
const osm = (name: string) => join(dir, 'osm', name);
const overpass = (name: string) => join(dir, 'overpass', name);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Equality of extracts as text: a deep comparison of large typed arrays by the test runner takes minutes. */
const comparable = ({ relations, ways, nodes }: OsmExtract) =>
  JSON.stringify({
    relations,
    ways: [...ways.values()].map((way) => ({ ...way, refs: way.refs?.join(), coords: way.coords?.join() })),
    nodes: [...nodes.values()],
  });

/** The coordinates of a way, or null. */
const coordsOf = (extract: OsmExtract, id: number) => extract.ways.get(id)?.coords?.join() ?? null;

describe.skipIf(dir === '')('real OSM files (REAL_DATA_DIR)', () => {
  // All boundary relations as listed with the data; of these, `lines` are of type multilinestring, which is not an area.
  test.each([
    ['liechtenstein-2024.osm.pbf', 45, 3],
    ['liechtenstein-2024.boundaries.osm.pbf', 45, 3],
    ['liechtenstein-2013.boundaries.osm.pbf', 39, 3],
    ['monaco-2023.osm.pbf', 24, 1],
    ['monaco-2023.boundaries.osm.pbf', 24, 1],
    ['north-bayreuth-2014.osm.gz', 22, 0],
    ['north-bayreuth-2014.boundaries.osm.pbf', 22, 0],
    ['anhui-cn-2017.boundaries.osm.pbf', 129, 0],
    ['gatineau-2019.boundaries.osm.pbf', 1, 0],
    ['luxembourg-2018-boundaries.boundaries.osm.pbf', 299, 4],
    ['malta-2018.boundaries.osm.pbf', 73, 0],
    ['mimirsbrunn-fixture.boundaries.osm.pbf', 10, 0],
    ['nominatim-apidb-2021.boundaries.osm.pbf', 54, 3],
  ])('%s holds %i boundary relations, %i of them lines', async (name, all, lines) => {
    const extract = await readOsmFile(osm(name));
    expect(extract.relations).toHaveLength(all - lines);
    for (const way of extract.ways.values()) {
      expect(way.coords?.length).toBe(2 * (way.refs?.length ?? -1));
      expect(way.missing).toBeNull();
    }
    const { boundaries, skipped } = toSourceBoundaries(extract);
    expect(boundaries.filter(({ id }) => id?.startsWith('r')).length + skipped.length).toBeGreaterThanOrEqual(
      all - lines,
    );
    expect(boundaries.every(({ name }) => name !== '')).toBe(true);
    expect(new Set(boundaries.map(({ id }) => id)).size).toBe(boundaries.length);
  });

  test('the full extract and the one filtered to boundaries hold the same boundaries', async () => {
    for (const name of ['liechtenstein-2024', 'monaco-2023']) {
      const [full, filtered] = await Promise.all([
        readOsmFile(osm(`${name}.osm.pbf`)),
        readOsmFile(osm(`${name}.boundaries.osm.pbf`)),
      ]);
      expect(full.relations).toEqual(filtered.relations);
      expect([...full.nodes]).toEqual([...filtered.nodes]);
      for (const id of filtered.ways.keys()) expect(coordsOf(full, id)).toBe(coordsOf(filtered, id));
    }
  });

  test('gzipped XML and its filtered PBF hold the same', async () => {
    const xml = await readOsmFile(osm('north-bayreuth-2014.osm.gz'));
    expect(comparable(xml)).toBe(comparable(await readOsmFile(osm('north-bayreuth-2014.boundaries.osm.pbf'))));
    expect(xml.read).toMatchObject({ nodes: 58_631, ways: 7801, relations: 179 });
    expect(xml.timestamp).toBe('2014-11-05T10:47:02Z');
  });

  test('Liechtenstein as its boundaries tell it', async () => {
    const extract = await readOsmFile(osm('liechtenstein-2024.osm.pbf'));
    expect(extract.timestamp).toBe('2024-03-04T21:21:35Z');
    expect(extract.read).toEqual({ nodes: 318_592, ways: 34_073, relations: 921, bytes: 2_922_403 });
    const { boundaries } = toSourceBoundaries(extract);
    const country = boundaries.find(({ id }) => id === 'r1155955');
    expect(country).toMatchObject({
      name: 'Liechtenstein',
      adminLevel: 2,
      countryCode: 'LI',
      iso: 'LI',
      wikidata: 'Q347',
    });
    expect(country?.names).toMatchObject({ en: 'Liechtenstein', fr: 'Liechtenstein' });
    expect(country?.codes).toContain('LIE');
    const vaduz = boundaries.find(({ id }) => id === 'r1155956');
    expect(vaduz).toMatchObject({ name: 'Vaduz', adminLevel: 8, countryCode: null, iso: 'LI-11', wikidata: 'Q1844' });
    expect(vaduz?.border).toMatchObject({ ways: expect.arrayContaining([75_393_762]) });
  });

  describe.skipIf(noOsmium)('against osmium', () => {
    const files = [
      'liechtenstein-2024.osm.pbf',
      'luxembourg-2018-boundaries.boundaries.osm.pbf',
      'anhui-cn-2017.boundaries.osm.pbf',
    ];
    test.each(drawn(files))('%s: every encoding that osmium writes reads the same', async (name) => {
      const own = await readOsmFile(osm(name));
      const expected = comparable(own);
      for (const [suffix, ...options] of [
        // Compressed XML is the same text: a small file proves the plain one.
        ...(name.startsWith('anhui') ? [['osm']] : []),
        ['osm.gz'],
        ['a.osm.pbf', '-f', 'pbf,pbf_dense_nodes=false'],
        ['b.osm.pbf', '-f', 'pbf,pbf_compression=none'],
        ['c.osm.pbf', '-f', 'pbf,add_metadata=version'],
      ]) {
        const path = join(folder, `${name}.${suffix}`);
        execFileSync('osmium', ['cat', '-O', '--no-progress', osm(name), '-o', path, ...options]);
        const other = await readOsmFile(path);
        expect(comparable(other), suffix).toBe(expected);
        expect({ ...other.read, bytes: 0 }).toEqual({ ...own.read, bytes: 0 });
      }
    });

    test('places on ways need no nodes', async () => {
      const path = join(folder, 'locations.osm.pbf');
      execFileSync('osmium', [
        'add-locations-to-ways',
        '-O',
        '--no-progress',
        osm('luxembourg-2018-boundaries.boundaries.osm.pbf'),
        '-o',
        path,
      ]);
      const own = await readOsmFile(osm('luxembourg-2018-boundaries.boundaries.osm.pbf'));
      const located = await readOsmFile(path);
      expect(located.read.nodes).toBeLessThan(own.read.nodes / 10);
      expect(comparable(located)).toBe(comparable(own));
    });

    test('a history file is refused', async () => {
      const path = join(folder, 'history.osh.pbf');
      execFileSync('osmium', [
        'cat',
        '-O',
        '--no-progress',
        osm('gatineau-2019.boundaries.osm.pbf'),
        '-o',
        path,
        '-f',
        'osh.pbf',
      ]);
      await expect(readOsmFile(path)).rejects.toThrow('history');
    });
  });
});

describe.skipIf(dir === '')('recorded Overpass answers (REAL_DATA_DIR)', () => {
  const body = (name: string) => readOsmFile(overpass(`recorded/${name}.body`));

  // The XML of Tokyo was taken on 2018-12-26, the JSON on 2019-01-19; three of its ways were edited in between.
  test.each([
    ['tokyodo', 255, [130_770_864, 200_164_557, 343_839_086]],
    ['zhucheng', 8, []],
  ])('%s: JSON and XML give the same ways and coordinates', async (name, ways, edited) => {
    const json = await readOsmFile(overpass(`${name}.json`));
    const xml = await readOsmFile(overpass(`${name}.osm`));
    expect(json.ways.size).toBe(ways);
    expect([...xml.ways.keys()]).toEqual([...json.ways.keys()]);
    const differ = [...json.ways.keys()].filter((id) => coordsOf(json, id) !== coordsOf(xml, id));
    expect(differ).toEqual(edited);
    for (const id of edited) expect(xml.ways.get(id)?.coords).not.toBeNull();
    expect([...xml.nodes.values()]).toEqual([...json.nodes.values()]);
  });

  test('herne and baarle-nassau: out geom with roles and labels', async () => {
    const baarle = await readOsmFile(overpass('baarle-nassau.json'));
    expect(defined(baarle.relations[0]).members.filter(({ role }) => role === 'inner')).toHaveLength(25);
    expect(
      [...baarle.ways.values()].every(({ refs, version, coords }) => refs === null && version === 0 && coords),
    ).toBe(true);
    const herne = await readOsmFile(overpass('herne.json'));
    expect(toSourceBoundaries(herne).boundaries[0]).toMatchObject({ id: 'r62396', name: 'Herne', adminLevel: 6 });
  });

  test('the shapes of one relation agree with each other and with the PBF it came from', async () => {
    const pbf = await readOsmFile(osm('liechtenstein-2024.osm.pbf'));
    const geometry = await body('liechtenstein-out-geom');
    const nodes = await body('liechtenstein-full-nodes');
    const vaduz = await body('vaduz-geometry');
    expect(geometry.ways.size).toBe(38);
    expect(vaduz.ways.size).toBe(23);
    for (const answer of [geometry, nodes, vaduz]) {
      expect(defined(answer.relations[0]).members).toEqual(
        pbf.relations.find(({ id }) => id === defined(answer.relations[0]).id)?.members,
      );
      for (const id of answer.ways.keys()) expect(coordsOf(answer, id)).toBe(coordsOf(pbf, id));
    }
    expect([...nodes.ways.values()].map(({ refs }) => refs?.join())).toEqual(
      [...nodes.ways.keys()].map((id) => pbf.ways.get(id)?.refs?.join()),
    );
  });

  test('a relation whose ways the server lacks: they are absent', async () => {
    const broken = await body('broken-relation');
    const ways = defined(broken.relations[0]).members.filter(({ type }) => type === 'w');
    expect(ways.some(({ ref }) => !broken.ways.has(ref))).toBe(true);
    expect(broken.ways.has(553_129_589)).toBe(false);
    expect(broken.ways.get(553_129_588)?.coords).not.toBeNull();
  });

  test('answers with tags and boxes only have no geometry', async () => {
    const cantons = await body('luxembourg-children-map-to-area');
    expect(cantons.relations).toHaveLength(13);
    expect(cantons.ways.size).toBe(0);
    expect(cantons.relations.every(({ members }) => members.length === 0)).toBe(true);
    expect((await body('vaduz-is-in')).relations).toHaveLength(3);
    expect((await body('missing-relation')).relations).toEqual([]);
  });

  test('what the server did not finish or did not understand is an error in its words', async () => {
    await expect(body('out-of-memory')).rejects.toThrow(
      'runtime error: Query ran out of memory in "recurse" at line 1.',
    );
    await expect(body('syntax-error')).rejects.toThrow("line 1: parse error: ')' expected - ';' found.");
  });
});
