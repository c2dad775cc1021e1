import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { recordingMailer } from './browser.ts';
import { hasChromium, openTab, type Tab } from './chromium.ts';

const { mails, ...mailer } = recordingMailer();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(!hasChromium)('a real browser (chromium)', () => {
  let testServer: TestServer;
  let tab: Tab;
  let base: string;
  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    testServer = await openTestServer({ BASE_URL: base }, { mailer, port });
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    await testServer?.close();
  });

  const MOST_LINKS = 6;
  const focused = (): Promise<string> => tab.read('document.activeElement.textContent');
  const title = (): Promise<string> => tab.read('document.querySelector("h1").textContent');

  test('signs in, lets a program in and signs out, all by keyboard, and refuses nothing of our pages', async () => {
    const asked = await testServer.ask('POST', '/v1/auth/device/code', { json: { client_name: 'boundary on laptop' } });
    const code = asked.json as Record<string, string>;
    await tab.open(defined(code.verification_uri_complete));
    expect(await title()).toBe('Sign in');
    await tab.type('keys@browser.example');
    await tab.press('Enter', true);
    expect(await title()).toBe('Check your email');
    await testServer.services.outbox.sendDue();
    const link = /http:\/\/\S+/.exec(defined(mails[0]).text)?.[0] as string;
    await tab.open(link);
    expect(await title()).toBe('Welcome');
    await tab.type('Kay');
    await tab.press('Enter', true);

    expect(await title()).toBe('Allow this app?');
    expect(await tab.read('document.body.textContent')).toContain('boundary on laptop');
    // The list of organizations, then the first button.
    await tab.press('Tab');
    await tab.press('Tab');
    expect(await tab.read('document.activeElement.textContent')).toBe('Approve');
    await tab.press('Enter', true);
    expect(await title()).toBe('Approved');
    const redeemed = await testServer.ask('POST', '/v1/auth/device/token', { json: { device_code: code.device_code } });
    expect(redeemed.status, redeemed.text).toBe(200);

    await tab.open(`${base}/sign-in`);
    expect(await title()).toBe('You are signed in');
    expect(await tab.read('document.body.textContent')).toContain('Kay, keys@browser.example');
    // Scripts see nothing of the session.
    expect(await tab.read('document.cookie')).toBe('');
    // The links that lead on, then the button.
    for (let i = 0; i < MOST_LINKS && (await focused()) !== 'Sign out'; i++) await tab.press('Tab');
    expect(await focused()).toBe('Sign out');
    await tab.press('Enter', true);
    expect(await title()).toBe('Sign in');
    expect(tab.violations).toEqual([]);
  });

  test('refuses what gets into a page from elsewhere', async () => {
    await tab.open(`${base}/sign-in`);
    await tab.read(`document.body.innerHTML += '<img src="x" onerror="document.title = 1"><p style="color: red">'`);
    await expect.poll(() => tab.violations.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await tab.read('document.title')).toBe('Sign in · Boundary Lookup');
    tab.violations.length = 0;
  });

  test.each(['/sign-in', '/sign-in/confirm'])('%s fits a phone, names every field and has its style', async (path) => {
    await tab.open(base + path);
    expect(await tab.read('getComputedStyle(document.querySelector("main")).maxWidth')).toMatch(/px$/);
    expect(await tab.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(
      await tab.read(
        '[...document.querySelectorAll("input:not([type=hidden])")].every((one) => one.labels.length === 1)',
      ),
    ).toBe(true);
    expect(await tab.read('document.documentElement.lang')).toBe('en');
    expect(tab.violations).toEqual([]);
  });
});
