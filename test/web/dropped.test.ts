import { afterEach, expect, test, vi } from 'vitest';

/** By name, as its types are those of a browser. */
const MODULE = '../../web/src/file/dropped.ts';
type Read = (files: readonly File[], options: object, signal: AbortSignal) => Promise<object>;

afterEach(() => vi.unstubAllGlobals());

test('a file that is given up while it is loaded starts no worker', async () => {
  let started = 0;
  class Started {
    constructor() {
      started++;
    }
    terminate(): void {}
    postMessage(): void {
      setTimeout(() => (this as { onmessage?: (event: object) => void }).onmessage?.({ data: { preview: {} } }));
    }
  }
  vi.stubGlobal('Worker', Started);
  vi.stubGlobal('navigator', { languages: ['en'], onLine: true });
  const { readFiles } = (await import(MODULE)) as { readFiles: Read };
  const files = [new File(['POLYGON((0 0,1 0,1 1,0 0))'], 'one.wkt')];
  expect(await readFiles(files, {}, new AbortController().signal)).toEqual({});
  expect(started).toBe(1);
  const stop = new AbortController();
  const reading = readFiles(files, {}, stop.signal);
  stop.abort();
  await expect(reading).rejects.toThrow(/abort/);
  expect(started).toBe(1);
});
