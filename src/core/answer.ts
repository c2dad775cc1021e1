import { z } from 'zod';
import { checkSuccess, type SuccessAnswer } from './declared.ts';
import { problem } from './errors.ts';
import { type AnyOp, type Bytes, type Context, isBytes, isCreated, isStreamed, type Streamed } from './op.ts';

/** The answer that a transport sends. */
export interface Answer {
  readonly status: number;
  /** Includes Content-Type, unless the status is 304. */
  readonly headers: Record<string, string>;
  /** The bytes of the body; empty when the status is 304. */
  readonly bytes: Uint8Array;
  /** The value that `bytes` is the JSON of, for transports that pass values on; absent if the operation made bytes. */
  readonly body?: unknown;
  /** Whether areas of sets may be in it, which have no public address. */
  readonly isPrivate?: true;
  /** Parts of an answer generated while it is sent; `bytes` is then empty. The consumer must end it (return, throw). */
  readonly stream?: AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * The answer that is made of what an operation returned: a value as JSON, bytes in the representation that the transport
 * selects, or a stream, once its first part is made.
 * @throws too_large when a read has more bytes than one response can have
 */
export async function answerOf(op: AnyOp, ctx: Context, result: unknown): Promise<Answer> {
  const { CHECK_OUTPUT, MAX_RESPONSE_BYTES } = ctx.services.config;
  if (isStreamed(result)) return streamOf(op, ctx, result);
  const made = whileLoading(op, ctx, isBytes(result) ? result : jsonOf(ctx, result));
  const { status, contentType } = made;
  const reads = op.effect === 'read';
  // A write has already happened and cannot be refused: it is sent whatever its size.
  if (reads && made.bytes.byteLength > MAX_RESPONSE_BYTES) {
    throw problem(
      'too_large',
      `The result has ${made.bytes.byteLength} bytes, more than one response can have. Ask for a lower detail or for less.`,
    );
  }
  if (CHECK_OUTPUT && status !== 304) {
    const { Location: location } = made.headers;
    const sent: SuccessAnswer = { status, contentType, location, body: isBytes(result) ? made.bytes : made.body };
    checkSuccess(op, ctx.transport === 'http', sent);
  }
  const sent = ctx.represent && reads ? await ctx.represent(made) : made;
  const headers: Record<string, string> = { ...made.headers, ...sent.headers };
  if (status === 304 || (reads && sameTag(ctx.headers['if-none-match'], headers.ETag))) {
    // A 304 is not charged, so it names no stored file.
    for (const name of ['Content-Location', 'Content-Disposition', 'Content-Encoding']) delete headers[name];
    return { status: 304, headers, bytes: new Uint8Array(0) };
  }
  await made.keep?.().catch((err: unknown) => {
    // The bytes exist but are not stored: send them without an address.
    ctx.services.log.warn({ err, request_id: ctx.requestId, op: op.name }, 'an answer was not cached in storage');
    delete headers['Content-Location'];
  });
  headers['Content-Type'] = contentType;
  const answer = { status, headers, bytes: sent.bytes, ...(ctx.services.sets && { isPrivate: true as const }) };
  return isBytes(result) ? answer : { ...answer, body: made.body };
}

/** An answer generated while it is sent; resolves once its first part is made. */
async function streamOf(op: AnyOp, ctx: Context, { content, contentType, headers }: Streamed): Promise<Answer> {
  if (ctx.services.config.CHECK_OUTPUT) {
    checkSuccess(op, ctx.transport === 'http' || ctx.intake !== undefined, {
      status: 200,
      contentType,
      body: new Uint8Array(0),
    });
  }
  const first = await content.next();
  async function* parts(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      if (!first.done) yield first.value;
      yield* content;
    } finally {
      await content.return(undefined);
    }
  }
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType },
    bytes: new Uint8Array(0),
    stream: parts(),
  };
}

type PreparedAnswer = Pick<Bytes, 'bytes' | 'contentType' | 'headers' | 'status' | 'keep'> & {
  readonly body?: unknown;
};

/** Serializes a value that an operation returned. It is serialized only here. */
function jsonOf(ctx: Context, result: unknown): PreparedAnswer {
  const [status, body] = isCreated(result) ? [201, result.body] : [200, result];
  const headers: Record<string, string> = isCreated(result) ? { Location: ctx.baseUrl + result.location } : {};
  return { status, headers, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)), body };
}

/** Adds `loading` to the answer while seed data is loading, if the operation's output has it: data may be missing. */
function whileLoading(op: AnyOp, ctx: Context, made: PreparedAnswer): PreparedAnswer {
  const loading = ctx.services.loading();
  if (!loading || !(op.output instanceof z.ZodObject) || !('loading' in op.output.shape)) return made;
  const { ETag: _, ...headers } = made.headers;
  const bytes = Buffer.concat([Buffer.from(`{"loading":${JSON.stringify(loading)},`), made.bytes.subarray(1)]);
  return { ...made, headers, bytes, ...(made.body === undefined ? {} : { body: { loading, ...made.body } }) };
}

/** RFC 9110 section 13.1.2: weak comparison against a list of entity tags. `*` matches nothing. */
export function sameTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || !etag) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
