import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { invalidInput, type ProblemDocument, toProblemDocument } from '../../core/errors.ts';
import type { Services } from '../../services.ts';
import type { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';
import { codingFor, isFresh, isNegotiable, negotiated, type Representation, represent } from './representation.ts';

const BYTE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** A content-addressed file. */
export interface ContentFile {
  /** Hexadecimal; used as the entity tag. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers of every file. The content security policy keeps an SVG or a page of data from running scripts. */
const FIXED = { 'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'" };

/**
 * Sends a file. Supports HEAD, If-None-Match and one byte range.
 * Ranges count the identity bytes, never an encoded representation (RFC 9110 section 14.2 counts in the selected
 * representation, and a part of a compressed file does not help a client that resumes a download). So a request with a
 * range whose If-Range holds is answered without a content coding, whatever it accepts. An If-Range that names an
 * encoded representation does not hold: the whole file is sent again, so that parts are never mixed.
 * The headers are written in one call: for bytes in memory, the whole path costs a few microseconds besides copying the
 * body into the socket.
 */
export async function sendFile(
  exchange: Exchange,
  services: Services,
  outgoing: Outgoing,
  file: ContentFile,
): Promise<void> {
  const { request, response } = exchange;
  const { bytes } = file;
  const ifNoneMatch = request.headers['if-none-match'];
  const etag = `"${file.sha256}"`;
  const plain: Representation = { bytes, etag, coding: null };
  const range = rangeOf(request, etag, bytes.byteLength);
  const negotiable = isNegotiable(bytes, etag);
  const coding = negotiable && !range ? codingFor(exchange, bytes.byteLength) : null;
  const sent = coding ? await represent(services, plain, coding, ifNoneMatch) : plain;
  const isSent = isFresh(ifNoneMatch, sent.etag);
  // Reserved before any header is set: if there is no room, the answer is a different one.
  if (!isSent && range !== 'unsatisfiable') outgoing.reserve(response, sent.bytes);
  exchange.setAll(FIXED);
  exchange.setAll(file.headers);
  if (negotiable) exchange.setAll(negotiated(sent));
  else exchange.set('ETag', sent.etag);
  if (sent.coding === null) exchange.set('Accept-Ranges', 'bytes');
  if (isSent) return exchange.end(304, null);
  if (range === 'unsatisfiable') {
    exchange.set('Content-Range', `bytes */${bytes.byteLength}`);
    exchange.set('Content-Type', 'application/problem+json');
    const document = rangeNotSatisfiable(bytes.byteLength, exchange.requestId, services.config.BASE_URL);
    return exchange.end(416, Buffer.from(JSON.stringify(document)));
  }
  exchange.set('Content-Type', file.contentType);
  if (!range) return exchange.end(200, sent.bytes);
  exchange.set('Content-Range', `bytes ${range.from}-${range.to}/${bytes.byteLength}`);
  return exchange.end(206, bytes.subarray(range.from, range.to + 1));
}

/** A file that is streamed from storage because it is too large to hold in memory. */
export interface StreamedFile extends Omit<ContentFile, 'bytes'> {
  readonly size: number;
  /** Reads its bytes, or a range of them with both ends included. */
  readonly read: (range?: { readonly from: number; readonly to: number }) => Promise<AsyncIterable<Uint8Array>>;
}

/** Sends a large file. Works as `sendFile` does, but without content codings. */
export async function sendStreamedFile(
  ctx: Context,
  services: Services,
  outgoing: Outgoing,
  file: StreamedFile,
): Promise<void> {
  const { size, sha256, contentType } = file;
  const etag = `"${sha256}"`;
  const fields: OutgoingHttpHeaders = { ...FIXED, ...file.headers, ETag: etag, 'Accept-Ranges': 'bytes' };
  const fresh = isFresh(ctx.req.headers['if-none-match'], etag);
  const range = rangeOf(ctx.req, etag, size);
  if (!fresh && range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${size}`);
    ctx.status = 416;
    ctx.type = 'application/problem+json';
    ctx.body = JSON.stringify(rangeNotSatisfiable(size, ctx.state.requestId, services.config.BASE_URL));
    return;
  }
  const part = range === 'unsatisfiable' || range === null ? undefined : range;
  const sends = !fresh && ctx.req.method !== 'HEAD';
  if (sends) outgoing.admitStream();
  const parts = sends ? await file.read(part) : null;
  ctx.respond = false;
  if (fresh) {
    ctx.res.writeHead(304, fields).end();
    return;
  }
  fields['Content-Type'] = contentType;
  fields['Content-Length'] = part ? part.to - part.from + 1 : size;
  if (part) fields['Content-Range'] = `bytes ${part.from}-${part.to}/${size}`;
  ctx.res.writeHead(part ? 206 : 200, fields);
  if (!parts) {
    ctx.res.end();
    return;
  }
  await outgoing.sendParts(ctx.res, parts);
}

/** No problem code exists for this alone; the status is HTTP's own (416). */
function rangeNotSatisfiable(size: number, requestId: string, baseUrl: string): ProblemDocument {
  const message = `the file has ${size} bytes: the range begins after its end`;
  const failure = invalidInput([{ path: 'range', code: 'unsatisfiable', message }]);
  return { ...toProblemDocument(failure, requestId, baseUrl), status: 416 };
}

/**
 * The range that a GET requests if its If-Range holds. If-Range compares strongly, so a weak tag or a date never holds.
 */
function rangeOf({ method, headers }: IncomingMessage, etag: string, size: number): ReturnType<typeof readRange> {
  const { range, 'if-range': condition } = headers;
  if (method !== 'GET' || range === undefined) return null;
  if (condition !== undefined && String(condition).trim() !== etag) return null;
  return readRange(range, size);
}

/** Parses one byte range; null (the whole file) for several ranges, other units or invalid ones, as RFC 9110 allows. */
function readRange(header: string, size: number): { from: number; to: number } | 'unsatisfiable' | null {
  const [, first, last] = BYTE_RANGE.exec(header.trim()) ?? [];
  if (first === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= size) return 'unsatisfiable';
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
