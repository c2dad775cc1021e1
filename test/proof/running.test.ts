import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceInfo } from '../../src/sources/store/source_rows.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { isNative } from '../setup/database.ts';
import { generator, MADE_SOURCE, madeBoundary, madeGrid, rectangle } from './made.ts';
import { rounds } from './rounds.ts';

const SEED_SOURCE: SourceInfo = { ...MADE_SOURCE, id: 'made-seed', seed: true };
const [WEST, SOUTH, SIDE, CELL] = [60_000_000, 490_000_000, 3, 2_000_000];
const DETAILS = ['low', 'medium', 'high', 'full'] as const;

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => defined(list[Math.floor(random() * list.length)]);

/** One import: boundaries of a source, and names of stored ones that are deleted. */
interface Step {
  readonly source: SourceInfo;
  readonly store: readonly SourceBoundary[];
  readonly gone: readonly string[];
}

/** A boundary with some of its vertices moved by up to `reach`. */
function moved(random: Random, one: SourceBoundary, version: number, reach: number): SourceBoundary {
  if (!('rings' in one.border)) return one;
  const rings = one.border.rings.map((ring) => {
    const copy = Int32Array.from(ring, (value) =>
      random() < 0.3 ? value + Math.round((random() - 0.5) * 2 * reach) : value,
    );
    copy.set(copy.subarray(0, 2), copy.length - 2);
    return copy;
  });
  return { ...one, version: String(version), border: { rings } };
}

/** An island of many vertices beside the grid, and a village on it: an import measures how much of one is in the other. */
function island(random: Random, number: number): SourceBoundary[] {
  const [x, y] = [WEST + (SIDE + 1 + number) * CELL, SOUTH + CELL];
  const ring = Array.from({ length: 300 }, (_, k) => {
    const [turn, far] = [(k / 300) * 2 * Math.PI, 0.4 * CELL * (0.97 + 0.03 * random())];
    return [Math.round(x + far * Math.cos(turn)), Math.round(y + far * Math.sin(turn))] as const;
  });
  const village = rectangle(x - 9_000, y - 9_000, x + 9_000, y + 9_000);
  return [madeBoundary(`island ${number}`, [ring], 6), madeBoundary(`village ${number}`, [village], 8)];
}

/** The same shape, a little smaller: its border follows the other one without crossing it. */
function shrunk(one: SourceBoundary): SourceBoundary {
  if (!('rings' in one.border)) return one;
  const rings = one.border.rings.map((ring) => {
    const middle = [0, 1].map((axis) => ring.reduce((sum, value, i) => sum + (i % 2 === axis ? value : 0), 0));
    return ring.map((value, i) => {
      const center = (2 * (middle[i % 2] ?? 0)) / ring.length;
      return Math.round(center + 0.998 * (value - center));
    });
  });
  return { ...one, border: { rings } };
}

/** A jagged ring around a place: its border crosses those of the grid. */
function blob(random: Random, name: string, version: number): SourceBoundary {
  const at = (from: number) => from + random() * SIDE * CELL;
  const [x, y, size] = [at(WEST), at(SOUTH), CELL * (0.2 + 0.5 * random())];
  const ring = Array.from({ length: 40 }, (_, k) => {
    const [turn, far] = [(k / 40) * 2 * Math.PI, size * (0.8 + 0.2 * random())];
    return [Math.round(x + far * Math.cos(turn)), Math.round(y + far * Math.sin(turn))] as const;
  });
  return { ...madeBoundary(name, [ring], 9), version: String(version) };
}

/** Random imports beside seed data: shapes that replace others, updates, removals, and what was removed again. */
class Importer {
  private readonly random: Random;
  private readonly seeds: Map<string, SourceBoundary>;
  private readonly live = new Map<string, SourceBoundary>();
  private readonly held = new Map<string, SourceBoundary>();
  private count = 0;

  constructor(random: Random, base: readonly SourceBoundary[]) {
    this.random = random;
    this.seeds = new Map(base.map((one) => [one.sourceId, one]));
  }

  next(): Step {
    const { random, seeds, live, held } = this;
    const version = ++this.count + 1;
    const kind = random();
    const made = (store: SourceBoundary): Step => {
      live.set(store.sourceId, store);
      return { source: MADE_SOURCE, store: [store], gone: [] };
    };
    if (kind < 0.4 && seeds.size > 4) {
      const islands = [...seeds.keys()].filter((name) => name.startsWith('island'));
      const name = pick(random, islands.length > 0 && random() < 0.5 ? islands : [...seeds.keys()]);
      const one = seeds.get(name) as SourceBoundary;
      seeds.delete(name);
      const shape = name.startsWith('island')
        ? shrunk(one)
        : random() < 0.5
          ? one
          : moved(random, one, version, 20_000);
      return made({ ...shape, sourceId: `better ${name}` });
    }
    if (kind < 0.5 && live.size > 0) return made(moved(random, pick(random, [...live.values()]), version, 20_000));
    if (kind < 0.6 && live.size > 0) {
      const name = pick(random, [...live.keys()]);
      held.set(name, live.get(name) as SourceBoundary);
      live.delete(name);
      return { source: MADE_SOURCE, store: [], gone: [name] };
    }
    if (kind < 0.8 && held.size > 0) {
      const name = pick(random, [...held.keys()]);
      const one = held.get(name) as SourceBoundary;
      held.delete(name);
      return made({ ...one, version: String(version) });
    }
    return made(blob(random, `blob ${version}`, version));
  }
}

