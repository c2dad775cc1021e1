import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import { PART_SIZE, type PartSize } from '../../src/sources/osm/parts.ts';
import { type OsmExtract, readOsmFile } from '../../src/sources/osm/read.ts';
import type { OsmNode } from '../../workers/osm/elements.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { pbf, type Way } from '../sources/osm_pbf_writer.ts';

const data = process.env.REAL_DATA_DIR;
const file = () => join(data as string, 'osm/liechtenstein-2024.boundaries.osm.pbf');
/** Some ten of its 45 boundaries and closed ways are a part. */
const SMALL: PartSize = { bytes: 200_000, nodes: 2_000 };

let open: TestDatabase | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function imported(
  test: TestDatabase,
  size: PartSize,
  progress?: (message: string) => void,
  path: string = file(),
) {
  const engine = new Engine(test.db, {
    threads: 2,
    arcBytes: 2 ** 26,
    cache: createCache(2 ** 20),
    maxResponseBytes: 2 ** 20,
  });
  try {
    return await importFile({ db: test.db, engine }, path, null, { progress, partSize: size });
  } finally {
    await engine.close();
  }
}

/** All that an import leaves, without the numbers and times that differ from run to run. */
async function stored({ db }: TestDatabase) {
  const boundaries = await db.query(
    `select b.id, b.name, b.kind, b.country, b.admin_level, b.meta_hash, b.has_geometry,
            encode(b.geometry_hash, 'hex') as geometry, round(b.area_km2::numeric, 6) as area, b.stale, b.broken, b.lat, b.lon,
            array(select p.parent || ' ' || round(p.share::numeric, 4) from boundary_parent p where p.child = b.id order by p.position) as parents,
            array(select n.type || ' ' || n.folded from boundary_name n where n.boundary_id = b.id order by n.type, n.folded) as names
     from boundary b order by b.id`,
  );
  const arcs = await db.query(`select encode(hash, 'hex') as hash from arc order by hash`);
  const ways = await db.query(
    `select id, version, tags, node_refs, encode(coords, 'hex') as coords, missing_node from way order by id`,
  );
  const relations = await db.query(`select * from osm_relation order by id`);
  const { nodes } = only(await db.query(`select count(*)::integer as nodes from osm_node`));
  return { boundaries, arcs, ways, relations, nodes };
}

/** A file that says the same, but that every 37th node was moved by a meter or three, and so its ways are of a later version. */
function moved({ relations, ways, nodes }: OsmExtract): Buffer {
  const dense = new Map<number, OsmNode>([...nodes].map(([id, node]) => [id, node]));
  const isMoved = (id: number) => id % 37 === 0;
  const list = [...ways.values()].map((way): Way => {
    const refs = [...(way.refs ?? [])];
    refs.forEach((id, k) => {
      if (way.coords === null) return;
      const [x, y] = leading(way.coords.subarray(2 * k), 2);
      dense.set(id, { id, version: 1, tags: nodes.get(id)?.tags ?? {}, x: x + (isMoved(id) ? 300 : 0), y });
    });
    return { id: way.id, version: way.version + Number(refs.some(isMoved)), tags: way.tags, refs };
  });
  const sorted = [...dense.values()].sort((a, b) => a.id - b.id);
  return pbf([{ dense: sorted }, { ways: list }, { relations }], ['Sort.Type_then_ID']);
}

async function wholeOf(): Promise<Awaited<ReturnType<typeof stored>>> {
  const test = await testDatabase();
  try {
    await imported(test, PART_SIZE);
    return await stored(test);
  } finally {
    await test.close();
  }
}

describe.skipIf(!data)('an import of a file in parts (needs REAL_DATA_DIR)', () => {
  it('stores what an import in one piece stores, as one run, and again changes nothing', async () => {
    const whole = await wholeOf();
    const test = await testDatabase();
    open = test;
    const steps: string[] = [];
    const first = await imported(test, SMALL, (step) => steps.push(step));
    expect(steps.filter((step) => step.startsWith('part ')).length).toBeGreaterThan(4);
    expect(first).toMatchObject({ added: whole.boundaries.length, replaced: 0, older: 0 });
    expect(await stored(test)).toEqual(whole);
    const again = await imported(test, SMALL);
    expect(again).toMatchObject({ added: 0, replaced: 0, reassembled: 0, unchanged: again.read });
    expect(await stored(test)).toEqual(whole);
    const { runs } = only(
      await test.db.query('select count(*)::integer as runs from import_run where finished_at is not null'),
    );
    expect(runs).toBe(2);
  }, 120_000);

  it('puts every boundary at its label or around its seat, whatever part that comes with', async () => {
    const path = join(data as string, 'osm/malta-2018.boundaries.osm.pbf');
    const states: { id: string; lat: number; lon: number }[][] = [];
    for (const size of [PART_SIZE, SMALL]) {
      const test = await testDatabase();
      try {
        const steps: string[] = [];
        await imported(test, size, (step) => steps.push(step), path);
        expect(steps.some((step) => step.startsWith('part 4/'))).toBe(size === SMALL);
        states.push(await test.db.query('select id, lat, lon from boundary where has_geometry order by id'));
      } finally {
        await test.close();
      }
    }
    expect(states[1]).toEqual(states[0]);
    const { nodes, relations } = await readOsmFile(path);
    const labels = relations.flatMap(({ id, members }) => {
      const label = members.find(({ role }) => role === 'label');
      const node = label && nodes.get(label.ref);
      return node ? [{ id: `r${id}`, lat: node.y, lon: node.x }] : [];
    });
    const at = new Set(defined(states[1]).map((row) => JSON.stringify(row)));
    expect(labels.filter((label) => at.has(JSON.stringify(label))).length).toBeGreaterThan(60);
  }, 120_000);

  it('of a later state of the map leaves what one in one piece leaves', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'boundary-test-'));
    const path = join(folder, 'later.osm.pbf');
    try {
      await writeFile(path, moved(await readOsmFile(file())));
      const states = [];
      for (const size of [PART_SIZE, SMALL]) {
        const test = await testDatabase();
        try {
          await imported(test, PART_SIZE);
          const before = await stored(test);
          await imported(test, size, undefined, path);
          states.push(await stored(test));
          expect(states.at(-1)?.arcs).not.toEqual(before.arcs);
        } finally {
          await test.close();
        }
      }
      expect(states[1]).toEqual(states[0]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);

  it.skipIf(!isNative)(
    'killed between two parts is resumed by running it again: nothing twice, nothing lost',
    async () => {
      const whole = await wholeOf();
      const test = await testDatabase();
      open = test;
      const script = join(import.meta.dirname, 'parts_importer.ts');
      const args = ['--import', 'tsx', script, test.databaseUrl as string, file(), JSON.stringify(SMALL)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.startsWith('part 4/')) continue;
        child.kill('SIGKILL');
        break;
      }
      expect(await exit).toEqual([null, 'SIGKILL']);
      const left = await stored(test);
      expect(left.boundaries.length).toBeGreaterThan(0);
      expect(left.boundaries.length).toBeLessThan(whole.boundaries.length);
      const summary = await imported(test, SMALL);
      expect(summary.unchanged).toBe(left.boundaries.length);
      expect(summary.added).toBe(whole.boundaries.length - left.boundaries.length);
      expect(await stored(test)).toEqual(whole);
    },
    120_000,
  );
});
