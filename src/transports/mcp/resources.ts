import { isUtf8 } from 'node:buffer';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { contentType } from '../../../workers/formats/registry.ts';
import { authorize, RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { Services } from '../../services.ts';

/** Page size of resources/list. */
const PAGE = 100;
/** Maximum size of a file that is returned in a message. Larger files must be fetched at their URL. */
const READ_BYTES = 2 ** 20;
const FILE = /\/v1\/files\/(file_\w{1,40})\/content$/;

/** URL of a library file, which is also its resource URI. */
const uriOf = (baseUrl: string, id: string): string => `${baseUrl}/v1/files/${id}/content`;

/** The caller as a reader of the library; null without an account. */
function readerOf({
  account,
  org,
  role,
}: Caller): { account: string; org: string; role: NonNullable<Caller['role']> } | null {
  return account && org && role ? { account: account.id, org: org.id, role } : null;
}

/**
 * Lists the library files that the caller can see, newest first; none without an account. `cursor` is a `nextCursor`.
 */
export async function listResources(
  { files, config }: Services,
  caller: Caller,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const reader = readerOf(caller);
  if (!reader) return { resources: [] };
  authorize(RULES.list_files, 'read', caller);
  const offset = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(offset) || offset < 0 || offset > 100_000)
    throw problem('invalid_input', 'The cursor is unknown.');
  const { items, total } = await files.list(reader, { limit: PAGE, offset });
  const next = offset + items.length;
  return {
    resources: items.map(({ id, name, format, bytes }) => ({
      uri: uriOf(config.BASE_URL, id),
      name: id,
      title: name,
      mimeType: contentType(format),
      size: bytes,
    })),
    ...(items.length > 0 && next < total ? { nextCursor: String(next) } : {}),
  };
}

/**
 * Reads a library file that the caller may read now, as text if it is UTF-8 and else as base64.
 * @throws not_found for an unknown URI and for a file that is invisible to the caller; too_large over 1 MiB;
 * unauthorized
 */
export async function readResource(services: Services, caller: Caller, uri: string): Promise<ReadResourceResult> {
  const [, id] = FILE.exec(uri) ?? [];
  if (id === undefined) throw problem('not_found', 'There is no resource with this URI.');
  authorize(RULES.get_file, 'read', caller);
  const reader = readerOf(caller);
  if (!reader) throw problem('unauthorized', 'Files need a key or a sign-in.');
  const { entry } = await services.files.get(reader, id);
  const url = uriOf(services.config.BASE_URL, id);
  if (entry.bytes > READ_BYTES) throw problem('too_large', `The file has ${entry.bytes} bytes: fetch it at ${url}.`);
  const content = Buffer.from(await services.files.content(entry));
  const mimeType = contentType(entry.format);
  const isText = isUtf8(content);
  return {
    contents: [{ uri, mimeType, ...(isText ? { text: content.toString() } : { blob: content.toString('base64') }) }],
  };
}
