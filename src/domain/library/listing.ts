import { defined } from '../../common/elements.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type FileRow, toEntry } from './entries.ts';
import type { Files, Reader } from './file_entry.ts';

/** Number of restricted files that a reader sees, at a revision of their organization's library. */
interface Counted {
  readonly revision: number;
  readonly restricted: number;
}

/** Maximum readers whose count is cached; the least recently used is evicted. */
const REMEMBERED = 10_000;

/** Whether a reader sees all files of the organization. */
const seesAll = ({ role }: Reader): boolean => role === 'owner' || role === 'admin';

/** The lists of the library. */
export function createListing(db: Database): Pick<Files, 'list' | 'tags'> {
  const counted = new Map<string, Counted>();
  function remember(reader: string, count: Counted): void {
    counted.delete(reader);
    counted.set(reader, count);
    if (counted.size > REMEMBERED) counted.delete(counted.keys().next().value as string);
  }

  return {
    async list(by, { limit, offset, q = null, tag = null, sort = 'newest' }) {
      const all = seesAll(by);
      if (q !== null || tag !== null || sort !== 'newest') {
        const rows = await db.query<(FileRow | { id: null }) & { total: number }>(loadQuery('file_find'), [
          by.org,
          by.account,
          all,
          limit,
          offset,
          q,
          sort,
          tag,
        ]);
        const items = rows.flatMap((row) => (row.id === null ? [] : (toEntry(by.role, row) ?? [])));
        return { items, total: Number(defined(rows[0]).total) };
      }
      const reader = `${by.org} ${by.account}`;
      const known = counted.get(reader);
      const values = [by.org, by.account, all, limit, offset, known?.revision ?? null, known?.restricted ?? null];
      const rows = await db.query<(FileRow | { id: null }) & Counted & { total: number }>(
        loadQuery('file_list'),
        values,
      );
      const { total, revision, restricted } = defined(rows[0]);
      if (!all) remember(reader, { revision, restricted });
      const items = rows.flatMap((row) => (row.id === null ? [] : (toEntry(by.role, row) ?? [])));
      return { items, total };
    },

    async tags(by, limit) {
      const rows = await db.query(loadQuery('file_tags'), [by.org, by.account, seesAll(by), limit]);
      return { items: rows.map(({ tag, files }) => ({ tag, files })), total: rows[0]?.total ?? 0 };
    },
  };
}
