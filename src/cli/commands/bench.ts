import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Difference } from '../../bench/compare.ts';
import type { Calls, Deployment, Mix } from '../../bench/deployment.ts';
import type { Figures, RunOptions, RunReport } from '../../bench/run.ts';
import type { Step } from '../../bench/saturation.ts';
import { defined, two } from '../../common/elements.ts';
import type { Config } from '../../config.ts';
import { problem } from '../../core/errors.ts';
import { interruption } from '../interrupt.ts';
import { renderJson } from '../render/table.ts';
import { processTerminal, progressLine } from '../render/terminal.ts';
import { chooseTarget } from '../target.ts';

interface BenchFlags {
  readonly rate: number;
  readonly duration: number;
  readonly warmup: number;
  readonly mix?: string;
  readonly seed: number;
  readonly connections: number;
  readonly timeout: number;
  readonly find?: boolean;
  readonly p99: number;
  readonly maxRate: number;
  readonly key?: string;
  readonly yes?: boolean;
  readonly json?: string;
  readonly compare?: readonly string[];
}

/** Adds `boundary bench URL`: sends load to a deployment at a constant rate, or finds the rate that it can sustain. */
export function addBenchCommand(cli: Command, config: Config): void {
  cli
    .command('bench')
    .description(
      'measure a deployment: send a mix of calls at a constant rate, or find the highest rate that it sustains',
    )
    .argument('[url]', 'address of the deployment')
    .option('--rate <number>', 'calls a second; with --find the first rate', number(0.1, 100_000), 50)
    .option('--duration <seconds>', 'duration of the measurement (of each rate, with --find)', number(1, 86_400), 20)
    .option('--warmup <seconds>', 'time to send calls before the measurement', number(0, 3600), 5)
    .option('--mix <shares|file>', 'export=60,search=15,reverse=15,union=10; or a JSON file; also file=N')
    .option(
      '--seed <number>',
      'seed of the calls: the same seed and data give the same calls',
      number(0, 2 ** 32 - 1),
      1,
    )
    .option('--connections <number>', 'maximum number of connections', number(1, 20_000), 256)
    .option('--timeout <seconds>', 'timeout of a call', number(0.1, 120), 10)
    .option('--find', 'find the highest rate at which p99 stays under --p99 and no call fails')
    .option('--p99 <milliseconds>', 'bound for p99 with --find', number(1, 120_000), 100)
    .option('--max-rate <number>', 'highest rate to try with --find', number(1, 100_000), 20_000)
    .option('--key <key>', 'API key (else BOUNDARY_API_KEY, or the one that boundary login saved)')
    .option('--yes', 'do not ask for confirmation when calls cost units or the deployment is on another machine')
    .option('--json <file>', 'write all measurements to a file')
    .option('--compare <files...>', 'compare the files of two runs: which differences are noise')
    .action(async (url: string | undefined, flags: BenchFlags) => {
      if (flags.compare) await showComparison(flags.compare);
      else if (url === undefined) throw problem('invalid_input', 'Give the address of a deployment, or --compare.');
      else await bench(config, url, flags);
    });
}

