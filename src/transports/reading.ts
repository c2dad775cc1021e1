import type { Caller, Context } from '../core/op.ts';
import type { Services } from '../services.ts';

/** A signal for what takes none. */
const ENDLESS = new AbortController().signal;

/** What a request reads as that does not call an operation, such as for a tile. */
export function readingContext(services: Services, caller: Caller, requestId: string): Context {
  return {
    ...{ services, caller, requestId, signal: ENDLESS, address: null, transport: 'http', headers: {} },
    ...{ deadline: Date.now() + services.config.REQUEST_DEADLINE_MS, baseUrl: services.config.BASE_URL },
  };
}
