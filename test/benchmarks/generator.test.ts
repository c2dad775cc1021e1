import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { drive } from '../../benchmarks/http/generator.ts';

describe('the load generator', () => {
  let server: Server | null = null;
  afterEach(() => server?.close());

  async function serve(handler: Parameters<typeof createServer>[1]): Promise<number> {
    server = createServer(handler as never);
    await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  }

  it('makes as many requests as asked, in turn and with its headers, and reads every body to its end', async () => {
    const seen: string[] = [];
    const body = Buffer.alloc(700_000, 1);
    const port = await serve((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.authorization}`);
      res.setHeader('Content-Length', body.length);
      res.end(body);
    });
    const round = await drive(port, ['/thing?a=1', '/thing?a=2'], { Authorization: 'Bearer x' }, 20, 4);
    expect(seen).toHaveLength(20);
    for (const a of [1, 2]) expect(seen.filter((one) => one === `GET /thing?a=${a} Bearer x`)).toHaveLength(10);
    expect(round.bytes).toBe(20 * body.length);
  });

  it('fails on an answer that is not 200', async () => {
    const port = await serve((_req, res) => {
      res.statusCode = 429;
      res.end('slow down');
    });
    await expect(drive(port, ['/'], {}, 4, 2)).rejects.toThrow('429');
  });
});