function number(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a number from ${least} to ${most}`);
  };
}

async function bench(config: Config, url: string, flags: BenchFlags): Promise<void> {
  const { DEFAULT_MIX, drawCalls, Unsuitable } = await import('../../bench/deployment.ts');
  try {
    const mix = flags.mix === undefined ? DEFAULT_MIX : await mixOf(flags.mix);
    const deployment = await deploymentOf(config, url, flags.key);
    const isOwn = isLoopback(deployment.address);
    if (!isOwn) await confirm(flags, `${deployment.address} is not on this machine. Send load to it?`);
    const calls = await drawCalls(deployment, mix, flags.seed);
    const { averageUnits, mostCalls, isMetered } = await chargeOf(mix, calls, flags);
    const about = `${calls.boundaries} boundaries; a call costs ${averageUnits.toFixed(2)} units on average`;
    process.stderr.write(`${deployment.address}: ${about}, at most ${Math.ceil(averageUnits * mostCalls)} in all.\n`);
    if (isMetered) await confirm(flags, 'Charge them?');
    const report = flags.find
      ? await find(deployment, mix, calls, flags)
      : await runOnce(deployment, mix, calls, flags);
    if (flags.json !== undefined) {
      processTerminal.writeFile(flags.json, Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
    }
  } catch (error) {
    throw error instanceof Unsuitable ? problem('invalid_input', error.message) : error;
  }
}

/** Parses a mix from shares or from a JSON file. @throws Unsuitable; invalid_input for a file that is not JSON */
async function mixOf(text: string): Promise<Mix> {
  const { checkMix, readMix } = await import('../../bench/deployment.ts');
  return text.includes('=') ? readMix(text) : checkMix(readJson(text));
}

function readJson(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw problem('invalid_input', `${path} is not JSON.`);
  }
}

/** The deployment at a URL, with the key to send to it. @throws invalid_input for an invalid URL */
async function deploymentOf(config: Config, url: string, key: string | undefined): Promise<Deployment> {
  const place = await chooseTarget(config, { url });
  if (place.kind !== 'server') throw problem('invalid_input', 'Give the address of a server.');
  return { address: place.url, key: key ?? place.key?.secret ?? null };
}

/** Whether a URL's host is this machine, by name or by address. */
function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Cost of a run: average units per call, and the maximum number of calls. */
async function chargeOf(mix: Mix, { byKind, unitsOf }: Calls, flags: BenchFlags) {
  const kinds = [...byKind];
  const sum = kinds.reduce((total, [kind]) => total + (mix[kind] ?? 0), 0);
  const averageUnits = kinds.reduce((total, [kind, calls]) => {
    const units = calls.reduce((all, call) => all + (unitsOf.get(call) ?? 0), 0) / calls.length;
    return total + (units * (mix[kind] ?? 0)) / sum;
  }, 0);
  const seconds = flags.duration + flags.warmup;
  const { mostCalls } = await import('../../bench/saturation.ts');
  const calls = flags.find ? mostCalls(flags.rate, flags.maxRate, seconds) : flags.rate * seconds;
  return { averageUnits, mostCalls: calls, isMetered: averageUnits > 0 };
}

/** Asks for confirmation on the terminal, unless --yes was given. @throws invalid_input without a yes */
async function confirm({ yes }: BenchFlags, question: string): Promise<void> {
  if (yes) return;
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) throw problem('invalid_input', `${question} Add --yes.`);
  const reader = createInterface({ input: stdin, output: stderr });
  const answer = await reader.question(`${question} [y/N] `).finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw problem('invalid_input', 'Nothing was sent.');
}

const optionsOf = ({ duration, warmup, connections, timeout, seed }: BenchFlags): Omit<RunOptions, 'rate'> => ({
  seconds: duration,
  warmup,
  connections: Math.floor(connections),
  timeoutMs: timeout * 1000,
  seed,
});

async function runOnce(deployment: Deployment, mix: Mix, calls: Calls, flags: BenchFlags): Promise<RunReport> {
  const { runMix } = await import('../../bench/run.ts');
  const line = progressLine();
  line.show(`${flags.rate} calls a second for ${flags.warmup} + ${flags.duration} s …`);
  const signal = interruption();
  const report = await runMix(deployment, mix, calls, { ...optionsOf(flags), rate: flags.rate, signal });
  line.end();
  signal.throwIfAborted();
  show(Object.entries(report.figures).map(([kind, figures]) => rowOf(kind, figures)));
  showNotes(report);
  return report;
}

async function find(deployment: Deployment, mix: Mix, calls: Calls, flags: BenchFlags): Promise<object> {
  const { findSaturation, saturationOf } = await import('../../bench/saturation.ts');
  const { runMix } = await import('../../bench/run.ts');
  const line = progressLine();
  const signal = interruption();
  const run = async (rate: number): Promise<RunReport> => {
    line.show(`${rate} calls a second …`);
    const report = await runMix(deployment, mix, calls, { ...optionsOf(flags), rate, signal });
    signal.throwIfAborted();
    return report;
  };
  const onStep = ({ rate, reason }: Step): void => {
    line.end();
    process.stderr.write(`${rate} calls a second: ${reason ?? 'served'}\n`);
  };
  const steps = await findSaturation(flags.rate, flags.maxRate, { p99: flags.p99 }, run, onStep);
  line.end();
  const best = saturationOf(steps);
  show(
    steps.map(({ rate, reason, report }) => ({
      result: reason ?? 'served',
      ...rowOf(String(rate), defined(report.figures.all), 'rate'),
    })),
  );
  process.stdout.write(
    best ? `Saturation: ${best.rate} calls a second\n` : 'The first rate was already too high: lower --rate\n',
  );
  if (best) showNotes(best.report);
  return { format: 'boundary-bench-find-1', bound: { p99_ms: flags.p99 }, saturation: best?.rate ?? null, steps };
}

/** Prints a table without the row count. */
function show(rows: readonly object[]): void {
  const { width, colors } = processTerminal;
  const text = renderJson({ items: rows }, { width, colors: colors.out });
  process.stdout.write(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
}

/** A table row: counts, calls per second, milliseconds, megabytes. */
function rowOf(name: string, figures: Figures, first = 'kind'): Record<string, string | number> {
  const { latency, codes } = figures;
  const errors = Object.entries(codes).map(([code, count]) => `${count} ${code}`);
  return {
    [first]: name,
    sent: figures.sent,
    per_s: digits(figures.throughput),
    good_per_s: digits(figures.goodput),
    p50_ms: digits(latency.p50),
    p95_ms: digits(latency.p95),
    p99_ms: digits(latency.p99),
    p999_ms: digits(latency.p999),
    max_ms: digits(latency.max),
    MB: digits(figures.bytes / 1e6),
    errors: errors.join(', ') || '-',
  };
}

function showNotes({ figures, generator }: RunReport): void {
  const all = defined(figures.all);
  if (all.refused > 0) {
    const { p50, p99 } = all.refusal;
    const withRetry = `${all.retry_after} of ${all.refused} refusals have Retry-After`;
    process.stdout.write(`Refusals: p50 ${digits(p50)} ms, p99 ${digits(p99)} ms; ${withRetry}\n`);
  }
  const busy = `${Math.round(100 * generator.busy)} % busy`;
  const much = generator.busy > 0.9 ? ': the generator is the limit, and the figures describe it' : '';
  process.stdout.write(`Generator: ${busy}${much}, at most ${generator.most_in_flight} calls in flight\n`);
}

/** Formats a number with three significant digits and no exponent. */
function digits(value: number | null): string {
  if (value === null) return '-';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

async function showComparison(files: readonly string[]): Promise<void> {
  if (files.length !== 2) throw problem('invalid_input', 'Give two files: --compare before.json after.json.');
  const { compareRuns } = await import('../../bench/compare.ts');
  const [before, after] = two(
    files.map((path) => {
      const report = readJson(path) as Partial<RunReport> | null;
      if (report?.format === 'boundary-bench-1') return report as RunReport;
      throw problem('invalid_input', `${path} is not a run at one rate, as boundary bench --json writes it.`);
    }),
  );
  if (before.rate !== after.rate) {
    process.stderr.write(`The rates differ: ${before.rate} and ${after.rate} calls a second.\n`);
  }
  show(
    compareRuns(before, after).map(({ kind, metric, change, p, verdict, ...ms }: Difference) => ({
      kind,
      metric,
      before_ms: digits(ms.before),
      after_ms: digits(ms.after),
      change: `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)} %`,
      p: p === null ? '-' : p < 0.001 ? '< 0.001' : p.toFixed(3),
      verdict,
    })),
  );
}
