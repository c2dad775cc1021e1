/**
 * `tsx benchmarks/fuzz/run.ts [part …]`: sends generated and damaged input to everything that reads input, and reports
 * the outcomes. See docs/fuzz.md.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CALL_ROUTES, type CallRoute } from './call.ts';
import { BLOCK, sendBlock } from './calls.ts';
import { FILE_FORMATS } from './files.ts';
import { Readers } from './readers.ts';
import { openService } from './service.ts';

/** Calls in a complete run. */
const CALLS: Readonly<Record<CallRoute, number>> = {
  http: 200_000,
  rpc: 200_000,
  mcp: 200_000,
  cli: 50_000,
  starts: 2_000,
};

/** Files per format, and per block. */
const FILES = 100_000;
const FILES_BLOCK = 2_500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    /** Share of the complete run to do. */
    share: { type: 'string', default: '1' },
    /** Runs only this block, even if it is already done. */
    block: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'boundary-fuzz') },
  },
});
const seed = Number(values.seed);
const share = Number(values.share);
const folder = join(values.keep, `seed-${seed}`);
mkdirSync(folder, { recursive: true });

/** The outcome of a block: counts and findings. */
interface BlockOutcome {
  readonly counts: Readonly<Record<string, number>>;
  readonly longestMs: number;
  readonly findings: readonly { readonly wrong: string }[];
}

interface RecordedBlock extends BlockOutcome {
  readonly block: number;
  /** Number of calls or files. */
  readonly tried: number;
  readonly date: string;
}

const isTable = positionals.includes('table');
const wanted = (part: string): boolean => !isTable && (positionals.length === 0 || positionals.includes(part));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The recorded blocks of a part, from this and earlier runs. */
function recordedBlocks(part: string): RecordedBlock[] {
  const path = join(folder, `${part}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedBlock);
}

const PARTS: readonly string[] = [...CALL_ROUTES, ...FILE_FORMATS];
const unknown = positionals.filter((part) => part !== 'table' && !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join()}: ${PARTS.join(', ')}, table`);

const routes = CALL_ROUTES.filter(wanted);
if (routes.length > 0) {
  const service = await openService(join(folder, 'server.log'));
  try {
    for (const route of routes) {
      await all(route, CALLS[route], BLOCK(route), async (block) => {
        const { statuses, findings, ...rest } = await sendBlock(service.server, service.sides, route, seed, block);
        return {
          ...rest,
          counts: statuses,
          findings: findings.map((one) => ({ ...one, wrong: one.wrong.join('; ') })),
        };
      });
    }
  } finally {
    await service.close();
  }
}

for (const format of FILE_FORMATS.filter(wanted)) {
  const readers = new Readers(format, seed);
  try {
    await all(format, FILES, FILES_BLOCK, async (block) => {
      const { accepted, refused, ...rest } = await readers.read(block * FILES_BLOCK, (block + 1) * FILES_BLOCK);
      return { counts: { accepted, refused }, ...rest };
    });
  } finally {
    readers.close();
  }
}

if (isTable) {
  const rows = Object.fromEntries(PARTS.map((part) => [part, sumOf(recordedBlocks(part))]));
  writeFileSync(new URL('../results/fuzz.json', import.meta.url), `${JSON.stringify(rows, null, 2)}\n`);
}

/** The sum of all recorded blocks of a part. */
function sumOf(blocks: readonly RecordedBlock[]) {
  const counts: Record<string, number> = {};
  for (const block of blocks) {
    for (const [what, count] of Object.entries(block.counts)) counts[what] = (counts[what] ?? 0) + count;
  }
  return {
    date: blocks.at(-1)?.date ?? '',
    tried: blocks.reduce((sum, { tried }) => sum + tried, 0),
    counts: Object.fromEntries(Object.entries(counts).sort()),
    longestMs: Math.round(Math.max(0, ...blocks.map(({ longestMs }) => longestMs))),
    findings: blocks.reduce((sum, { findings }) => sum + findings.length, 0),
  };
}

/** Runs the missing blocks of a part, and records the outcome of each. */
async function all(
  part: string,
  whole: number,
  size: number,
  work: (block: number) => Promise<BlockOutcome>,
): Promise<void> {
  const done = new Set(recordedBlocks(part).map(({ block }) => block));
  const most = Math.ceil((whole * share) / size);
  const blocks = values.block === undefined ? Array.from({ length: most }, (_, i) => i) : [Number(values.block)];
  for (const block of blocks) {
    if (done.has(block) && values.block === undefined) continue;
    const began = performance.now();
    const came = await work(block);
    const ms = (performance.now() - began) / size;
    const line: RecordedBlock = { block, tried: size, date: new Date().toISOString().slice(0, 10), ...came };
    if (values.block === undefined) appendFileSync(join(folder, `${part}.jsonl`), `${JSON.stringify(line)}\n`);
    const counts = Object.entries(came.counts).map(([what, count]) => `${count} × ${what}`);
    say(
      `${part} ${block + 1}/${most}: ${counts.join(', ')}; ${ms.toFixed(1)} ms each, longest ${Math.round(came.longestMs)} ms`,
    );
    for (const { wrong, ...rest } of came.findings) {
      process.exitCode = 1;
      say(`  ${wrong.slice(0, 300)}\n    ${JSON.stringify(rest).slice(0, 500)}`);
    }
  }
}
