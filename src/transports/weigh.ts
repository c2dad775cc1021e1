import type { Caller, Context } from '../core/op.ts';
import type { Services } from '../services.ts';

/**
 * Returns a function that counts an expensive anonymous call as several requests under the limit of its network. `setHeaders`
 * receives the updated rate limit headers. Undefined where requests are not counted.
 */
export function weigher(
  { admit }: Pick<Services, 'admit'>,
  caller: Caller,
  network: string,
  setHeaders: (headers: Readonly<Record<string, string>>) => void = () => {},
): Context['countRequests'] {
  if (!admit || caller.account !== null || caller.operator) return undefined;
  return async (requests) => {
    if (requests <= 1) return;
    const { headers, refused } = await admit(caller, network, 'call', requests - 1);
    setHeaders(headers);
    if (refused) throw refused;
  };
}
