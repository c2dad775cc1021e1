/**
 * `tsx benchmarks/fuzz/run.ts [part …]`: sends generated and damaged input to everything that reads any, and says what
 * came of it. docs/fuzz.md says how.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BLOCK, CALL_ROUTES, type CallRoute, sendBlock, type Tally } from './calls.ts';
import { openService } from './service.ts';

/** How many calls make the whole. */
const CALLS: Readonly<Record<CallRoute, number>> = {
  http: 200_000,
  rpc: 200_000,
  mcp: 200_000,
  cli: 50_000,
  starts: 2_000,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    /** The part of the whole that is done. */
    share: { type: 'string', default: '1' },
    /** One block alone, whether it was done or not. */
    block: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'boundary-fuzz') },
  },
});
const seed = Number(values.seed);
const share = Number(values.share);
const folder = join(values.keep, `seed-${seed}`);
mkdirSync(folder, { recursive: true });

interface Kept extends Tally {
  readonly block: number;
  readonly calls: number;
  readonly date: string;
}

const wanted = (part: string): boolean => positionals.length === 0 || positionals.includes(part);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** What was done of a part, now and before. */
function kept(part: string): Kept[] {
  const path = join(folder, `${part}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Kept);
}

const routes = CALL_ROUTES.filter(wanted);
if (routes.length > 0) {
  const service = await openService(join(folder, 'server.log'));
  try {
    for (const route of routes)
      await sendAll(route, (block) => sendBlock(service.server, service.sides, route, seed, block));
  } finally {
    await service.close();
  }
}

async function sendAll(route: CallRoute, send: (block: number) => Promise<Tally>): Promise<void> {
  const done = new Set(kept(route).map(({ block }) => block));
  const most = Math.ceil((CALLS[route] * share) / BLOCK(route));
  const blocks = values.block === undefined ? Array.from({ length: most }, (_, i) => i) : [Number(values.block)];
  for (const block of blocks) {
    if (done.has(block) && values.block === undefined) continue;
    const began = performance.now();
    const tally = await send(block);
    const ms = (performance.now() - began) / BLOCK(route);
    const line: Kept = { block, calls: BLOCK(route), date: new Date().toISOString().slice(0, 10), ...tally };
    if (values.block === undefined) appendFileSync(join(folder, `${route}.jsonl`), `${JSON.stringify(line)}\n`);
    say(
      `${route} ${block + 1}/${most} ${ms.toFixed(1)} ms a call, longest ${tally.longestMs} ms (${tally.longestOp}) ` +
        `${JSON.stringify(tally.statuses)}`,
    );
    for (const finding of tally.findings) {
      process.exitCode = 1;
      say(`  ${finding.op} by ${finding.actor}: ${finding.wrong.join('; ').slice(0, 300)}`);
      say(`    ${JSON.stringify(finding.input).slice(0, 300)}`);
    }
  }
}
