import { defined } from '../../common/elements.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type FileRow, seesAll, toEntry } from './entries.ts';
import type { Files, Reader } from './file_entry.ts';

/** Number of restricted files that a reader sees, at a revision of their organization's library. */
interface Counted {
  readonly revision: number;
  readonly restricted: number;
}

/** Maximum readers whose count is cached; the least recently used is evicted. */
const REMEMBERED = 10_000;

/** The lists of the library. */
export function createListing(db: Database): Pick<Files, 'list' | 'tags'> {
  const counted = new Map<string, Counted>();
  function remember(reader: string, count: Counted): void {
    counted.delete(reader);
    counted.set(reader, count);
    if (counted.size > REMEMBERED) counted.delete(counted.keys().next().value as string);
  }

  /** Looks at every file that the reader sees. */
  async function find(by: Reader, page: Parameters<Files['list']>[1]) {
    const { limit, offset, q, tag, sort = 'newest' } = page;
    const values = [by.org, by.account, seesAll(by), limit, offset, q ?? null, sort, tag ?? null];
    const rows = await db.query<(FileRow | { id: null }) & { total: number }>(loadQuery('file_find'), values);
    const items = rows.flatMap((row) => (row.id === null ? [] : (toEntry(by.role, row) ?? [])));
    return { items, total: Number(defined(rows[0]).total) };
  }

  return {
    async list(by, page) {
      const { limit, offset, q, tag, sort = 'newest' } = page;
      const all = seesAll(by);
      if (q !== undefined || tag !== undefined || sort !== 'newest') return find(by, page);
      const reader = `${by.org} ${by.account}`;
      const known = counted.get(reader);
      const values = [by.org, by.account, all, limit, offset, known?.revision ?? null, known?.restricted ?? null];
      const rows = await db.query<(FileRow | { id: null }) & Counted & { total: number; unread: boolean }>(
        loadQuery('file_list'),
        values,
      );
      const { total, revision, restricted, unread } = defined(rows[0]);
      // Whether a file with areas of sets counts may change with any change of a set: no index and no count knows it.
      if (unread) return find(by, page);
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
