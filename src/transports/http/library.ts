import type { Context } from 'koa';
import { contentType, extension } from '../../../workers/formats/index.ts';
import { authorize, RULES } from '../../access.ts';
import { contentDisposition } from '../../disposition.ts';
import { problem } from '../../errors.ts';
import type { Caller } from '../../op.ts';
import type { Services } from '../../services.ts';
import type { Outgoing } from './outgoing.ts';
import { sendFile } from './send_file.ts';

/**
 * GET /v1/files/{id}/content: the bytes of a file of the library, to whoever may read it at this moment, by any
 * credential. It is asked for with every request, as a private cache must do before it uses what it kept. Free.
 */
export async function sendLibraryFile(
  ctx: Context,
  services: Services,
  outgoing: Outgoing,
  { account, org, role, ...who }: Caller,
  id: string,
): Promise<void> {
  authorize(RULES.get_file, 'read', { account, org, role, ...who });
  if (!account || !org || !role) {
    throw problem('unauthorized', 'There is no account behind this request: send an API key.');
  }
  const { entry } = await services.files.get({ account: account.id, org: org.id, role }, id);
  return sendFile(ctx, services, outgoing, {
    sha256: entry.sha256,
    bytes: await services.files.content(entry),
    contentType: contentType(entry.format),
    headers: {
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': contentDisposition(entry.name, extension(entry.format), entry.id),
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  });
}
