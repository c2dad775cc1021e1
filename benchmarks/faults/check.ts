import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { type Calls, DEFAULT_MIX, type Deployment, drawCalls } from '../../src/bench/deployment.ts';
import type { LoadClients } from './crowd.ts';

/** Gives other calls than those of the crowd. */
const SEED = 113;
/** Answers of each kind to compare with those before the fault. */
const OF_EACH = 8;
const PAGE = 100;
/** Milliseconds that acknowledged jobs may take to finish after the fault. */
const JOBS_MS = 60_000;

/** The metered operations among the crowd's calls, by kind. */
const OPS = {
  export: 'export_boundary',
  reverse: 'reverse_boundaries',
  union: 'union_boundaries',
  search: 'search_boundaries',
} as const;

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}
interface Usage {
  readonly by_op: readonly { readonly op: string; readonly calls: number; readonly units: number }[];
}
interface Job {
  readonly id: string;
  readonly state: string;
  readonly charged: number;
  readonly file_id: string | null;
}
interface File {
  readonly id: string;
  readonly sha256: string;
  readonly made_by: string;
}

/** SHA-256 of the response bodies of a fixed set of calls, by path and body. @throws Error if one is not a success */
export async function fixedAnswers(deployment: Deployment): Promise<Map<string, string>> {
  return answersOf(deployment, (await drawCalls(deployment, DEFAULT_MIX, SEED)).byKind);
}

/** The same for the first calls of each kind. */
export async function answersOf(deployment: Deployment, byKind: Calls['byKind']): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const calls of byKind.values()) {
    for (const { method, path, headers, body } of calls.slice(0, OF_EACH)) {
      const bytes = await bytesOf(deployment, path, { method, headers, body });
      answers.set(`${path} ${body}`, createHash('sha256').update(bytes).digest('hex'));
    }
  }
  return answers;
}

/** Units and calls charged so far, by operation. */
export async function charged(deployment: Deployment): Promise<Map<string, { calls: number; units: number }>> {
  const { by_op } = await json<Usage>(deployment, '/v1/usage');
  return new Map(by_op.map(({ op, calls, units }) => [op, { calls, units }]));
}

/**
 * Checks a deployment after a fault and returns each inconsistency as a sentence. None means: nothing acknowledged is
 * lost, nothing is charged twice, the library's files can be read, and answers have not changed. Units of answers that
 * never arrived are tolerated. `metered`: units must be exact, as on a limited plan.
 */
export async function inconsistencies(
  deployment: Deployment,
  crowd: LoadClients,
  before: { readonly answers: Map<string, string>; readonly charged: Map<string, { calls: number; units: number }> },
  { metered }: { metered: boolean },
): Promise<string[]> {
  const wrong: string[] = [];
  const jobs = await jobsAtEnd(deployment);
  for (const { id, state } of jobs) if (state !== 'done') wrong.push(`job ${id} is ${state}`);
  for (const id of crowd.jobs) if (!jobs.some((one) => one.id === id)) wrong.push(`job ${id} was lost`);
  const files = await all<File>(deployment, '/v1/files');
  const hashes = new Map(files.map(({ id, sha256 }) => [id, sha256]));
  for (const { id, sha256 } of crowd.saved) if (hashes.get(id) !== sha256) wrong.push(`file ${id} was lost`);
  for (const { id, sha256 } of files) {
    const bytes = await bytesOf(deployment, `/v1/files/${id}/content`).catch((error: Error) => error.message);
    if (typeof bytes === 'string') wrong.push(`file ${id}: ${bytes}`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push(`file ${id} has other bytes`);
  }
  const usage = await charged(deployment);
  const unitsOf = (op: string): number => (usage.get(op)?.units ?? 0) - (before.charged.get(op)?.units ?? 0);
  for (const [kind, op] of Object.entries(OPS)) {
    const seen = crowd.seen.filter((one) => one.op === kind);
    const answered = seen.reduce((sum, { units }) => sum + units, 0);
    const unknown = seen.some(({ status }) => status === 0);
    const units = unitsOf(op);
    if (metered && (units < answered || (units > answered && !unknown))) {
      wrong.push(`${op}: ${units} units charged for answers of ${answered}`);
    }
    if (!metered && units > answered && !unknown)
      wrong.push(`${op}: ${units} units charged for answers of ${answered}`);
  }
  const ofJobs = jobs.reduce((sum, job) => sum + job.charged, 0);
  const collections = unitsOf('export_collection');
  if (metered && collections !== ofJobs) wrong.push(`jobs: ${collections} units charged where jobs say ${ofJobs}`);
  const kept = files.filter(({ made_by }) => made_by === 'export_boundary').length;
  if (metered && unitsOf('save_file') !== kept) {
    wrong.push(`save_file: ${unitsOf('save_file')} units charged for ${kept} files`);
  }
  if (!isDeepStrictEqual(await fixedAnswers(deployment), before.answers)) wrong.push('answers are not as before');
  return wrong;
}

/** All jobs, once none is queued or running, or the time is up. */
async function jobsAtEnd(deployment: Deployment): Promise<readonly Job[]> {
  for (const end = Date.now() + JOBS_MS; ; ) {
    const jobs = await all<Job>(deployment, '/v1/jobs');
    if (Date.now() > end || jobs.every(({ state }) => state !== 'running' && state !== 'queued')) return jobs;
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function all<T>(deployment: Deployment, path: string): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await json<Page<T>>(deployment, `${path}?limit=${PAGE}&offset=${items.length}`);
    items.push(...page.items);
    if (page.items.length < PAGE) return items;
  }
}

async function json<T>(deployment: Deployment, path: string): Promise<T> {
  return JSON.parse((await bytesOf(deployment, path)).toString()) as T;
}

/** The body of a response. @throws Error if it is not a success */
export async function bytesOf(
  { address, key }: Deployment,
  path: string,
  sent: {
    readonly method?: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | null;
  } = {},
): Promise<Buffer> {
  const headers = { authorization: `Bearer ${key}`, ...sent.headers };
  const { statusCode, body } = await request(address + path, {
    method: sent.method ?? 'GET',
    headers,
    body: sent.body,
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode === 429) {
    await new Promise((done) => setTimeout(done, 1000));
    return bytesOf({ address, key }, path, sent);
  }
  if (statusCode < 200 || statusCode > 299)
    throw new Error(`${path}: ${statusCode} ${/"detail":"[^"]*/.exec(bytes.toString())?.[0]}`);
  return bytes;
}
