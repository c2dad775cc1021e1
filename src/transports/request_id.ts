import { randomUUID } from 'node:crypto';

/** An id for a request that brings none. */
export function newRequestId(): string {
  return randomUUID();
}

/** The client's own id when it is 8 to 64 letters, digits, `_` and `-`; else a new one. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w-]{8,64}$/.test(sent) ? sent : newRequestId();
}