async function apply({ services: { db }, engine }: BoundaryTestServer, { source, store, gone }: Step): Promise<void> {
  const rows = await db.query<{ id: string }>('select id from boundary where source_id = any ($1) and source = $2', [
    gone,
    source.id,
  ]);
  const removed = rows.map(({ id }) => ({ id, version: 1_000, reason: 'deleted' as const }));
  await storeBoundaries({ db, engine }, { source, file: 'made', boundaries: store, deleted: removed });
}

type Asking = readonly ['GET' | 'POST', string, object?];

/** Everything that is made of shapes: documents at all details, unions, tiles, children and point lookups. */
async function questions({ services: { db } }: BoundaryTestServer, random: Random): Promise<Asking[]> {
  const rows = await db.query<{ id: string }>('select id from boundary where has_geometry order by id');
  const ids = rows.map(({ id }) => id);
  const asked: Asking[] = [];
  for (const id of ids) {
    for (const detail of DETAILS) asked.push(['GET', `/v1/boundaries/${id}?detail=${detail}`]);
    asked.push(['GET', `/v1/boundaries/${id}/children`]);
  }
  for (let i = 0; i < 8; i++) {
    const include = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, ids));
    asked.push(['POST', '/v1/boundaries/union', { include, detail: pick(random, DETAILS) }]);
  }
  const degrees = (value: number) => (value / 1e7).toFixed(5);
  for (let i = 0; i < 8; i++) {
    const [lon, lat] = [WEST + random() * SIDE * CELL, SOUTH + random() * SIDE * CELL];
    asked.push(['GET', `/v1/reverse?lat=${degrees(lat)}&lon=${degrees(lon)}`]);
  }
  for (let i = 0; i < 6; i++) {
    const z = pick(random, [5, 7, 8, 9, 10]);
    const lat = ((SOUTH + random() * SIDE * CELL) / 1e7) * (Math.PI / 180);
    const x = Math.floor((((WEST + random() * SIDE * CELL) / 1e7 + 180) / 360) * 2 ** z);
    const y = Math.floor(((1 - Math.log(Math.tan(lat) + 1 / Math.cos(lat)) / Math.PI) / 2) * 2 ** z);
    asked.push(['GET', `/tiles/boundaries/${z}/${x}/${y}.mvt`]);
  }
  return asked;
}

async function answer(
  { ask }: Pick<BoundaryTestServer, 'ask'>,
  key: string,
  [method, path, json]: Asking,
): Promise<{ status: number; body: string }> {
  const { status, bytes } = await ask(method, path, { json, key });
  // Only the number of the request differs.
  return { status, body: bytes.toString('latin1').replace(/"request_id":"[^"]*"/, '') };
}

const ISLANDS = 12;
const ROUNDS = rounds(100);

describe('a server that runs while its data changes', { timeout: 120_000 + 30_000 * ROUNDS }, () => {
  let running: BoundaryTestServer;
  let other: BoundaryTestServer | null = null;
  beforeAll(async () => {
    running = await openBoundaryTestServer();
    if (isNative) other = await openBoundaryTestServer({}, {}, undefined, undefined, true);
  }, 600_000);
  afterAll(async () => {
    await running?.close();
    await other?.close();
  });

  it('answers after each import as one that started afterward, and as one on the other kind of database', async () => {
    const random = generator(Number(process.env.RUNNING_SEED ?? 1));
    const islands = Array.from({ length: ISLANDS }, (_, i) => island(random, i)).flat();
    const grid = madeGrid(3, SIDE, WEST, SOUTH, { cell: CELL, bends: 14 });
    const base = [...grid, ...islands].map((one, i) => ({ ...one, wikidata: `Q${i + 1}` }));
    const importer = new Importer(random, base);
    const servers = [running, other].filter((one) => one !== null);
    const keys = await Promise.all(servers.map(async (one) => (await one.key('self_hosted')).key));
    for (const one of servers) await apply(one, { source: SEED_SOURCE, store: base, gone: [] });
    for (let step = 0; step < ROUNDS; step++) {
      const edit = importer.next();
      for (const one of servers) await apply(one, edit);
      const asked = await questions(running, random);
      // Now and then all of it, else a part: what is read rarely stays in memory over several imports.
      const share = step % 4 === 3 ? 1 : 0.3;
      const some = asked.filter(() => random() < share);
      const restarted = await running.withLimit(64e6);
      for (const question of some) {
        const name = `step ${step}: ${JSON.stringify(question)}`;
        const fresh = await answer(restarted, defined(keys[0]), question);
        // A point may be in none of them.
        expect([200, question[1].startsWith('/v1/reverse') ? 404 : 200], name).toContain(fresh.status);
        expect(await answer(running, defined(keys[0]), question), name).toEqual(fresh);
        if (other) expect(await answer(other, defined(keys[1]), question), name).toEqual(fresh);
      }
    }
  });
});
