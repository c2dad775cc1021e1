import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import { sameTag } from '../../core/answer.ts';
import type { Services } from '../../services.ts';

/** Content codings that bodies are sent in, besides identity. */
export const CODINGS = ['gzip', 'br'] as const;
export type Coding = (typeof CODINGS)[number];

/** A body as it is sent: its bytes, encoded or not, and the entity tag of exactly these bytes. */
export interface Representation {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly coding: Coding | null;
}

/** Smallest body in bytes that is compressed: a smaller one fits into a packet or two either way. */
const LEAST_BYTES = 1024;

/** An entity tag that is the sha256 of the bytes, which identifies them no matter who produced them. */
const CONTENT_TAG = /^"([0-9a-f]{64})"$/;

/** Whether a body has encoded representations. If so, the answer varies with Accept-Encoding. */
export function isNegotiable(bytes: Uint8Array, etag: string | undefined): etag is string {
  return bytes.byteLength >= LEAST_BYTES && CONTENT_TAG.test(etag ?? '');
}

/** Entity tag of an encoded representation: the tag of the identity bytes with a suffix. */
const suffixed = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** Largest body in bytes for which the engine's brotli compresses better than its gzip (geometry/encodings.ts). */
const BROTLI_BYTES = 512 * 1024;

/** A request with its Koa context, which parses Accept-Encoding. */
interface NegotiatedRequest {
  readonly request: IncomingMessage;
  readonly context: Context;
}

/** Matches a coding in Accept-Encoding and captures its weight. */
const CODING_PATTERNS: Readonly<Record<Coding, RegExp>> = {
  gzip: /(?:^|,)[ \t]*gzip[ \t]*(?:;[ \t]*q=([\d.]{1,5})[ \t]*)?(?=,|$)/i,
  br: /(?:^|,)[ \t]*br[ \t]*(?:;[ \t]*q=([\d.]{1,5})[ \t]*)?(?=,|$)/i,
};

/** The weight of a coding that Accept-Encoding names (RFC 9110 section 12.4.2); 0 if it does not name it. */
function weightOf(accepted: string, coding: Coding): number {
  const named = CODING_PATTERNS[coding].exec(accepted);
  return named ? Number(named[1] ?? 1) : 0;
}

/**
 * Chooses the content coding of a body of `size` bytes, or null for identity (RFC 9110 section 12.5.3). When the client
 * weighs both alike, brotli is chosen where it compresses better: browsers name gzip first without preferring it.
 */
export function codingFor(sent: NegotiatedRequest, size: number): Coding | null {
  const accepted = sent.request.headers['accept-encoding'];
  if (accepted === undefined) return null;
  const name = `${size > BROTLI_BYTES ? 'large' : 'small'} ${accepted}`;
  const known = CHOICE_CACHE.get(name);
  if (known !== undefined) return known;
  const chosen = choose(sent.context, accepted, size);
  if (CHOICE_CACHE.size < MOST_CHOSEN && name.length <= CHOSEN_CHARACTERS) CHOICE_CACHE.set(name, chosen);
  return chosen;
}

/** Choices for the first headers seen: browsers send only a few, and parsing one costs as much as a call. */
const CHOICE_CACHE = new Map<string, Coding | null>();
const MOST_CHOSEN = 100;
const CHOSEN_CHARACTERS = 200;

function choose(context: Context, accepted: string, size: number): Coding | null {
  const wanted = CODINGS.find((coding) => coding === context.acceptsEncodings(...CODINGS, 'identity')) ?? null;
  if (wanted !== 'gzip' || size > BROTLI_BYTES) return wanted;
  const brotli = weightOf(accepted, 'br');
  return brotli > 0 && brotli >= weightOf(accepted, 'gzip') ? 'br' : 'gzip';
}

/**
 * Encodes a negotiable body, or returns it as it is when encoding does not make it smaller. If `ifNoneMatch` names the
 * encoded representation, the client has it: it is not made, and the answer becomes a 304.
 */
export async function represent(
  { encodings }: Pick<Services, 'encodings'>,
  plain: { readonly bytes: Uint8Array; readonly etag: string },
  coding: Coding | null,
  ifNoneMatch: string | undefined,
  signal?: AbortSignal,
): Promise<Representation> {
  if (coding === null) return { ...plain, coding };
  const etag = suffixed(plain.etag, coding);
  if (sameTag(ifNoneMatch, etag)) return { bytes: new Uint8Array(0), etag, coding };
  const bytes = await encodings.get(plain.etag.slice(1, -1), plain.bytes, coding, signal);
  return bytes ? { bytes, etag, coding } : { ...plain, coding: null };
}

/** Headers of a representation of a negotiable body. */
export function negotiated({ etag, coding }: Representation): Record<string, string> {
  const headers: Record<string, string> = { ETag: etag, Vary: 'Accept-Encoding' };
  if (coding) headers['Content-Encoding'] = coding;
  return headers;
}

/** Whether If-None-Match of a free file names its tag or is `*`, which matches anything. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.trim() === '*' || sameTag(ifNoneMatch, etag);
}

/**
 * JSON is generated, and thus compressed, for each request. Gzip at level 1 reduces a list to a tenth; it takes 0.15 ms
 * for the 5 KB of a typical search, which is too much, but 0.25 ms for 20 KB and 0.5 ms for 160 KB. Brotli takes three
 * times as long.
 */
const MIN_GZIP_BYTES = 16 * 1024;
const GZIP_LEVEL = 1;

/** Compresses text if it is large enough and the client accepts gzip; otherwise null. */
export async function gzipText(
  sent: { readonly context: Context },
  { buffer, byteOffset, byteLength }: Uint8Array,
): Promise<Uint8Array | null> {
  if (byteLength < MIN_GZIP_BYTES || sent.context.acceptsEncodings('gzip', 'identity') !== 'gzip') return null;
  const text = Buffer.from(buffer, byteOffset, byteLength);
  return promisify(gzip)(text, { level: GZIP_LEVEL, chunkSize: Math.ceil(byteLength / 4) });
}

/** Weak tag of an answer that is generated for each request: the content is the same in whatever coding it is sent. */
export function weakTag(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
