import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded as random } from '../../src/bench/random.ts';
import { BenchDatabase, server } from '../import/native.ts';
import type { Options } from '../measure.ts';
import { drive, type LoadRequest } from './generator.ts';
import { NewInputs, placesOf } from './new_inputs.ts';
import { type BenchServer, firstKey, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

/** The stages of a request on the main thread, in order; `other` is garbage collection, promises and the rest. */
const STAGES = ['decode', 'authorize', 'resolve', 'meter', 'compute', 'write', 'other'] as const;
type Stage = (typeof STAGES)[number];

/** Microseconds of the main thread per request. */
export interface StageRow {
  readonly call: string;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly total: number;
}

const CONNECTIONS = 16;
const SEED = 20_261_123;

/**
 * Patterns for a frame, `function file`: the first match gives the stage. A frame without a match counts for its
 * caller.
 */
const FRAMES: readonly (readonly [RegExp, Stage])[] = [
  [/^(?:jsonOf|answerOf|sameTag) .*\/(?:op|invoke)\.js$/, 'write'],
  [/^(?:accept|countValues|parseInput) /, 'decode'],
  [/^(?:record|reserve|refund) .*\/(?:op|invoke)\.js$/, 'meter'],
  [/\/dist\/src\/core\/(?:op|invoke|deadline)\.js$/, 'other'],
  [/^(?:send|representation|respond|handleResponse) /, 'write'],
  [
    /\/(?:representation|outgoing|list|exchange)\.js$|koa\/lib\/response|node:(?:_http_outgoing|net|internal\/stream|zlib)/,
    'write',
  ],
  [/\/(?:credentials|access|keys|api_keys|sessions|oauth)\.js$/, 'authorize'],
  [/\/domain\/billing\/(?:limits|billing)\.js$|\/(?:weigh|metrics|log)\.js$|prom-client|\/pino\//, 'meter'],
  [/\/dist\/(?:workers|src\/geometry)\//, 'compute'],
  [/\/dist\/src\/(?:domain|db|sources|ops)\/|country-coder|flatbush|\/pg(?:-\w+)?\//, 'resolve'],
  [
    /\/dist\/src\/(?:transports\/|core\/input)|\/zod\/|node_modules\/(?:koa|@koa)|node:_http_(?:common|incoming|server)/,
    'decode',
  ],
];

/**
 * Splits the main thread's time per request into stages, for everyday calls on Spain's seed set. The total is the time
 * of a round without a profiler (of the thread, as Linux counts it); the shares are those of a profiled round.
 */
export async function benchStages(options: Options): Promise<StageRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-stages-'));
  const home = server();
  const database = home ? new BenchDatabase(home, 'stages') : null;
  let running: BenchServer | null = null;
  try {
    await database?.empty();
    const env = { DATABASE_URL: database?.url ?? '' };
    const names = await fillWithSpain(folder, env, options);
    running = await startService(folder, env, ['--import', './benchmarks/http/profiled.mjs']);
    const headers = { Authorization: `Bearer ${await firstKey(folder)}` };
    const count = options.smoke ? 64 : 4_000;
    const rows: StageRow[] = [];
    for (const [call, asked] of await calls(running.port, headers, names, count)) {
      rows.push(await profiled(running, call, asked, headers, count));
    }
    return rows;
  } finally {
    await running?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The calls, and the requests of a round for each. */
async function calls(
  port: number,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
  count: number,
): Promise<(readonly [string, () => readonly LoadRequest[]])[]> {
  const next = random(SEED);
  const json = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json();
  const list = async (path: string) => ((await json(path)) as { items: { id: string }[] }).items.map(({ id }) => id);
  const provinces = await list('/v1/boundaries/iso:ES/children?admin_level=6');
  const points = new NewInputs();
  const drawn = placesOf(SEED);
  const places = () => points.take(count, drawn).map((query) => `/v1/boundaries/reverse?${query}`);
  const some = Array.from({ length: 40 }, () => names[Math.floor(next() * names.length)]);
  const any = () => provinces[Math.floor(next() * provinces.length)];
  const union = () => ({
    path: '/v1/boundaries/union',
    json: { include: [...new Set([any(), any(), any(), any(), any()])], detail: 'low' },
  });
  // Full names and prefixes that were not used before, while there are any.
  const seen = new Set<string>();
  const fresh = () => {
    let text = '';
    for (let tries = 0; text === '' || (seen.has(text) && tries < 20); tries++) {
      const name = names[Math.floor(next() * names.length)];
      text = name.slice(0, 3 + Math.floor(next() * name.length)).trim();
    }
    seen.add(text);
    return `/v1/boundaries/search?q=${encodeURIComponent(text)}`;
  };
  const always = (asked: readonly LoadRequest[]) => () => asked;
  return [
    ['reverse, new', places],
    ['get at low', always(['/v1/boundaries/iso:ES-SE?detail=low'])],
    ['children', always(provinces.slice(0, 10).map((id) => `/v1/boundaries/${id}/children`))],
    ['export at low', always(['/v1/boundaries/iso:ES-SE/export?format=geojson&detail=low'])],
    ['union of 5 provinces, new', () => Array.from({ length: count }, union)],
    ['search, new', () => Array.from({ length: count }, fresh)],
    ['search, repeated', always(some.map((name) => `/v1/boundaries/search?q=${encodeURIComponent(name)}`))],
  ];
}

async function profiled(
  { port, pid, process: child }: BenchServer,
  call: string,
  asked: () => readonly LoadRequest[],
  headers: Readonly<Record<string, string>>,
  count: number,
): Promise<StageRow> {
  const round = () => drive(port, asked(), headers, count, CONNECTIONS);
  await round();
  const before = mainThread(pid);
  await round();
  const after = mainThread(pid);
  child.send('start');
  await once(child, 'message');
  await round();
  child.send('stop');
  const [{ profile }] = (await once(child, 'message')) as [{ profile: Profiler.Profile }];
  const sampled = byStage(profile);
  const samples = STAGES.reduce((sum, stage) => sum + sampled[stage], 0);
  const total = (before === null || after === null ? samples : after - before) / count;
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, (total * sampled[stage]) / samples]));
  return { call, stages: stages as Record<Stage, number>, total };
}

/** Microseconds of processor time of a process's main thread; null if the system does not count it. */
function mainThread(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3;
  } catch {
    return null;
  }
}

/** Microseconds of a profile by stage, without idle time. */
function byStage({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Record<Stage, number> {
  const parents = new Map<number, number>();
  for (const { id, children } of nodes) for (const child of children ?? []) parents.set(child, id);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const known = new Map<number, Stage | null>();
  const stageOf = (id: number): Stage | null => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = frames.get(at);
      if (frame?.functionName === '(idle)') return null;
      const text = `${frame?.functionName} ${frame?.url}`;
      const found = FRAMES.find(([pattern]) => pattern.test(text));
      if (found) return found[1];
    }
    return 'other';
  };
  const sums = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  samples.forEach((id, i) => {
    if (!known.has(id)) known.set(id, stageOf(id));
    const stage = known.get(id);
    if (stage) sums[stage] += Math.max(0, timeDeltas[i]);
  });
  return sums;
}

/** The rows as a table of plain text. */
export function stageTable(rows: readonly StageRow[]): string {
  const heads = ['main thread, us a request', ...STAGES, 'all'];
  const width = Math.max(heads[0].length, ...rows.map(({ call }) => call.length));
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(width)}${cells.map((cell) => cell.padStart(11)).join('')}\n`;
  const cells = ({ stages, total }: StageRow) =>
    [...STAGES.map((stage) => stages[stage]), total].map((us) => us.toFixed(0));
  return line(heads[0], heads.slice(1)) + rows.map((row) => line(row.call, cells(row))).join('');
}
