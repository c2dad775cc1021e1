import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FOLDERS } from '../../src/transports/docs/text_files.ts';
import { builtMain } from '../setup/built.ts';
import { type Dashboard, openDashboard } from '../web/dashboard.ts';
import { type Block, blocksOf, fits } from './texts.ts';

/** Says why a block is not run, in its first line. */
const LEFT_OUT = /^# (not run here|on the machine of the server)/;
/** R with the packages of its page, which few machines have. */
const hasR = spawnSync('Rscript', ['-e', 'library(sf); library(httr2)']).status === 0;
const HERE = /http:\/\/127\.0\.0\.1:8080/g;

const texts = FOLDERS.filter(({ path }) => path !== '/docs/topics').flatMap(({ texts }) => texts);
let dashboard: Dashboard;
let main: string;
let key: string;
const folders: string[] = [];

beforeAll(async () => {
  [dashboard, main] = await Promise.all([openDashboard(), builtMain()]);
  ({ key } = await dashboard.testServer.key('self_hosted'));
}, 600_000);
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await dashboard?.close();
});

/** Runs lines as a reader would: `boundary` is the program, and the addresses are those of the server. */
function shell(lines: string, cwd: string): Promise<string> {
  const script = `set -e -o pipefail\nboundary() { "${process.execPath}" "${main}" --url ${dashboard.base} "$@"; }\n${lines}`;
  const env = { PATH: process.env.PATH, HOME: cwd, KEY: key, BOUNDARY_API_KEY: key, DATA_DIR: join(cwd, 'data') };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${lines}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

async function sql(text: string, cwd: string): Promise<string> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    const reader = await connection.runAndReadAll(text.replaceAll(/'(\w+\.parquet)'/g, `'${cwd}/$1'`));
    return reader
      .getRows()
      .map((row) => row.join(' | '))
      .join('\n');
  } finally {
    connection.closeSync();
  }
}

/** Draws a page with the MapLibre of this repository, and waits until its map has loaded. */
async function page(text: string, cwd: string): Promise<void> {
  const selection = text.includes('TILEJSON') ? JSON.parse(readFileSync(join(cwd, 'selection.json'), 'utf8')) : null;
  const html = text
    .replaceAll('TILEJSON', selection?.tilejson)
    .replace('new maplibregl.Map(', 'window.map = new maplibregl.Map(');
  const visit = await dashboard.visit('/docs');
  const dist = 'node_modules/maplibre-gl/dist/';
  await visit.page.route('https://unpkg.com/maplibre-gl@6/dist/*', (route) =>
    route.fulfill({
      path: dist + new URL(route.request().url()).pathname.split('/').at(-1),
      headers: { 'Access-Control-Allow-Origin': '*' },
    }),
  );
  const printed: string[] = [];
  visit.page.on('console', (message) => printed.push(message.text()));
  visit.page.on('pageerror', (error) => printed.push(error.message));
  // Served from another origin of this machine: a browser lets no page of another network call it.
  const reader = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => reader.listen(0, '127.0.0.1', resolve));
  await visit.page.goto(`http://127.0.0.1:${(reader.address() as AddressInfo).port}/`);
  const drawn = `window.map?.loaded() && window.map.querySourceFeatures(
    ${selection ? "'choice', { sourceLayer: 'areas' }" : "'border'"}).length > 0`;
  await visit.page.waitForFunction(drawn, undefined, { timeout: 60_000, polling: 200 }).catch((error: Error) => {
    throw new Error(`${error.message}\n${printed.join('\n')}`);
  });
  await visit.page.close();
  reader.close();
}

describe.each(texts)('$path', ({ file }) => {
  test.skipIf(file === 'first/r' && !hasR)(
    'does what it says',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'boundary-recipe-'));
      folders.push(folder);
      const blocks = blocksOf(join('docs', `${file}.md`)).map(({ content, ...block }) => {
        return { ...block, content: content.replace(HERE, dashboard.base) };
      });
      // Jobs are run by a process of their own elsewhere.
      const jobs = setInterval(() => void dashboard.testServer.jobRunner.runDue().catch(() => undefined), 500);
      let said: string | null = null;
      let ran = 0;
      const run = async ({ language, file: name, content }: Block): Promise<string | null> => {
        if (name !== null) writeFileSync(join(folder, name), content);
        else if (LEFT_OUT.test(content)) return null;
        else if (language === 'sh') return shell(content, folder);
        else if (language === 'sql') return sql(content, folder);
        else if (language === 'html') await page(content, folder);
        else if (language === 'r') {
          writeFileSync(join(folder, 'page.R'), content);
          return shell('Rscript page.R', folder);
        } else throw new Error(`A block of ${language} is not run.`);
        return null;
      };
      try {
        for (const block of blocks) {
          if (block.language === 'text') {
            expect(fits(said ?? '', block.content), `${said}\nis not\n${block.content}`).toBe(true);
            continue;
          }
          said = await run(block);
          ran++;
        }
      } finally {
        clearInterval(jobs);
      }
      expect(ran).toBeGreaterThan(0);
    },
    240_000,
  );
});
