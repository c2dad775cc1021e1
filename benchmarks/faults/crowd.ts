import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Call } from '../../src/bench/client.ts';
import { DEFAULT_MIX, type Deployment, drawCalls, inTurn } from '../../src/bench/deployment.ts';

const SEED = 20_261_122;
/** Milliseconds after which a client gives up. */
const TIMEOUT_MS = 20_000;
/** Every twelfth call saves a file; a job is created every 3,000 ms. */
const USUAL = { saveEach: 12, jobMs: 3000 };
const FORMATS = ['geojson', 'kml', 'wkt', 'svg', 'gml'];
const DETAILS = ['low', 'medium', 'high', 'full'];
/** The job to create. */
const JOB = { op: 'export_collection', input: { children_of: 'iso:ES-AN', format: 'ndjson' } };

/** The outcome of one call, as the client saw it. */
export interface CallOutcome {
  readonly op: string;
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The code of the problem or of the connection error; null for a success. */
  readonly code: string | null;
  readonly ms: number;
  /** Whether a refusal had a Retry-After. */
  readonly retryAfter: boolean;
  /** Units that the call costs. */
  readonly units: number;
}

/** A file that the server acknowledged as saved. */
export interface Saved {
  readonly id: string;
  readonly sha256: string;
}

/**
 * Clients that go on whatever the server does: a fixed number of calls per second, each independent, sent whether or
 * not earlier ones were answered. Nine tenths read (exports, searches, points, unions: the mix of `boundary bench`),
 * the others save files; a job is created every three seconds. A soak test saves less often: `saveEach`, `jobMs`.
 */
export class LoadClients {
  readonly seen: CallOutcome[] = [];
  readonly saved: Saved[] = [];
  readonly jobs: string[] = [];
  private readonly deployment: Deployment;
  private readonly next: () => Call;
  private readonly unitsOf: ReadonlyMap<Call, number>;
  private readonly ids: readonly string[];
  private readonly pending = new Set<Promise<void>>();
  private readonly agent = new Agent({ connections: 200, pipelining: 1 });
  private sending = false;
  private often = USUAL;
  private loop: Promise<void> = Promise.resolve();
  private sent = 0;
  private saves = 0;

  private constructor(deployment: Deployment, calls: Awaited<ReturnType<typeof drawCalls>>) {
    this.deployment = deployment;
    this.next = inTurn(DEFAULT_MIX, calls, SEED);
    this.unitsOf = calls.unitsOf;
    // The exported boundaries are also saved.
    this.ids = [...new Set((calls.byKind.get('export') ?? []).map(({ path }) => path.split('/')[3]))];
  }

  /** Draws the calls from the data of the deployment. */
  static async of(deployment: Deployment): Promise<LoadClients> {
    return new LoadClients(deployment, await drawCalls(deployment, DEFAULT_MIX, SEED));
  }

  /** Starts sending at `rate` calls per second. */
  start(rate: number, often = USUAL): void {
    this.often = often;
    this.sending = true;
    this.loop = (async () => {
      let job = 0;
      const began = performance.now();
      for (let i = 0; this.sending; i++) {
        await sleep(Math.max(0, began + (i * 1000) / rate - performance.now()));
        this.track(this.one());
        if (performance.now() - job > this.often.jobMs) {
          job = performance.now();
          this.track(this.createJob());
        }
      }
    })();
  }

  /** Stops sending; resolves when all calls are answered or given up. */
  async stop(): Promise<void> {
    this.sending = false;
    await this.loop;
    await Promise.all(this.pending);
    await this.agent.close();
  }

  private track(work: Promise<void>): void {
    this.pending.add(work);
    void work.finally(() => this.pending.delete(work));
  }

  private async one(): Promise<void> {
    if (++this.sent % this.often.saveEach === 0) return this.save();
    const call = this.next();
    await this.send(call.kind, call.method, call.path, call.body, this.unitsOf.get(call) ?? 0);
  }

  /** Never saves the same file twice, so that each costs a unit. */
  private async save(): Promise<void> {
    const i = this.saves++;
    const [boundary_id, rest] = [this.ids[i % this.ids.length], Math.floor(i / this.ids.length)];
    const format = FORMATS[rest % FORMATS.length];
    const detail = DETAILS[Math.floor(rest / FORMATS.length) % DETAILS.length];
    const answer = await this.send('save', 'POST', '/v1/files', JSON.stringify({ boundary_id, format, detail }), 1);
    if (answer !== null) this.saved.push(JSON.parse(answer) as Saved);
  }

  private async createJob(): Promise<void> {
    const answer = await this.send('job', 'POST', '/v1/jobs', JSON.stringify(JOB), 0);
    if (answer !== null) this.jobs.push((JSON.parse(answer) as { id: string }).id);
  }

  /** The body of a success, else null. */
  private async send(
    op: string,
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    units: number,
  ): Promise<string | null> {
    const started = performance.now();
    const note = (status: number, code: string | null, retryAfter = false): void => {
      const ms = performance.now() - started;
      this.seen.push({ op, status, code, ms, retryAfter, units: code === null ? units : 0 });
    };
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(this.deployment.address + path, {
        method,
        body,
        dispatcher: this.agent,
        headers: { authorization: `Bearer ${this.deployment.key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.text();
      const isSuccess = statusCode >= 200 && statusCode < 300;
      const code = /"code"\s*:\s*"([a-z_]{1,40})"/.exec(text.slice(0, 4096))?.[1];
      note(statusCode, isSuccess ? null : (code ?? String(statusCode)), headers['retry-after'] !== undefined);
      return isSuccess ? text : null;
    } catch (error) {
      const { code, name } = error as { code?: unknown; name: string };
      note(0, typeof code === 'string' ? code : name);
      return null;
    }
  }
}

/** Counts by status and code, and the p95 of successes, as text. */
export function summarize(seen: readonly CallOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { status, code } of seen) {
    const name = code === null ? '2xx' : status === 0 ? `no answer (${code})` : `${status} ${code}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const times = seen.filter(({ code }) => code === null).map(({ ms }) => ms);
  const slowest = Math.max(0, ...seen.map(({ ms }) => ms));
  const rows = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} × ${name}`);
  return `${rows.join(', ')}; p95 ${Math.round(p95(times))} ms, longest ${Math.round(slowest)} ms`;
}

function p95(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
