import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ToolHost } from './local.ts';
import { serverOf } from './server.ts';

/**
 * Serves tools of either revision over standard input and output until the input ends or the signal aborts, then aborts
 * running calls. Nothing else may write to standard output meanwhile. `report` receives errors.
 */
export async function serveMcpStdio(
  host: ToolHost,
  signal: AbortSignal,
  report: (error: Error) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve();
    process.stdin.once('end', end);
    process.stdin.once('close', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  const connection = serveStdio(() => serverOf(host), { onerror: report });
  await ended;
  await connection.close();
}
