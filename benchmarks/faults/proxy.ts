import { connect, createServer, type Socket } from 'node:net';
import { defined } from '../../src/common/elements.ts';

/** A TCP relay on loopback that can delay, refuse or drop connections. */
export interface Relay {
  readonly port: number;
  /** Delays data from the client by this many milliseconds. */
  delay(ms: number): void;
  /** Closes every connection, and refuses new ones until `open`. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Relays to a port on loopback. */
export async function startRelay(target: number): Promise<Relay> {
  let ms = 0;
  let isShut = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isShut) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ]) {
      sockets.add(defined(one));
      defined(one).setNoDelay(true);
      defined(one).on('error', () => undefined);
      defined(one).on('close', () => {
        sockets.delete(defined(one));
        defined(other).destroy();
      });
    }
    upstream.pipe(client);
    // In order, each part when its delay is over.
    let turn = Promise.resolve();
    client.on('data', (part) => {
      const wait = ms;
      const due = wait === 0 ? undefined : new Promise((done) => setTimeout(done, wait));
      turn = turn.then(async () => {
        await due;
        if (upstream.writable) upstream.write(part);
      });
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    delay: (milliseconds) => {
      ms = milliseconds;
    },
    shut() {
      isShut = true;
      cut();
    },
    open() {
      isShut = false;
    },
    async close() {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}
