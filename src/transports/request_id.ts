import { randomUUID } from 'node:crypto';

/** Generates an id for a request that has none. */
export function newRequestId(): string {
  return randomUUID();
}

/** Returns the client's id if it is 8 to 64 letters, digits, `_` or `-`; otherwise a new one. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w-]{8,64}$/.test(sent) ? sent : newRequestId();
}
