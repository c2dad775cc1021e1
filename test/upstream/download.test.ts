import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DownloadError, download } from '../../src/adapters/download.ts';

const BODY = JSON.stringify({ text: 'x'.repeat(5_000) });

let server: Server;
let elsewhere: Server;
const visits = { elsewhere: 0 };
const addressOf = (one: Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
const listening = (one: Server) => new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  elsewhere = createServer((_request, response) => {
    visits.elsewhere++;
    response.end('{}');
  });
  await listening(elsewhere);
  server = createServer((request, response) => {
    switch (request.url) {
      case '/packed':
        return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(BODY));
      case '/cut':
        return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(BODY).subarray(0, 30));
      case '/bomb':
        return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1e6)));
      case '/elsewhere':
        return void response.writeHead(302, { Location: addressOf(elsewhere) }).end();
      case '/echo':
        request.pipe(response);
        return;
      case '/silent':
        return;
      default:
        return void response.end(BODY);
    }
  });
  await listening(server);
});
afterAll(async () => {
  for (const one of [server, elsewhere]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});

const ask = (path: string, more: Partial<Parameters<typeof download>[1]> = {}) =>
  download(new URL(path, addressOf(server)), { userAgent: 'test/1', maxBytes: 10_000, deadlineMs: 10_000, ...more });

const troubleOf = async (asked: Promise<unknown>) => {
  const error = await asked.catch((thrown: unknown) => thrown);
  return error instanceof DownloadError ? error.trouble : error;
};

describe('download', () => {
  test('gives a whole body, packed or not, and counts the bytes of the wire', async () => {
    const plain = await ask('/');
    expect([plain.status, plain.body.toString(), plain.bytes]).toEqual([200, BODY, BODY.length]);
    const packed = await ask('/packed');
    expect([packed.body.toString(), packed.bytes]).toEqual([BODY, gzipSync(BODY).length]);
  });

  test('posts a form', async () => {
    const { body } = await ask('/echo', { form: { data: '[out:json];rel(1);out;&=' } });
    expect(new URLSearchParams(body.toString()).get('data')).toBe('[out:json];rel(1);out;&=');
  });

  test('does not follow a redirect', async () => {
    expect((await ask('/elsewhere')).status).toBe(302);
    expect(visits.elsewhere).toBe(0);
  });

  test.each([
    ['more bytes than are read', '/', { maxBytes: 100 }, 'too_big'],
    ['what unpacks to more', '/bomb', {}, 'too_big'],
    ['a packed body that is cut', '/cut', {}, 'truncated'],
    ['no answer in time', '/silent', { deadlineMs: 100 }, 'timeout'],
    ['given up before', '/', { signal: AbortSignal.abort() }, 'aborted'],
    ['given up meanwhile', '/silent', { signal: AbortSignal.timeout(50) }, 'aborted'],
  ])('%s', async (_what, path, more, trouble) => {
    expect(await troubleOf(ask(path, more))).toBe(trouble);
  });

  test('a name that leads nowhere', async () => {
    const options = { userAgent: 'test/1', maxBytes: 100, deadlineMs: 10_000 };
    expect(await troubleOf(download(new URL('http://nowhere.invalid/'), options))).toBe('unreachable');
  });
});
