import type { Context, Middleware } from 'koa';
import { extension, type Format } from '../../../workers/formats/registry.ts';
import { problem } from '../../core/errors.ts';
import { ANONYMOUS } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { Admission } from '../admission.ts';
import { FILE_TYPES } from '../file_types.ts';
import { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';
import { sendFile, sendStreamedFile } from './send_file.ts';

const PREFIX = '/v1/exports/';
const NAME = /^([0-9a-f]{64})\.([a-z]{3,8})(?:\?|$)/;

const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The URL of an export. */
export const exportUrl = (baseUrl: string, sha256: string, format: Format): string =>
  `${baseUrl}${PREFIX}${sha256}.${extension(format)}`;

/**
 * GET /v1/exports/{sha256}.{ext}: the bytes of an export. The URL is content-addressed, so caches may keep it forever.
 * Exports that were evicted are not_found until the same export call makes them again. Runs before the router.
 */
export function exportsRoute(services: Services, outgoing: Outgoing): Middleware {
  const admission = new Admission(services);
  return async (ctx, next) => {
    const { url = '', method } = ctx.req;
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return next();
    let limitHeaders: Readonly<Record<string, string>> = {};
    const setHeaders = (headers: Readonly<Record<string, string>>): void => {
      limitHeaders = headers;
    };
    const refused = await admission.count(ANONYMOUS, admission.networkOf(ctx.req), setHeaders, 'export');
    if (refused) {
      ctx.set(limitHeaders);
      throw refused;
    }
    return sendExport(ctx, services, outgoing, url.slice(PREFIX.length));
  };
}

async function sendExport(ctx: Context, services: Services, outgoing: Outgoing, name: string): Promise<void> {
  const [, sha256 = '', ext = ''] = NAME.exec(name) ?? [];
  const type = FILE_TYPES.get(ext);
  if (!type) throw exportNotFound();
  const { blobs, config } = services;
  const held = blobs.held(sha256, ext);
  if (!held) {
    const size = await blobs.size(sha256, ext);
    if (size === null) throw exportNotFound();
    if (size > config.MAX_RESPONSE_BYTES) {
      await blobs.touch(sha256, ext);
      const read = (range?: { from: number; to: number }) => blobs.read(sha256, ext, range);
      return sendStreamedFile(ctx, services, outgoing, { sha256, size, read, contentType: type, headers: HEADERS });
    }
  }
  const bytes = held ?? (await blobs.get(sha256, ext));
  if (!bytes) throw exportNotFound();
  return sendFile(Exchange.of(ctx), services, outgoing, { sha256, bytes, contentType: type, headers: HEADERS });
}

function exportNotFound() {
  return problem('not_found', 'This export is unknown or was evicted. Repeat the export call to make it again.');
}
