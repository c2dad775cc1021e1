import { defined } from '../common/elements.ts';
import { type Call, openClient } from './client.ts';
import { type Calls, type Deployment, inTurn, type Mix } from './deployment.ts';
import { Latencies, type Percentiles } from './histogram.ts';
import { runSchedule, type Sample } from './schedule.ts';

/** Number of equally long parts of a run; a comparison uses the percentiles of each. */
const SLICES = 20;

/** Options of a run. */
export interface RunOptions {
  /** Calls per second. */
  readonly rate: number;
  /** Measured seconds, after `warmup` seconds that are not measured. */
  readonly seconds: number;
  readonly warmup: number;
  readonly connections: number;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** The results of the calls of one kind, or of all. */
export interface Figures {
  readonly sent: number;
  /** Successful calls. */
  readonly ok: number;
  /** Responses with status 429 or 503: the service sheds load, or a limit is reached. */
  readonly refused: number;
  /** Calls that failed in any other way or got no response. */
  readonly failed: number;
  /** Calls sent per second. */
  readonly throughput: number;
  /** Successful calls per second. */
  readonly goodput: number;
  readonly bytes: number;
  /** Milliseconds from a call's scheduled time, for successes and for calls without a response. */
  readonly latency: Percentiles;
  /** The same from the time it was sent. */
  readonly service: Percentiles;
  /** Milliseconds from the time it was sent, for refusals. */
  readonly refusal: Percentiles;
  /** Refusals with a Retry-After header. */
  readonly retry_after: number;
  readonly codes: Readonly<Record<string, number>>;
}

/** The figures of one part of a run, for all calls (`all`) and by kind. */
export type Slice = Readonly<Record<string, SliceFigures>>;

interface SliceFigures {
  readonly ok: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** A run of a mix at one rate, as `--json` writes it. */
export interface RunReport {
  readonly format: 'boundary-bench-1';
  readonly started_at: string;
  readonly address: string;
  readonly rate: number;
  readonly seconds: number;
  readonly warmup: number;
  readonly connections: number;
  readonly timeout_ms: number;
  readonly seed: number;
  readonly mix: Mix;
  readonly boundaries: number;
  readonly figures: Readonly<Record<string, Figures>>;
  readonly slices: readonly Slice[];
  readonly generator: { readonly busy: number; readonly most_in_flight: number; readonly most_waiting: number };
}

class Tally {
  readonly latency = new Latencies();
  readonly service = new Latencies();
  readonly refusal = new Latencies();
  readonly codes: Record<string, number> = {};
  private sent = 0;
  private ok = 0;
  private refused = 0;
  private retryAfter = 0;
  private bytes = 0;

  add({ status, code, bytes, retryAfter, latency, service }: Sample<Call>): void {
    this.sent++;
    this.bytes += bytes;
    if (code === null) this.ok++;
    else this.codes[code] = (this.codes[code] ?? 0) + 1;
    if (isRefusal(status)) {
      this.refused++;
      this.refusal.record(service);
      if (retryAfter) this.retryAfter++;
    } else if (code === null || status === 0) {
      this.latency.record(latency);
      this.service.record(service);
    }
  }

  figures(seconds: number): Figures {
    const { sent, ok, refused, bytes, codes } = this;
    return {
      sent,
      ok,
      refused,
      failed: sent - ok - refused,
      throughput: sent / seconds,
      goodput: ok / seconds,
      bytes,
      latency: this.latency.percentiles(),
      service: this.service.percentiles(),
      refusal: this.refusal.percentiles(),
      retry_after: this.retryAfter,
      codes,
    };
  }
}

const isRefusal = (status: number): boolean => status === 429 || status === 503;

/**
 * Runs a mix against a deployment at a constant rate and returns the report. A call counts in the part of the run in
 * which it was scheduled; those of the warm-up are left out.
 */
export async function runMix(
  deployment: Deployment,
  mix: Mix,
  calls: Pick<Calls, 'byKind' | 'boundaries'>,
  options: RunOptions,
): Promise<RunReport> {
  const { rate, seconds, warmup, connections, timeoutMs, seed, signal } = options;
  const started = new Date();
  const client = openClient(deployment.address, connections);
  const names = ['all', ...calls.byKind.keys()];
  const tallies = new Map(names.map((name) => [name, new Tally()]));
  const slices = Array.from({ length: SLICES }, () => new Map(names.map((name) => [name, new Latencies()])));
  const oks = slices.map(() => new Map(names.map((name) => [name, 0])));
  try {
    const schedule = await runSchedule({
      rate,
      seconds: warmup + seconds,
      connections,
      timeoutMs,
      signal,
      next: inTurn(mix, calls, seed),
      send: client.send,
      onSample(sample) {
        const at = sample.at / 1000 - warmup;
        if (at < 0) return;
        const slice = Math.min(SLICES - 1, Math.floor((at / seconds) * SLICES));
        for (const name of ['all', sample.call.kind]) {
          tallies.get(name)?.add(sample);
          if (sample.code === null || sample.status === 0) defined(slices[slice]).get(name)?.record(sample.latency);
          if (sample.code === null) defined(oks[slice]).set(name, (defined(oks[slice]).get(name) ?? 0) + 1);
        }
      },
    });
    return {
      format: 'boundary-bench-1',
      started_at: started.toISOString(),
      address: deployment.address,
      rate,
      seconds,
      warmup,
      connections,
      timeout_ms: timeoutMs,
      seed,
      mix,
      boundaries: calls.boundaries,
      figures: Object.fromEntries(names.map((name) => [name, (tallies.get(name) as Tally).figures(seconds)])),
      slices: slices.map((slice, i) =>
        Object.fromEntries(
          names.map((name) => [name, sliceOf(slice.get(name) as Latencies, defined(oks[i]).get(name) ?? 0)]),
        ),
      ),
      generator: {
        busy: schedule.busy,
        most_in_flight: schedule.mostInFlight,
        most_waiting: schedule.mostWaiting,
      },
    };
  } finally {
    await client.close();
  }
}

function sliceOf(latencies: Latencies, ok: number): SliceFigures {
  const { p50, p95, p99 } = latencies.percentiles();
  return { ok, p50, p95, p99 };
}
