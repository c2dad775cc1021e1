import type { Context } from 'koa';
import type { Caller } from '../core/op.ts';

/**
 * Counts a request under the limit of its caller. Returns the caller, and a function that counts an expensive request as
 * several.
 * @throws rate_limited, and what a bad credential throws
 */
export type Admit = (ctx: Context) => Promise<{ readonly caller: Caller; count(requests: number): Promise<void> }>;
