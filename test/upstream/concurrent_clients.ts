/**
 * Runs `clients` concurrent clients; each requests one of the boundaries from one of the servers until it has it.
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
  const until = Date.now() + 100_000;
  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const id = ids[n % ids.length];
      const address = addresses[Math.floor(n / ids.length) % addresses.length];
      for (;;) {
        const reply = await fetch(`${address}/v1/boundaries/r${id}?detail=low`, { headers });
        const body = (await reply.json()) as { code?: string };
        // A crowd may exceed the capacity of a slow machine: refused clients retry.
        if ((reply.status === 503 || reply.status === 429) && Date.now() < until) {
          if (reply.status === 503) codes.add(body.code as string);
          await new Promise((resolve) => setTimeout(resolve, 200));
          continue;
        }
        if (last.get(id) === undefined || reply.status !== 200) last.set(id, reply.status);
        return;
      }
    }),
  );
  return { statuses: ids.map((id) => last.get(id) as number), codes: [...codes] };
}
