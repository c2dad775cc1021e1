import { isUtf8 } from 'node:buffer';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { authorize, RULES } from '../../access.ts';
import { problem } from '../../errors.ts';
import { fileType } from '../../file_formats.ts';
import type { Caller } from '../../op.ts';
import type { Services } from '../../services.ts';

/** Files on a page of resources/list. */
const PAGE = 100;
/** Larger files are not put into a message; they are fetched at their address. */
const READ_BYTES = 2 ** 20;
const FILE = /\/v1\/files\/(file_\w{1,40})\/content$/;

/** The address of a file of the library, which is also its name as a resource. */
const uriOf = (baseUrl: string, id: string): string => `${baseUrl}/v1/files/${id}/content`;

/** Who reads, as files are asked for it; null without an account. */
function readerOf({
  account,
  org,
  role,
}: Caller): { account: string; org: string; role: NonNullable<Caller['role']> } | null {
  return account && org && role ? { account: account.id, org: org.id, role } : null;
}

/** The library files that the caller can see, newest first; none without an account. `cursor` is what came as nextCursor. */
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
      mimeType: fileType(format),
      size: bytes,
    })),
    ...(items.length > 0 && next < total ? { nextCursor: String(next) } : {}),
  };
}

/**
 * The content of a library file, as text where it is text, to whoever may read it at this moment. Throws not_found for an address that is
 * none and for a file that the caller may not see, too_large beyond 1 MiB, unauthorized.
 */
export async function readResource(services: Services, caller: Caller, uri: string): Promise<ReadResourceResult> {
  const [, id] = FILE.exec(uri) ?? [];
  if (id === undefined) throw problem('not_found', 'There is no resource with this address.');
  authorize(RULES.get_file, 'read', caller);
  const reader = readerOf(caller);
  if (!reader) throw problem('unauthorized', 'Files need a key or a sign-in.');
  const { entry } = await services.files.get(reader, id);
  const url = uriOf(services.config.BASE_URL, id);
  if (entry.bytes > READ_BYTES) throw problem('too_large', `The file has ${entry.bytes} bytes: fetch it at ${url}.`);
  const content = Buffer.from(await services.files.content(entry));
  const mimeType = fileType(entry.format);
  const isText = isUtf8(content);
  return {
    contents: [{ uri, mimeType, ...(isText ? { text: content.toString() } : { blob: content.toString('base64') }) }],
  };
}
