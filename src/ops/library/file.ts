import { z } from 'zod';
import { contentType, FILE_FORMATS } from '../../../workers/formats/registry.ts';
import { FILE_ACCESS, VISIBILITIES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { detail, looseBoolean, oneLine, opaqueId, timestamp } from '../../core/schemas.ts';
import { EVENT_TYPES } from '../../domain/history/events.ts';
import type { FileEntry } from '../../domain/library/file_entry.ts';
import { type MadeFrom, notFollowed } from '../../domain/library/watched.ts';
import type { Share } from '../../domain/people/shares.ts';
import { KEY_ERRORS, person } from '../account/api_key.ts';

export const fileId = opaqueId.describe('Id of a file of the library: file_….');
export const visibility = z
  .enum(VISIBILITIES)
  .describe('org: visible to every member; restricted: only to its creator, admins and those it is shared with.');
export const fileAccess = z
  .enum(FILE_ACCESS)
  .describe('read; write: rename and refresh too; admin: share, hide and delete too. Viewers read at most.');

/** An entry of the library. */
export const fileEntry = z.object({
  id: z.string(),
  name: z.string(),
  made_by: z.string().describe('The operation that made it: export_boundary for a single boundary.'),
  boundary_id: z
    .string()
    .nullable()
    .describe('Canonical id of a single boundary; else null, as are version and current.'),
  version: z.int().nullable().describe('Version of the boundary when it was exported.'),
  current: z.boolean().nullable().describe('Whether that is still the newest version; refresh exports the newest.'),
  format: z.enum(FILE_FORMATS).describe('File format.'),
  detail: detail.nullable().describe('Null: made at a tolerance, or without geometry.'),
  visibility,
  tags: z.array(z.string()),
  access: fileAccess.describe('Access of the caller.'),
  url: z.url().describe('Permanent URL of the file, for the same credentials as this answer.'),
  content_type: z.string(),
  sha256: z.string().length(64),
  bytes: z.int(),
  creator: person.nullable().describe('Null: their account was deleted.'),
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp.nullable().describe('When it is deleted, for results of jobs; null: it is kept.'),
  data_at: timestamp.describe('The moment of the data that it was made from.'),
  follow: z.boolean().describe('Whether it is made again when its boundaries change, at the same url.'),
  follow_error: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('Why it could not be made again the last time; it is tried again.'),
});

/** What changed since a file was made. */
export const outdated = z
  .object({
    total: z.int().describe('Boundaries that changed since the file was made, up to 1,000; 0: it is up to date.'),
    items: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          types: z.array(z.enum(EVENT_TYPES)),
          name_before: z.string().optional(),
          km2_before: z.number().nullable().optional(),
          km2: z.number().nullable().optional(),
        }),
      )
      .describe('The first 50; in lists the first 3.'),
  })
  .nullable();

/** Whether a file follows its boundaries. */
export const follow = looseBoolean.optional().describe('Make it again when its boundaries change, at its price.');

/** Refuses to let a file follow that cannot. @throws invalid_input */
export function requireFollowable(from: MadeFrom): void {
  const reason = notFollowed(from);
  if (reason === null) return;
  throw invalidInput([{ path: 'follow', code: 'conflict', message: `is not for this file: ${reason}` }]);
}

/** Words by which members find a file. */
export const tags = z
  .array(oneLine.max(50))
  .max(20)
  .transform((all) => [...new Set(all)])
  .optional()
  .describe('In place of the tags that the file has.');

/** Someone a file is shared with: a team, a person, or whoever has a link. */
export const share = z.object({
  grant_id: z.string().describe('The grant id that unshare_file takes.'),
  team: z.object({ id: z.string(), slug: z.string(), name: z.string() }).nullable(),
  user: person.nullable(),
  access: fileAccess,
  created_at: timestamp,
  link: z
    .object({
      expires_at: timestamp,
      url: z.url().optional().describe('Only when it is made: it is kept nowhere.'),
    })
    .optional()
    .describe('Of a link, with which anyone reads this file, without an account, until it expires.'),
});

/** The shares of a file as an answer, a new link with its url. */
export function sharesAnswer({ baseUrl }: Pick<Context, 'baseUrl'>, id: string, shares: readonly Share[]) {
  return shares.map(({ link, ...one }): z.input<typeof share> => {
    if (link === undefined) return one;
    const { expires_at, secret } = link;
    const url = `${baseUrl}/v1/files/${id}/content?link=${secret}`;
    return { ...one, link: { expires_at, ...(secret !== undefined && { url }) } };
  });
}

/** Errors that any operation on files may have. */
export const FILE_ERRORS = [...KEY_ERRORS, 'not_found'] as const;
/** Further errors of an export that costs units. */
export const EXPORT_ERRORS = ['invalid_id', 'quota_exceeded', 'no_geometry', 'too_large'] as const;

/** An entry as an answer, with its permanent URL. */
export function fileAnswer({ baseUrl }: Pick<Context, 'baseUrl'>, entry: FileEntry): z.input<typeof fileEntry> {
  return {
    ...entry,
    tags: [...entry.tags],
    url: `${baseUrl}/v1/files/${entry.id}/content`,
    content_type: contentType(entry.format),
  };
}
