import type { Context } from 'koa';
import { FORMATS } from '../../workers/contract.ts';
import { contentType, extension } from '../../workers/formats/index.ts';
import { problem } from '../errors.ts';
import type { Services } from '../services.ts';

const NAME = /^([0-9a-f]{64})\.([a-z]{3,8})$/;
const BYTE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * GET /v1/exports/{sha256}.{ext}: the bytes of an export, by content: they never change, so that any cache may keep
 * them for good. HEAD, If-None-Match and one byte range (RFC 9110 section 14) are answered; a url whose bytes were
 * dropped for room is not_found until the same export makes them again.
 */
export async function sendExport(ctx: Context, services: Services, name: string): Promise<void> {
  const [, sha256, ext] = NAME.exec(name) ?? [];
  const format = FORMATS.find((one) => extension(one) === ext);
  const bytes = sha256 && format ? await services.blobs.get(sha256, ext) : null;
  if (!format || !bytes) {
    throw problem('not_found', 'No export is kept under this address; the same export call makes it again.');
  }
  const etag = `"${sha256}"`;
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (sameTag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = contentType(format);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const range = ifRangeHolds(ctx, etag) ? readRange(ctx.get('Range'), whole.length) : null;
  if (range === 'unsatisfiable') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${whole.length}`);
    ctx.body = '';
    return;
  }
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${range.from}-${range.to}/${whole.length}`);
  ctx.body = range ? whole.subarray(range.from, range.to + 1) : whole;
}

function sameTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function ifRangeHolds(ctx: Context, etag: string): boolean {
  const condition = ctx.get('If-Range');
  return condition === '' || condition.trim() === etag;
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
