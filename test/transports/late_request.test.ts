import { once } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { discardRest } from '../../src/transports/body.ts';
import { listen } from '../../src/transports/http/listen.ts';

it('says of a request that does not come whole that it is late, not that it is malformed', async () => {
  const listening = await listen(() => undefined, { host: '127.0.0.1', port: 0 }, 'http://127.0.0.1');
  const { port } = listening.server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const [socket] = (await once(listening.server, 'connection')) as [Socket];
  client.write('GET /v1 HTTP/1.1\r\nHost: x\r\n');
  // As Node does where headers take longer than `headersTimeout`.
  listening.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('the request did not arrive completely in time');
  await listening.close();
});

it.each([
  // As a stream that was read in part leaves it.
  ['whose reader stopped early', 600_000, (request: IncomingMessage) => void request.on('readable', () => undefined)],
  ['that arrived, but is not read', 1_000, (request: IncomingMessage) => queueMicrotask(() => request.pause())],
])('keeps the connection of a refused body %s', async (_, size, read) => {
  const handler = (request: IncomingMessage, response: { end(content: string): unknown }): void => {
    read(request);
    response.end('no');
    discardRest(request);
  };
  const listening = await listen(handler, { host: '127.0.0.1', port: 0 }, 'http://127.0.0.1');
  const { port } = listening.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = async (size: number): Promise<ClientRequest> => {
    const request = httpRequest({ host: '127.0.0.1', port, agent, method: 'POST' });
    request.end(Buffer.alloc(size));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('no');
    return request;
  };
  await post(size);
  // Longer than an unwanted body is read.
  await sleep(2_300);
  expect((await post(0)).reusedSocket).toBe(true);
  agent.destroy();
  await listening.close();
});
