import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { defined } from '../../src/common/elements.ts';

/** The most that they take on the busiest machine, in milliseconds: the timeout of a test with them is longer. */
const CROWD_MS = 280_000;
/** A client closes a connection that was idle for so long: half of what the server waits (transports/http/listen.ts). */
const IDLE_MS = 5_000;
/** Why a request for what is not stored waits; the last on a machine so busy that the database does not answer in time. */
const MEANWHILE: readonly unknown[] = ['geometry_pending', 'upstream_busy', 'upstream_unavailable'];

/**
 * Runs `clients` concurrent clients; each requests one of the boundaries from one of the servers until it has it, is
 * refused for good, or CROWD_MS have passed. A client that is asked to wait calls again after that time: a crowd
 * may exceed the capacity of a slow machine.
 * Returns the distinct final statuses of each boundary.
 * @throws TypeError when a server resets a connection
 */
export async function runConcurrentClients(
  addresses: readonly string[],
  ids: readonly number[],
  clients: number,
  key: string,
): Promise<number[]> {
  const dispatcher = new Agent({ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS });
  const headers = { Authorization: `Bearer ${key}` };
  const last = new Map<number, number>();
  const until = Date.now() + CROWD_MS;
  try {
    await Promise.all(
      Array.from({ length: clients }, async (_, n) => {
        const id = defined(ids[n % ids.length]);
        const address = addresses[Math.floor(n / ids.length) % addresses.length];
        for (;;) {
          const reply = await fetch(`${address}/v1/boundaries/r${id}?detail=low`, { headers, dispatcher });
          const { code } = (await reply.json()) as { code?: string };
          const wait = Number(reply.headers.get('retry-after') ?? Number.NaN);
          const isTold = wait >= 0 && (reply.status === 429 || (reply.status === 503 && MEANWHILE.includes(code)));
          if (isTold && Date.now() < until) {
            await sleep(1_000 * Math.max(0.2, wait));
            continue;
          }
          if (last.get(id) === undefined || reply.status !== 200) last.set(id, reply.status);
          return;
        }
      }),
    );
  } finally {
    await dispatcher.close();
  }
  return ids.map((id) => last.get(id) as number);
}
