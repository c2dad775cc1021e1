/**
 * Measures the first load of the map over a slow network on a slow machine, in Debian's Chromium:
 *
 *   npx tsx benchmarks/web/slow.ts http://127.0.0.1:8080     # a server that runs at its BASE_URL
 *
 * 200 kB/s (1.6 Mbit/s) down, and 400 kB/s, 150 ms round trip, a quarter of the CPU. A proxy in front of the server slows
 * the network, so that requests of workers are slowed too, and every byte is counted. Prints when the first heading is
 * there, when the search box accepts input, when the map is drawn, the longest task of the page, the number of requests
 * and of bytes received. Results depend on the machine: nothing is asserted.
 */
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { timingOf } from '../measure.ts';

/** Bytes a millisecond, which are kB a second. */
const RATES = [200, 400];
const ONE_WAY_MS = 75;
const CPU_SLOWDOWN = 4;
const RUNS = 3;
const MOST_MS = 60_000;
/** Flags with which Chromium draws WebGL without a graphics card. */
const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

const target = new URL(process.argv[2] ?? 'http://127.0.0.1:8080');

/** A proxy that delays what it forwards and limits the bandwidth, which all connections share. */
async function slowLine(rate: number): Promise<{ port: number; received: () => number; close: () => void }> {
  let received = 0;
  let free = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 80), target.hostname);
    client.on('data', (data) => setTimeout(() => upstream.writable && upstream.write(data), ONE_WAY_MS));
    upstream.on('data', (data) => {
      received += data.length;
      const now = performance.now();
      free = Math.max(free, now) + data.length / rate;
      setTimeout(() => client.writable && client.write(data), free - now + ONE_WAY_MS);
    });
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('error', end).on('close', end);
    upstream.on('error', end);
    upstream.on('end', () => setTimeout(() => client.end(), Math.max(0, free - performance.now()) + ONE_WAY_MS));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, received: () => received, close: () => server.close() };
}

/** Records in the page when the search box appears and when the map is drawn, in ms since the navigation started. */
const WATCH = `
  const seen = (window.seen = {});
  new MutationObserver(() => {
    if (!seen.heading && document.querySelector('h1')) seen.heading = performance.now();
    if (!seen.box && document.querySelector('[role=combobox]')) seen.box = performance.now();
    if (!seen.map && document.querySelector('.map canvas') && !document.querySelector('.map .loading')) seen.map = performance.now();
  }).observe(document, { childList: true, subtree: true });
  seen.task = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration);
  }).observe({ type: 'longtask', buffered: true });
`;

/**
 * Polls until an expression is true in the page: its Content-Security-Policy forbids eval by Playwright's
 * waitForFunction.
 */
async function until(page: Page, expression: string): Promise<void> {
  const began = performance.now();
  while (!(await page.evaluate(expression))) {
    if (performance.now() - began > MOST_MS) throw new Error(`not within ${MOST_MS} ms: ${expression}`);
    await sleep(20);
  }
}

interface Load {
  readonly heading: number;
  readonly typing: number;
  readonly map: number;
  readonly task: number;
  readonly requests: number;
  readonly kB: number;
}

async function load(rate: number): Promise<Load> {
  const line = await slowLine(rate);
  // The page keeps its address, which its policy and its style contain; only the route to it changes.
  const rule = `--host-resolver-rules=MAP ${target.host} 127.0.0.1:${line.port}`;
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: [...FLAGS, rule] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(WATCH);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    let requests = 0;
    // Those of workers too.
    page.context().on('request', () => requests++);
    const began = performance.now();
    await page.goto(target.href, { waitUntil: 'commit' });
    const box = page.getByRole('combobox');
    await box.waitFor({ timeout: MOST_MS });
    await page.keyboard.type('S');
    await until(page, `document.querySelector('[role=combobox]')?.value === 'S'`);
    const typing = performance.now() - began;
    await box.fill('');
    await until(page, 'Boolean(window.seen.map)');
    const { heading, map, task } = (await page.evaluate('window.seen')) as Pick<Load, 'heading' | 'map' | 'task'>;
    return { heading, typing, map, task, requests, kB: line.received() / 1000 };
  } finally {
    await browser.close();
    line.close();
  }
}

for (const rate of RATES) {
  const loads: Load[] = [];
  for (let run = 0; run < RUNS; run++) loads.push(await load(rate));
  const row = (name: string, of: keyof Load, unit: string): string => {
    const all = loads.map((one) => one[of]);
    return `  ${name}: ${timingOf(all).median.toFixed()} ${unit} (${all.map((one) => one.toFixed()).join(', ')})`;
  };
  process.stdout.write(
    [
      `${rate} kB/s`,
      row('first heading', 'heading', 'ms'),
      row('search box takes typing', 'typing', 'ms'),
      row('map is drawn', 'map', 'ms'),
      row('longest task', 'task', 'ms'),
      row('requests', 'requests', 'of the page'),
      row('received', 'kB', 'kB'),
      '',
    ].join('\n'),
  );
}
