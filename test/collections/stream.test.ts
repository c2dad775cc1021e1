import { createServer, get, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClientDisconnected } from '../../src/core/deadline.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { Outgoing } from '../../src/transports/http/outgoing.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

describe('a body that is sent part by part', () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  /** Serves one response, and gives it with the address it is asked for at. */
  async function serve(): Promise<{ asked: Promise<ServerResponse>; address: string }> {
    server?.close();
    const asked = new Promise<ServerResponse>((resolve) => {
      server = createServer((_request, response) => resolve(response));
    });
    await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
    const { port } = (server as Server).address() as AddressInfo;
    return { asked, address: `http://127.0.0.1:${port}/` };
  }

  async function* endless(count: { made: number; ended: boolean }): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        count.made++;
        yield new Uint8Array(64 * 1024);
      }
    } finally {
      count.ended = true;
    }
  }

  it('waits for its reader, and ends when the reader hangs up', async () => {
    const { asked, address } = await serve();
    const client = get(address, (response) => response.pause());
    client.on('error', () => undefined);
    const response = await asked;
    const count = { made: 0, ended: false };
    let made = 0;
    const sent = new Outgoing(1e6, 60_000).sendParts(response, endless(count), (waiting) => {
      // No part is asked for from here on: there is no room for one.
      if (waiting && response.writableLength > 0) {
        made = count.made;
        client.destroy();
      }
    });
    await expect(sent).rejects.toBeInstanceOf(ClientDisconnected);
    expect(count.made).toBe(made);
    expect(count.ended).toBe(true);
  });

  it('cuts a reader off that takes nothing', async () => {
    const { asked, address } = await serve();
    const client = get(address, (response) => response.pause());
    client.on('error', () => undefined);
    const response = await asked;
    const count = { made: 0, ended: false };
    await expect(new Outgoing(1e6, 50).sendParts(response, endless(count))).rejects.toBeInstanceOf(ClientDisconnected);
    expect(response.destroyed).toBe(true);
    expect(count.ended).toBe(true);
    client.destroy();
  });

  it('cuts a reader off that takes a little now and then, in the middle of a part', async () => {
    const { asked, address } = await serve();
    const client = get(address, (response) => response.pause());
    client.on('error', () => undefined);
    const response = await asked;
    // A large part, and a reader that never stalls: at its pace it would take most of an hour.
    async function* large(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(64e6);
    }
    const drip = setInterval(() => client.socket?.read(1), 10);
    try {
      const sent = new Outgoing(1e6, 500, 32e6).sendParts(response, large());
      await expect(sent).rejects.toBeInstanceOf(ClientDisconnected);
      expect(response.destroyed).toBe(true);
    } finally {
      clearInterval(drip);
      client.destroy();
    }
  });

  it('fails with what its parts fail with, and the reader sees that it is not whole', async () => {
    const { asked, address } = await serve();
    const read = new Promise<string>((resolve) => {
      const cut = (error: Error) => resolve(String((error as NodeJS.ErrnoException).code));
      const asking = get(address, (response) => {
        response.resume();
        response.on('error', cut);
        response.on('end', () => resolve('whole'));
      });
      asking.on('error', cut);
    });
    const response = await asked;
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      throw new Error('broken');
    }
    await expect(new Outgoing(1e6, 60_000).sendParts(response, broken())).rejects.toThrow('broken');
    expect(await read).toBe('ECONNRESET');
  });
});

describe('a collection that does not come to its end', () => {
  let testServer: BoundaryTestServer;
  beforeAll(async () => {
    testServer = await openBoundaryTestServer();
    await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
  });
  afterAll(() => testServer?.close());

  it('is free when it fails on the way, and cut off', async () => {
    const { key, org } = await testServer.key('free');
    const small = await testServer.withLimit(12_000);
    const ids = ['r111', 'r112', 'r113', 'r121', 'r100'];
    const sent = small.ask('POST', '/v1/collections', { key, json: { ids, detail: 'full' } });
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await testServer.used(key)).toBe(0);
    const alone = await small.ask('POST', '/v1/collections', { key, json: { ids: ['r100'], detail: 'full' } });
    expect([alone.status, alone.json.code]).toEqual([413, 'too_large']);
    await vi.waitFor(async () =>
      expect(await testServer.services.billing.usage(org)).toMatchObject({ reserved: 0, used: 0 }),
    );
  });

  it('is paid for when its reader hangs up, and the work ends', async () => {
    const { key, org } = await testServer.key('free');
    const { hostname: host, port } = new URL(testServer.address);
    const body = JSON.stringify({ children_of: 'r100', levels: 'all', detail: 'full' });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    await new Promise<void>((resolve, reject) => {
      const sent = request({ host, port, method: 'POST', path: '/v1/collections', headers }, (response) => {
        response.once('data', () => {
          response.destroy();
          resolve();
        });
        response.on('error', () => undefined);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    await vi.waitFor(async () =>
      expect(await testServer.services.billing.usage(org)).toMatchObject({ reserved: 0, used: 13 }),
    );
    await vi.waitFor(() => expect(testServer.engine.pool.active).toBe(0));
    expect((await testServer.ask('POST', '/v1/collections', { key, json: { ids: ['r111'] } })).status).toBe(200);
  });
});
