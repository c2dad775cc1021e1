import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('an account and what is in it', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  test('shows a new key once, lists it, and revokes it', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/account/keys', { cookie });
    await page.getByLabel('What it is for').fill(HOSTILE);
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.locator('.secret code').textContent()) ?? '';
    expect(secret).toMatch(/^bnd_/);
    const answer = await fetch(`${dashboard.base}/v1/account`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
    await page.reload();
    await expect.poll(() => page.locator('.members').textContent(), { timeout: 20_000 }).toContain(HOSTILE);
    expect(await page.content()).not.toContain(secret);
    const revoke = page.locator('.members li', { hasText: '<img' }).getByRole('button', { name: 'Revoke' });
    await revoke.click();
    await revoke.click();
    await expect.poll(() => page.getByText('<img src').count(), { timeout: 20_000 }).toBe(0);
    const refused = await fetch(`${dashboard.base}/v1/account`, { headers: { Authorization: `Bearer ${secret}` } });
    expect(refused.status).toBe(401);
    await page.goto(`${dashboard.base}/account/audit`);
    await expect
      .poll(() => page.locator('.members').textContent(), { timeout: 20_000 })
      .toMatch(/api_key.revoke.*<img/);
    expect(await page.locator('main img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the keyboard keeps its place when what had the focus goes', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/account/keys', { cookie });
    const name = page.getByLabel('What it is for');
    const create = page.getByRole('button', { name: 'Create key' });
    const at = (): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');
    for (const which of ['first', 'second']) {
      await name.fill(which);
      await create.focus();
      await page.keyboard.press('Enter');
      await page.locator('.members li', { hasText: which }).waitFor();
      await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false');
      expect(await at()).toBe('Create key');
      await page.getByRole('button', { name: 'Done' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(at).toBe('API keys');
    }
    const rows = page.locator('.members li');
    await rows.first().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('Revoke');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(at).toMatch(/^Revoke /);
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('Revoke');
    const next = await rows.nth(1).locator('.act').textContent();
    expect(next).toMatch(/^Revoke /);
    const count = await rows.count();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(count - 1);
    expect(await at()).toBe(next);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a form goes back to what it offered first: a second invitation is again for a member', async () => {
    const cookie = await dashboard.signIn();
    const { page } = await dashboard.visit('/account/members', { cookie });
    const role = page.locator('select[name=role]');
    expect(await role.inputValue()).toBe('member');
    await role.selectOption('admin');
    await page.getByLabel('Email').fill('someone@dashboard.example');
    await page.keyboard.press('Enter');
    await page.locator('.members', { hasText: 'someone@dashboard.example' }).waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
    expect(await role.inputValue()).toBe('member');
    await page.context().close();
  });

  test('the link of an invitation is copied, and opens it', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/account/members', { cookie });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const name of ['one', 'two']) {
      await page.getByLabel('Email').fill(`copied-${name}@dashboard.example`);
      await page.keyboard.press('Enter');
      await page.locator('.members', { hasText: `copied-${name}@dashboard.example` }).waitFor();
    }
    const row = page.locator('.members li', { hasText: 'copied-two@dashboard.example' });
    await row.getByRole('button', { name: 'Copy the link' }).click();
    await row.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const { items } = await page.evaluate<{ items: { email: string; url: string }[] }>(
      `fetch('/v1/orgs/invites').then((reply) => reply.json())`,
    );
    expect(link).toBe(items.find(({ email }) => email === 'copied-two@dashboard.example')?.url);
    const opened = await dashboard.visit(new URL(link).pathname + new URL(link).search);
    await expect.poll(() => opened.page.locator('main').textContent(), { timeout: 20_000 }).toMatch(/invit/i);
    await opened.page.context().close();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what people write on the board is text', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/feedback', { cookie });
    await page.getByLabel('Title').fill(HOSTILE);
    await page.getByLabel('Details').fill(HOSTILE);
    await page.getByRole('button', { name: 'Send' }).click();
    const link = page.getByRole('link', { name: HOSTILE });
    await link.click();
    await page.getByLabel('Your comment').fill(`${HOSTILE} too`);
    await page.getByRole('button', { name: 'Comment' }).click();
    await expect.poll(() => page.locator('.members').textContent(), { timeout: 20_000 }).toContain(`${HOSTILE} too`);
    // Who asks for something votes for it.
    await page.getByRole('button', { name: /Voted 1/ }).click();
    await page.getByRole('button', { name: /Vote 0/ }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a file of the library is saved, downloaded and deleted', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/library', { cookie });
    await page.getByText('Nothing is saved yet').waitFor();
    await page.getByLabel('Boundary id').fill('iso:ES-SE');
    await page.getByRole('button', { name: 'Save a boundary' }).click();
    const file = page.locator('.file');
    await expect.poll(() => file.textContent(), { timeout: 20_000 }).toContain('Sevilla (geojson, medium)');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      file.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toContain('Sevilla');
    await expect
      .poll(() => file.locator('.preview path').getAttribute('d'), { timeout: 20_000 })
      .toMatch(/^M[\d.]+ [\d.]+L/);
    expect(await violations()).toEqual([]);
    await file.getByRole('button', { name: 'Delete' }).click();
    await file.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing is saved yet').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a job is canceled and created again; its file is named as text', async () => {
    const cookie = await dashboard.signIn();
    const input = { children_of: 'iso:ES-SE', format: 'csv' };
    const made = await fetch(`${dashboard.base}/v1/jobs`, {
      method: 'POST',
      headers: {
        Cookie: `boundary_session=${cookie}`,
        Origin: dashboard.base,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ op: 'export_collection', input, name: HOSTILE }),
    });
    expect(made.status).toBe(201);
    const { page, faults, violations } = await dashboard.visit('/library', { cookie });
    const jobs = page.locator('.members li:not(.file)', { hasText: HOSTILE });
    await jobs.getByRole('button', { name: 'Cancel' }).click();
    await jobs.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => jobs.count(), { timeout: 20_000 }).toBe(2);
    expect(await jobs.first().textContent()).toMatch(/queued.*0 of 105/);
    expect(await jobs.last().textContent()).toContain('canceled');
    expect(await violations()).toEqual([]);
    await dashboard.testServer.jobRunner.runDue();
    await expect.poll(() => jobs.first().textContent(), { timeout: 20_000 }).toContain('done');
    await expect.poll(() => page.locator('.file').count(), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
