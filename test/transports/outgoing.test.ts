import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ProblemError } from '../../src/core/errors.ts';
import { Outgoing } from '../../src/transports/http/outgoing.ts';

/** More than the buffers of a connection take. */
const BODY = new Uint8Array(24_000_000);
const OTHER = new Uint8Array(24_000_000);

let server: Server;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A server that sends one of the bodies, held as the service holds them. */
async function serve(outgoing: Outgoing): Promise<number> {
  server = createServer((request, response) => {
    const body = request.url === '/other' ? OTHER : request.url === '/small' ? BODY.subarray(0, 1000) : BODY;
    try {
      outgoing.reserve(response, body);
      response.end(body);
    } catch (error) {
      response.writeHead(error instanceof ProblemError ? 429 : 500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Asks for something, and gives the status; what follows it is not read. */
function ask(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('readable', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(socket.read(32)))?.[1])));
  });
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it('one body counts once however many read it; another that does not fit beside it is refused', async () => {
  const outgoing = new Outgoing(BODY.length + 1000, 60_000);
  const port = await serve(outgoing);
  expect([await ask(port, '/'), await ask(port, '/'), outgoing.bytes]).toEqual([200, 200, BODY.length]);
  expect([await ask(port, '/other'), await ask(port, '/small'), outgoing.bytes]).toEqual([429, 200, BODY.length]);
  defined(sockets[0]).destroy();
  expect(await ask(port, '/other')).toBe(429);
  defined(sockets[1]).destroy();
  await until(() => outgoing.bytes === 0);
  expect([await ask(port, '/other'), outgoing.bytes]).toEqual([200, OTHER.length]);
});

it('one alone may be larger than the bound', async () => {
  const outgoing = new Outgoing(1000, 60_000);
  const port = await serve(outgoing);
  expect([await ask(port, '/'), await ask(port, '/other')]).toEqual([200, 429]);
});

it('a reader that takes nothing any more is cut off, and its room is free', async () => {
  const outgoing = new Outgoing(BODY.length, 300);
  const port = await serve(outgoing);
  expect(await ask(port, '/')).toBe(200);
  await until(() => outgoing.bytes === 0);
  expect(await ask(port, '/other')).toBe(200);
});
