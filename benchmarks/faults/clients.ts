/** Clients that misbehave: malformed and huge requests, slow connections, many large calls. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchServer } from '../http/server.ts';
import { memoryOf } from './memory.ts';
import { type FaultEnvironment, injectFault, type Outcome, serve } from './stage.ts';

/** Resolves at an event, ignoring earlier errors. */
const heard = (socket: Socket, event: string): Promise<void> => new Promise((done) => socket.once(event, () => done()));

/** Sends each text over its own connection, and counts the first lines of the responses; closes each after `ms`. */
export async function raw(port: number, texts: readonly (string | Buffer)[], ms = 2000): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  await Promise.all(
    texts.map(async (text) => {
      const socket = connect(port, '127.0.0.1');
      let said = '';
      socket.on('error', () => undefined);
      socket.on('data', (part) => {
        said += part.toString('latin1').slice(0, 200);
      });
      socket.write(text);
      await Promise.race([heard(socket, 'close'), sleep(ms)]);
      socket.destroy();
      const line = /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'closed';
      answers.set(line, (answers.get(line) ?? 0) + 1);
    }),
  );
  return answers;
}

/** Counts of first lines as text. */
export const listed = (answers: ReadonlyMap<string, number>): string =>
  [...answers].map(([line, count]) => `${count} × ${line}`).join(', ');

/** Sends a gigabyte, or as much as the server accepts before it closes the connection. */
export async function gigabyte(port: number, head: string, chunked = false): Promise<Map<string, number>> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
  });
  socket.on('data', (part) => {
    said += part.toString('latin1').slice(0, 200);
  });
  socket.write(head);
  const part = Buffer.alloc(1_000_000, ' ');
  let sent = 0;
  for (; sent < 1000 && isOpen; sent++) {
    const bytes = chunked ? Buffer.concat([Buffer.from('f4240\r\n'), part, Buffer.from('\r\n')]) : part;
    if (!socket.write(bytes)) await Promise.race([heard(socket, 'drain'), heard(socket, 'close'), sleep(3000)]);
    if (said !== '') break;
  }
  socket.destroy();
  return new Map([[`${/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'closed'} after ${sent} MB`, 1]]);
}

/** Keeps 32 large calls in flight for four seconds; their operations are not among those whose units are compared. */
export async function heavy({ key }: FaultEnvironment, { port }: BenchServer): Promise<void> {
  const all = { children_of: 'iso:ES', levels: 'all' };
  const body = JSON.stringify({ a: all, b: all });
  const end = performance.now() + 4000;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/crosswalk`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
    }
  };
  await Promise.allSettled(Array.from({ length: 32 }, one));
}

/** Opens 300 connections that send a head, read nothing, and make one step per second. */
export async function slowClients(
  stage: FaultEnvironment,
  what: string,
  head: string,
  step: (socket: Socket) => unknown,
): Promise<Outcome> {
  const server = await serve(stage);
  const slow: Socket[] = [];
  try {
    const outcome = await injectFault(stage, server, async () => {
      for (let i = 0; i < 300; i++) {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(head);
        socket.pause();
        slow.push(socket);
      }
      for (let second = 0; second < 8; second++) {
        await sleep(1000);
        for (const socket of slow) step(socket);
      }
    });
    return { ...outcome, note: `300 ${what}; ${memoryOf(server.pid)} MB` };
  } finally {
    for (const socket of slow) socket.destroy();
    await server.stop();
  }
}
