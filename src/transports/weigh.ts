import type { Caller, Context } from '../core/op.ts';
import type { Services } from '../services.ts';

/**
 * Returns a function that counts an expensive call as several requests under the limit of its caller or network. `setHeaders`
 * receives the updated rate limit headers. Undefined where requests are not counted.
 */
export function weigher(
  { admit }: Pick<Services, 'admit'>,
  caller: Caller,
  network: string,
  setHeaders: (headers: Readonly<Record<string, string>>) => void = () => {},
): Context['countRequests'] {
  if (!admit || caller.operator) return undefined;
  return async (requests, whose = 'anonymous') => {
    if (requests <= 1 || (whose === 'anonymous' && caller.account !== null)) return;
    const { headers, refused } = await admit(caller, network, 'call', requests - 1);
    setHeaders(headers);
    if (refused) throw refused;
  };
}
