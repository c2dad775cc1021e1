import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Calls, DEFAULT_MIX, type Deployment, drawCalls } from '../../src/bench/deployment.ts';
import { type RunReport, runMix } from '../../src/bench/run.ts';
import { findSaturation, saturationOf } from '../../src/bench/saturation.ts';
import { BenchDatabase, query, server } from '../import/native.ts';
import { type Options, type Result, timingOf } from '../measure.ts';
import { type BenchServer, firstKey, startNaive, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const SEED = 20_261_122;
/** A rate counts as served when no call fails and p99 stays below this many milliseconds. */
const P99_MS = 100;
const CONNECTIONS = 500;
const TIMEOUT_MS = 10_000;
/** Runs of each side at half of the rival's saturation, alternating; the median counts. */
const ROUNDS = 3;
/** Number of reverse calls whose answers are compared. */
const COMPARED = 40;

/**
 * Runs the mix of `boundary bench` (60 % hot exports, 15 % search, 15 % reverse, 10 % unions) as an open loop on
 * Spain's seed set in a native PostGIS. Measures our saturation rate against that of a naive Koa and PostGIS server at
 * the same paths (rivals/naive_mix.ts), p50 and p99 of both at half of its rate, and our goodput at two and three times
 * our own rate. One process of each. Returns no rows without a native database.
 */
export async function benchLoad(_dataDir: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('load: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-load-'));
  const database = new BenchDatabase(home, 'load');
  const running: BenchServer[] = [];
  try {
    await database.empty();
    const env = { DATABASE_URL: database.url };
    await fillWithSpain(folder, env, options);
    const ours = await startService(folder, env);
    running.push(ours);
    const naive = await startNaive('mix', database.url);
    running.push(naive);
    const us: Deployment = { address: `http://127.0.0.1:${ours.port}`, key: await firstKey(folder) };
    const them: Deployment = { address: `http://127.0.0.1:${naive.port}`, key: null };
    const calls = await drawCalls(us, DEFAULT_MIX, SEED);
    const same = await agree(us, them, calls, database.url);
    const seconds = options.smoke ? 0.5 : 15;
    const at = (deployment: Deployment, rate: number): Promise<RunReport> =>
      runMix(deployment, DEFAULT_MIX, calls, {
        rate,
        seconds,
        warmup: options.smoke ? 0.1 : 5,
        connections: CONNECTIONS,
        timeoutMs: TIMEOUT_MS,
        seed: SEED,
      });
    // Compile the code and make every export before measuring.
    await at(us, options.smoke ? 20 : 200);
    await at(them, options.smoke ? 5 : 20);
    const peakOf = async (deployment: Deployment, first: number): Promise<number> => {
      const most = options.smoke ? 2 * first : 20_000;
      const bound = { p99: options.smoke ? TIMEOUT_MS : P99_MS };
      const tell = ({ rate, reason }: { rate: number; reason: string | null }): void =>
        void process.stderr.write(`load: ${deployment.address}, ${rate} a second: ${reason ?? 'served'}\n`);
      const steps = await findSaturation(first, most, bound, (rate) => at(deployment, rate), tell);
      const best = saturationOf(steps);
      if (best === null) throw new Error(`${deployment.address} does not serve ${first} calls a second`);
      return best.rate;
    };
    const theirPeak = await peakOf(them, 5);
    const ourPeak = await peakOf(us, 20);
    const half = Math.max(1, Math.floor(theirPeak / 2));
    // Alternate, so that other load on the machine affects both sides.
    const rounds: { mine: RunReport; theirs: RunReport }[] = [];
    for (let i = 0; i < (options.smoke ? 1 : ROUNDS); i++) {
      rounds.push({ mine: await at(us, half), theirs: await at(them, half) });
    }
    const rival = 'naive Koa and PostGIS';
    const atHalf = (name: 'p50' | 'p99'): Result => {
      const of = (report: RunReport): number => report.figures.all?.latency[name] ?? Number.NaN;
      const [mine, theirs] = [
        timingOf(rounds.map((one) => of(one.mine))),
        timingOf(rounds.map((one) => of(one.theirs))),
      ];
      return {
        ...row(`mix at ${half} calls a second, ${name}`, mine.median, rival, theirs.median, same),
        spread: mine.spread,
      };
    };
    return [
      row('mix at saturation, time for a call', 1000 / ourPeak, rival, 1000 / theirPeak, same),
      atHalf('p50'),
      atHalf('p99'),
      ...(await overload(at, us, ourPeak)),
    ];
  } finally {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Our goodput above saturation against our peak. */
async function overload(
  at: (deployment: Deployment, rate: number) => Promise<RunReport>,
  us: Deployment,
  peak: number,
): Promise<Result[]> {
  const rows: Result[] = [];
  for (const times of [2, 3]) {
    const { figures, generator } = await at(us, times * peak);
    const all = figures.all;
    if (all === undefined) throw new Error('nothing was sent');
    const refusals = all.refused === 0 ? 'nothing was refused' : `refusals p50 ${all.refusal.p50?.toFixed(0)} ms`;
    const note = `${refusals}, ${all.failed} other failures, generator ${Math.round(100 * generator.busy)} % busy`;
    const time = 1000 / all.goodput;
    rows.push({
      ...row(`mix at ${times} x saturation, time for a served call`, time, 'ours at saturation', 1000 / peak, true),
      note,
    });
  }
  return rows;
}

function row(name: string, ours: number, rival: string, theirs: number, same: boolean): Result {
  return { case: name, ours_ms: ours, rival, rival_ms: theirs, ratio: theirs / ours, same_answer: same, spread: 0 };
}

/**
 * Whether both answer every kind of call, and find at points what ST_Covers finds on the stored polygons. The country
 * is not compared: on water off the coarse coast, our answer starts with it.
 */
async function agree(us: Deployment, them: Deployment, { byKind }: Calls, url: string): Promise<boolean> {
  let same = true;
  for (const [kind, calls] of byKind) {
    for (const { method, path, headers, body } of calls.slice(0, COMPARED)) {
      const answers = await Promise.all(
        [us, them].map(({ address }) => fetch(address + path, { method, headers: { ...headers }, body })),
      );
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      if (!answers.every(({ ok }) => ok)) throw new Error(`${path}: ${answers.map(({ status }) => status)}`);
      if (kind !== 'reverse') continue;
      const [ours = [], theirs = []] = texts.map((text) =>
        (JSON.parse(text) as { items: Found[] }).items
          .filter(({ admin_level }) => admin_level !== 2)
          .map(({ id }) => id),
      );
      const right = await coveredAt(url, new URL(path, us.address).searchParams);
      if (isDeepStrictEqual(ours, theirs) && isDeepStrictEqual(ours.toSorted(), right)) continue;
      process.stderr.write(`load: ${path}: ours ${ours}, the rival ${theirs}, ST_Covers ${right}\n`);
      same = false;
    }
  }
  return same;
}

interface Found {
  readonly id: string;
  readonly admin_level: number;
}

/** Sorted ids of the boundaries below a country whose stored polygon covers a point. */
async function coveredAt(url: string, place: URLSearchParams): Promise<string[]> {
  const [lon, lat] = ['lon', 'lat'].map((name) => Number(place.get(name)));
  const rows = await query<{ id: string }>(
    url,
    `select b.id from boundary_shape s join boundary b on b.id = s.boundary_id
     where b.admin_level <> 2 and st_covers(s.geom, st_setsrid(st_makepoint(${lon}, ${lat}), 4326))`,
  );
  return rows.map(({ id }) => id).sort();
}
