import type { FileFormat } from '../../../workers/formats/registry.ts';
import { type FileAccess, fileAccess, fileAccessAtLeast, type Visibility } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { atLeast, type Role } from '../../core/roles.ts';
import type { Detail } from '../../core/schemas.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { FileEntry, Reader } from './file_entry.ts';

/** A row of the statements that show files. */
export interface FileRow {
  id: string;
  name: string;
  made_by: string;
  boundary: string | null;
  version: number | null;
  format: FileFormat;
  detail: Detail | null;
  visibility: Visibility;
  tags: readonly string[];
  sha256: string;
  bytes: number;
  created_at: Date;
  updated_at: Date;
  expires_at: Date | null;
  data_at: Date;
  follow: boolean;
  /** JSON. */
  follow_error: string | null;
  creator: string | null;
  creator_email: string;
  creator_name: string | null;
  own: boolean;
  current: boolean;
  /** 1 read, 2 write, 3 admin; null: none. */
  share: 1 | 2 | 3 | null;
}

const SHARED = [null, 'read', 'write', 'admin'] as const;

/** A file as a reader with this role sees it; null if they may not. */
export function toEntry(role: Role, row: FileRow): FileEntry | null {
  const access = fileAccess(role, { visibility: row.visibility, own: row.own, share: SHARED[row.share ?? 0] });
  if (access === null) return null;
  const { id, name, boundary, version, current, format, detail, visibility, sha256, bytes, creator } = row;
  return {
    id,
    name,
    made_by: row.made_by,
    boundary_id: boundary,
    version,
    current: boundary === null ? null : current,
    format,
    detail,
    visibility,
    tags: row.tags,
    access,
    sha256,
    bytes,
    creator: creator === null ? null : { id: creator, email: row.creator_email, name: row.creator_name },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    data_at: row.data_at.toISOString(),
    follow: row.follow,
    follow_error: row.follow_error === null ? null : (JSON.parse(row.follow_error) as FileEntry['follow_error']),
  };
}

/** Whether a reader sees all files of the organization. */
export const seesAll = ({ role }: Reader): boolean => atLeast(role, 'admin');

/** The entry with this id as the reader sees it; null if there is none for them, or area sets in it that they may not read. */
export const findEntry = (from: Queryable, by: Reader, id: string): Promise<FileEntry | null> =>
  findSeen(from, by, id, false);

async function findSeen(from: Queryable, by: Reader, id: string, hidden: boolean): Promise<FileEntry | null> {
  const [row] = await from.query(loadQuery('file_seen'), [by.org, by.account, id, seesAll(by), hidden]);
  return row ? toEntry(by.role, row) : null;
}

/** Like findEntry(), but throws not_found instead of returning null. */
export const getEntry = async (from: Queryable, by: Reader, id: string): Promise<FileEntry> =>
  (await findEntry(from, by, id)) ?? refuse();

/** Like getEntry(), but its creator and admins also get one with area sets that they may not read: to delete it. */
export const entryToDelete = async (from: Queryable, by: Reader, id: string): Promise<FileEntry> =>
  (await findSeen(from, by, id, true)) ?? refuse();

function refuse(): never {
  throw problem('not_found', 'The library has no file with this id.');
}

/** @throws unauthorized unless the caller has at least the `wanted` access to a file they see */
export function requireFileAccess({ access }: FileEntry, wanted: FileAccess): void {
  if (!fileAccessAtLeast(access, wanted)) {
    throw problem('unauthorized', `This needs ${wanted} access to the file; yours is ${access}.`);
  }
}
