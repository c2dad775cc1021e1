import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
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
