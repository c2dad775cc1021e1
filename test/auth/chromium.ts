import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a Chromium is installed. */
export const hasChromium = spawnSync('chromium', ['--version']).status === 0;

/** A tab of a real browser. */
export interface Tab {
  /** Opens an address and waits until its page has loaded. */
  open(url: string): Promise<void>;
  /** Sets the page size in pixels; a narrow page is a phone's. */
  resize(width: number, height: number): Promise<void>;
  /** Types text into the focused element. */
  type(text: string): Promise<void>;
  /** Presses a key (`Tab`, `Enter`); with `loads`, waits until the next page has loaded. */
  press(key: 'Tab' | 'Enter', loads?: boolean): Promise<void>;
  /** Evaluates an expression in the page. */
  read<T>(expression: string): Promise<T>;
  /** Violations of the page's Content-Security-Policy. */
  readonly violations: string[];
  close(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  params?: { entry?: { text: string } };
  result?: Record<string, unknown>;
  error?: { message: string };
}

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];
/** Timeout of a page load in milliseconds: normally milliseconds, but seconds on a busy machine. */
const LOADS_MS = 60_000;

const KEYS = { Tab: { code: 9, text: '' }, Enter: { code: 13, text: '\r' } };

/** Starts a Chromium and speaks its DevTools protocol over a pipe: JSON texts, each terminated by NUL. */
export async function openTab(): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'boundary-chromium-'));
  const child = spawn('chromium', [...ARGUMENTS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [toBrowser, fromBrowser] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const violations: string[] = [];
  let loaded = (): void => {};
  let rest = '';
  fromBrowser.on('data', (part: Buffer) => {
    const texts = (rest + part.toString()).split('\0');
    rest = texts.pop() as string;
    for (const text of texts) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else if (message.method === 'Page.loadEventFired') loaded();
      else if (
        message.method === 'Log.entryAdded' &&
        /content security policy/i.test(message.params?.entry?.text ?? '')
      ) {
        violations.push(message.params?.entry?.text ?? '');
      }
    }
  });
  let sent = 0;
  let sessionId: string | undefined;
  const call = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = ++sent;
      waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result ?? {})));
      toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  sessionId = (await call('Target.attachToTarget', { targetId, flatten: true })).sessionId as string;
  await call('Page.enable');
  await call('Log.enable');

  const whenLoaded = async (work: () => Promise<unknown>): Promise<void> => {
    const done = new Promise<boolean>((resolve) => {
      loaded = () => resolve(true);
    });
    await work();
    if (!(await Promise.race([done, sleep(LOADS_MS, false, { ref: false })]))) {
      throw new Error(`no page has loaded within ${LOADS_MS} ms; there is ${await read('document.body.outerHTML')}`);
    }
  };
  const read = async <T>(expression: string): Promise<T> => {
    const { result } = await call('Runtime.evaluate', { expression, returnByValue: true });
    return (result as { value: T }).value;
  };
  // A page focuses its first field when it is drawn, possibly after it has loaded; text typed before that is lost.
  const whenFocused = async (): Promise<void> => {
    for (let tries = 0; await read('document.activeElement === document.body'); tries++) {
      if (tries === 500) throw new Error('nothing in the page has the focus');
      await sleep(20);
    }
  };
  return {
    violations,
    open: (url) => whenLoaded(() => call('Page.navigate', { url })),
    async resize(width, height) {
      const mobile = width < 500;
      await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    },
    async type(text) {
      await whenFocused();
      await call('Input.insertText', { text });
    },
    async press(key, loads = false) {
      const { code, text } = KEYS[key];
      const stroke = async (): Promise<void> => {
        const event = { key, code: key, windowsVirtualKeyCode: code };
        await call('Input.dispatchKeyEvent', { ...event, type: 'keyDown', text });
        await call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
      };
      if (key === 'Enter') await whenFocused();
      await (loads ? whenLoaded(stroke) : stroke());
    },
    read,
    async close() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
