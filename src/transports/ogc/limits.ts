import type { Context } from 'koa';

/**
 * Counts a request under the limit of its caller. Returns a function that counts an expensive request as several.
 * @throws rate_limited, and what a bad credential throws
 */
export type Admit = (ctx: Context) => Promise<(requests: number) => Promise<void>>;
