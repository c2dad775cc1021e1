import { setTimeout as sleep } from 'node:timers/promises';

/** The most that they take on the busiest machine, in milliseconds. */
const CROWD_MS = 280_000;

/**
 * Runs `clients` concurrent clients; each requests one of the boundaries from one of the servers until it has it, or
 * CROWD_MS have passed.
 * Returns the distinct final statuses of each boundary, and the error codes that clients received meanwhile.
 */
export async function runConcurrentClients(
  addresses: readonly string[],
  ids: readonly number[],
  clients: number,
  key: string,
): Promise<{ statuses: number[]; codes: string[] }> {
  const headers = { Authorization: `Bearer ${key}` };
  const codes = new Set<string>();
  const last = new Map<number, number>();
  const until = Date.now() + CROWD_MS;
  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const id = ids[n % ids.length];
      const address = addresses[Math.floor(n / ids.length) % addresses.length];
      for (;;) {
        const reply = await get(`${address}/v1/boundaries/r${id}?detail=low`, { headers });
        const body = (await reply.json()) as { code?: string };
        // A crowd may exceed the capacity of a slow machine: refused clients ask again when they are told to.
        if ((reply.status === 503 || reply.status === 429) && Date.now() < until) {
          if (reply.status === 503) codes.add(body.code as string);
          await sleep(1_000 * Math.max(0.2, Number(reply.headers.get('retry-after'))));
          continue;
        }
        if (last.get(id) === undefined || reply.status !== 200) last.set(id, reply.status);
        return;
      }
    }),
  );
  return { statuses: ids.map((id) => last.get(id) as number), codes: [...codes] };
}

/**
 * Asks again when the server has closed a connection that was idle for ten seconds, as a request was on its way: a client
 * may not count on it to stay open (RFC 9112, 9.3.1), and what only reads is sent again on another.
 */
async function get(address: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(address, init);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (tries === 5 || (code !== 'ECONNRESET' && code !== 'UND_ERR_SOCKET')) throw error;
    }
  }
}
