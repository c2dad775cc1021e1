import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasData } from '../kernels/worlds.ts';
import type { Options, Result } from '../measure.ts';
import { concurrency } from './concurrency.ts';
import type { Growth } from './measured.ts';
import { drawGrowth } from './picture.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Measures time and memory, ours and PostGIS, by number of vertices (1,000 to 10 million), boundaries (5 to 35,357) and
 * concurrent calls (1 to 64). Writes benchmarks/results/growth.json and draws docs/growth.svg from it; a smoke run
 * draws a small one into a temporary folder. Returns no rows: kernels/union.ts and http compare the answers of unions.
 */
export async function benchGrowth(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const growths: Growth[] = [];
  for (const what of ['vertices', 'boundaries']) {
    const args = ['--import', 'tsx', 'benchmarks/growth/kernels.ts', what, data, String(options.smoke)];
    const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 24 });
    process.stderr.write(stderr);
    growths.push(JSON.parse(stdout));
  }
  const calls = await concurrency(data, options);
  if (calls) growths.push(calls);
  const text = `${JSON.stringify(growths, null, 2)}\n`;
  const picture = drawGrowth(JSON.parse(text));
  if (options.smoke) {
    const folder = mkdtempSync(join(tmpdir(), 'boundary-growth-'));
    writeFileSync(join(folder, 'growth.svg'), picture);
    rmSync(folder, { recursive: true });
  } else {
    mkdirSync(join(ROOT, 'benchmarks/results'), { recursive: true });
    writeFileSync(join(ROOT, 'benchmarks/results/growth.json'), text);
    writeFileSync(join(ROOT, 'docs/growth.svg'), picture);
  }
  return [];
}
