import type { Context } from 'koa';
import { contentType, extension } from '../../../workers/formats/registry.ts';
import { contentDisposition } from '../../common/disposition.ts';
import { authorize, RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';
import { sendFile, sendStreamedFile } from './send_file.ts';

type LibraryEntry = Awaited<ReturnType<Services['files']['get']>>['entry'];

/**
 * Gets a library entry that the caller may read now.
 * @throws unauthorized for a caller without a library, not_found for an entry that is invisible to the caller or
 * expired
 */
export async function readableFile(
  { files }: Pick<Services, 'files'>,
  { account, org, role, ...who }: Caller,
  id: string,
): Promise<LibraryEntry> {
  authorize(RULES.get_file, 'read', { account, org, role, ...who });
  if (!account || !org || !role) {
    throw problem('unauthorized', 'This request has no account. Send an API key.');
  }
  const { entry } = await files.get({ account: account.id, org: org.id, role }, id);
  if (entry.expires_at === null || Date.parse(entry.expires_at) > Date.now()) return entry;
  throw problem('not_found', 'The library has no file with this id.');
}

/**
 * GET /v1/files/{id}/content: the bytes of a library file, for any credential that may read it now, or with
 * `?link=` the secret of a link to it. Private caches must revalidate on every request. Free of charge.
 */
export async function sendLibraryFile(
  ctx: Context,
  services: Services,
  outgoing: Outgoing,
  caller: Caller,
  id: string,
): Promise<void> {
  const link = ctx.query.link;
  const entry =
    typeof link === 'string' ? await services.files.linked(id, link) : await readableFile(services, caller, id);
  const file = {
    sha256: entry.sha256,
    contentType: contentType(entry.format),
    headers: {
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': contentDisposition(entry.name, extension(entry.format), entry.id),
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  };
  if (entry.bytes > services.config.MAX_RESPONSE_BYTES) {
    const read = (range?: { from: number; to: number }) => services.files.read(entry, range);
    return sendStreamedFile(ctx, services, outgoing, { ...file, size: entry.bytes, read });
  }
  return sendFile(Exchange.of(ctx), services, outgoing, { ...file, bytes: await services.files.content(entry) });
}
