import type { Limits } from '../domain/billing/limits.ts';
import type { Services } from '../services.ts';
import { THIS_MACHINE } from '../transports/addresses.ts';

/** Tiles per minute: of a network, and of this machine or a self-hosted service. Tiles are counted in tenths. */
const TILES_PER_MINUTE = 3_000;
const OWN_TILES_PER_MINUTE = 30_000;
const TENTHS = 10;

/**
 * Creates the rate limiter. A caller is counted by organization (its people and keys together), or by network without a
 * credential. `own`: the service is self-hosted, so every caller has the limits of a caller on this machine.
 */
export function admitBy(
  limits: Limits,
  exportsAMinute: number | null = null,
  own = false,
): NonNullable<Services['admit']> {
  return (caller, network, what = 'call', requests = 1) => {
    if (what === 'tile') {
      const limit = own || network === THIS_MACHINE ? OWN_TILES_PER_MINUTE : TILES_PER_MINUTE;
      return limits.count(`tile:${network}`, TENTHS * limit, requests);
    }
    if (what === 'export') return limits.count(`export:${network}`, exportsAMinute, requests);
    if (caller.org) return limits.admit(caller.org.id, caller.org.plan, requests);
    return limits.admit(network, own || network === THIS_MACHINE ? 'anonymous_own' : 'anonymous', requests);
  };
}
