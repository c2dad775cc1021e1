import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { rowOf, storeMade } from '../history/made_editions.ts';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';
import { keysOf } from './keyboard.ts';
import { FIRST, JOBS, SECOND } from './keyboard_jobs.ts';

describe.skipIf(!hasChromium)('by keyboard alone', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const columns = (from: number, to: number) => [...rowOf(0, from, to), ...rowOf(1, from, to)];
    const { testServer } = dashboard;
    await storeMade(testServer, FIRST, [
      { id: 'a', name: 'Alpha', cells: columns(0, 1) },
      { id: 'b', name: 'Beta', cells: columns(1, 2) },
    ]);
    await storeMade(testServer, SECOND, [{ id: 'a', name: 'Alpha', cells: columns(0, 2) }]);
  }, 600_000);
  afterAll(() => dashboard?.close());

  async function accountWithSet(): Promise<string> {
    const cookie = await dashboard.signIn();
    const groups = { West: ['iso:ES-H', 'iso:ES-SE'], East: ['iso:ES-CO', 'iso:ES-CA'] };
    const answer = await fetch(`${dashboard.base}/v1/sets`, {
      method: 'POST',
      headers: { Cookie: `boundary_session=${cookie}`, Origin: dashboard.base, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'regions', groups, valid_from: '2020-01-01' }),
    });
    expect(answer.status).toBe(201);
    return cookie;
  }

  // The gate does each job at one of the two widths, and at the other in the next week.
  const cases = JOBS.flatMap((job, i) =>
    (i % 2 === 0 ? [1280, 390] : [390, 1280]).map((width) => [job.name, width, job] as const),
  );
  test.each(drawn(cases, JOBS.length))('%s, %i px', async (_name, width, { address, work }) => {
    const { page, faults } = await dashboard.visit(address, {
      cookie: await accountWithSet(),
      viewport: { width, height: 800 },
    });
    const keys = keysOf(page);
    await work(keys, page);
    expect(keys.covered).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
