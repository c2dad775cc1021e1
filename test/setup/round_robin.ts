import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '../../src/common/elements.ts';

/** A proxy that sends each request to the next of its servers. */
export interface RoundRobin {
  readonly address: string;
  /** The addresses of the servers, in order. */
  targets: readonly string[];
  close(): Promise<void>;
}

/** Most servers tried for a request after failed connections. */
const TRIES = 3;

/**
 * Starts the proxy on loopback, without session affinity: two requests of a client usually reach two servers. The
 * response header `X-Served-By` names the server. Skips a server that refuses connections; an aborted response is
 * aborted for the client too.
 */
export async function startRoundRobin(): Promise<RoundRobin> {
  let next = 0;
  const proxy = { address: '', targets: [] as readonly string[] };

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tries: number): void {
    const target = defined(proxy.targets[next++ % proxy.targets.length]);
    const forwarded = [incoming.headers['x-forwarded-for'], '198.18.0.1'].filter(Boolean)[0];
    const headers = { ...incoming.headers, 'x-forwarded-for': forwarded };
    const onward = request(
      target + defined(incoming.url),
      { method: incoming.method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-served-by': target });
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
      },
    );
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) pass(incoming, outgoing, body, tries - 1);
      else outgoing.destroy();
    });
    outgoing.on('close', () => onward.destroy());
    onward.end(body);
  }

  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    pass(incoming, outgoing, Buffer.concat(parts), TRIES);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  proxy.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
