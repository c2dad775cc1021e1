import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Context, Middleware } from 'koa';
import { FORMATS } from '../../workers/contract.ts';
import { contentType, extension } from '../../workers/formats/index.ts';
import { problem } from '../errors.ts';
import { ANONYMOUS, sameTag } from '../op.ts';
import type { Services } from '../services.ts';
import { addressGroup, clientAddress, proxyList } from './credentials.ts';
import {
  codingFor,
  isNegotiable,
  negotiated,
  type Outgoing,
  type Representation,
  represent,
} from './representation.ts';

const UNCOUNTED = { headers: {}, refused: null };
const PREFIX = '/v1/exports/';
const NAME = /^([0-9a-f]{64})\.([a-z]{3,8})(?:\?|$)/;
const BYTE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
const FORMAT_OF = new Map(FORMATS.map((format) => [extension(format), format]));

/** Headers of every export; a content security policy so that a picture or a page of data runs nothing. */
const FIXED = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/**
 * GET /v1/exports/{sha256}.{ext}: the bytes of an export, by content: they never change, so that any cache may keep
 * them for good. HEAD, If-None-Match and one byte range are answered; a url whose bytes were dropped for room is
 * not_found until the same export makes them again.
 *
 * Ranges are of the bytes as they are, never of an encoded representation (RFC 9110 section 14.2 counts in the
 * representation selected, and a part of a compressed file is of no use to who resumes a download): a request that
 * asks for a range, and whose If-Range holds, is answered without a content coding whatever it accepts. An If-Range
 * that names an encoded representation does not hold, so that its parts are never mixed: all is sent again.
 *
 * It stands before the router and writes its headers in one go: with bytes that are in memory, everything on this way
 * costs a few microseconds, beside the copying of the body into the socket.
 */
export function exportsRoute(services: Services, outgoing: Outgoing): Middleware {
  const proxies = proxyList(services.config.TRUSTED_PROXIES);
  return async (ctx, next) => {
    const { url = '', method } = ctx.req;
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return next();
    const network = addressGroup(clientAddress(ctx.req, proxies));
    const admission = services.admit?.(ANONYMOUS, network, 'export');
    const { headers, refused } = (admission instanceof Promise ? await admission : admission) ?? UNCOUNTED;
    if (refused) {
      ctx.set(headers);
      throw refused;
    }
    return sendExport(ctx, services, outgoing, url.slice(PREFIX.length));
  };
}

async function sendExport(ctx: Context, services: Services, outgoing: Outgoing, name: string): Promise<void> {
  const [, sha256 = '', ext = ''] = NAME.exec(name) ?? [];
  const format = FORMAT_OF.get(ext);
  const found = format ? services.blobs.get(sha256, ext) : null;
  const bytes = found instanceof Promise ? await found : found;
  if (!format || !bytes) {
    throw problem('not_found', 'No export is kept under this address; the same export call makes it again.');
  }
  const plain: Representation = { bytes, etag: `"${sha256}"`, coding: null };
  const { headers } = ctx.req;
  const range = rangeOf(ctx.req, plain.etag, bytes.byteLength);
  const negotiable = isNegotiable(bytes, plain.etag);
  const coding = negotiable && !range ? codingFor(ctx) : null;
  const sent = coding ? await represent(services, plain, coding, headers['if-none-match']) : plain;
  const fields: OutgoingHttpHeaders = { ...FIXED, ...(negotiable ? negotiated(sent) : { ETag: sent.etag }) };
  if (sent.coding === null) fields['Accept-Ranges'] = 'bytes';
  const respond = (status: number, body: Uint8Array | null): void => {
    if (body) {
      fields['Content-Type'] = contentType(format);
      fields['Content-Length'] = body.byteLength;
    } else if (status !== 304) fields['Content-Length'] = 0;
    ctx.respond = false;
    ctx.res.writeHead(status, fields);
    ctx.res.end(ctx.req.method === 'HEAD' ? undefined : (body ?? undefined));
  };
  if (sameTag(headers['if-none-match'], sent.etag)) return respond(304, null);
  if (range === 'unsatisfiable') {
    fields['Content-Range'] = `bytes */${bytes.byteLength}`;
    return respond(416, null);
  }
  outgoing.hold(ctx.res, sent.bytes);
  if (!range) return respond(200, sent.bytes);
  fields['Content-Range'] = `bytes ${range.from}-${range.to}/${bytes.byteLength}`;
  return respond(206, bytes.subarray(range.from, range.to + 1));
}

/** The range a GET asks for, where its If-Range holds: strong comparison, so never a weak tag or a date. */
function rangeOf({ method, headers }: IncomingMessage, etag: string, size: number): ReturnType<typeof readRange> {
  const { range, 'if-range': condition } = headers;
  if (method !== 'GET' || range === undefined) return null;
  if (condition !== undefined && String(condition).trim() !== etag) return null;
  return readRange(range, size);
}

/** One byte range; null (the whole) for several ranges, other units or nonsense, as RFC 9110 allows. */
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
