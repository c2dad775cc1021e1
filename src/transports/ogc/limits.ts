import type { Context } from 'koa';

/**
 * Counts a request under the limit of its caller, and gives what counts one that does the work of several as so many.
 * Throws rate_limited, and what a bad credential throws.
 */
export type Admit = (ctx: Context) => Promise<(requests: number) => Promise<void>>;
