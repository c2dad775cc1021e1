/**
 * `npm run bench [-- union|formats|http|load] [--json] [--smoke]`: ours against rivals in one run, the same answer checked first.
 * The real data is read from REAL_DATA_DIR (default ../shared/data); PostGIS from TEST_DATABASE_URL, when set.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { benchLoad, type LoadReport } from './http/load.ts';
import { benchHttpUnion } from './http/union.ts';
import { benchFormats } from './kernels/formats.ts';
import { benchUnion, hasData } from './kernels/union.ts';
import type { Result } from './measure.ts';

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const only = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const options = { smoke: flags.has('--smoke') };
const data = process.env.REAL_DATA_DIR ?? '../shared/data';
const wanted = (name: string) => only === undefined || only === name;

const results: Result[] = [];
let load: LoadReport | null = null;
if (wanted('union')) {
  if (hasData(data)) results.push(...(await benchUnion(data, options)));
  else process.stderr.write(`union: no data in ${data} (set REAL_DATA_DIR)\n`);
}
if (wanted('formats')) results.push(...(await benchFormats(options)));
if (wanted('http')) {
  const postgis = process.env.TEST_DATABASE_URL ?? process.env.ORACLE_DATABASE_URL;
  if (!hasData(data)) process.stderr.write(`http: no data in ${data} (set REAL_DATA_DIR)\n`);
  else if (!postgis) process.stderr.write('http: no PostGIS to compare with (set TEST_DATABASE_URL)\n');
  else results.push(...(await benchHttpUnion(data, options)));
}
if (wanted('load')) load = await benchLoad(options);

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
const report = {
  name: only ?? 'all',
  commit,
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  results,
  load,
};
// Only a full run is worth keeping: a part of one would take the place of figures that it does not have.
if (only === undefined && !options.smoke) {
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('latest.json', folder), `${JSON.stringify(report, null, 2)}\n`);
}
if (flags.has('--json')) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else {
  for (const one of results) {
    process.stdout.write(
      `${one.case}: ${one.ours_ms.toFixed(3)} ms, ${one.rival} ${one.rival_ms.toFixed(1)} ms, ratio ${one.ratio.toFixed(0)}` +
        `, same answer: ${one.same_answer}, spread ${(100 * one.spread).toFixed(0)} %\n`,
    );
  }
  if (load) {
    process.stdout.write(
      `${load.requests} searches and unions over 64 connections: ${load.lost} lost, ${load.per_second.toFixed(0)} a second, ` +
        `p50 ${load.p50_ms.toFixed(0)} ms, p99 ${load.p99_ms.toFixed(0)} ms, event loop p99 ${load.event_loop_p99_ms.toFixed(0)} ms\n`,
    );
  }
}
if (results.some((one) => !one.same_answer) || (load !== null && load.lost > 0)) process.exitCode = 1;
