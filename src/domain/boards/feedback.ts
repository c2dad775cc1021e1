import { defined, only } from '../../common/elements.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { foldName } from '../names/fold.ts';
import { toAscii } from '../names/names.ts';

export const FEEDBACK_KINDS = ['feature', 'issue'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];
export const FEEDBACK_STATUSES = ['open', 'planned', 'in_progress', 'done', 'declined', 'duplicate'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];
/** Statuses that the filter value `active` selects (spec 3.1). */
export const ACTIVE: readonly FeedbackStatus[] = ['open', 'planned', 'in_progress'];

/** Statuses that may follow each status; a closed item is reopened before it gets another. */
const NEXT: Readonly<Record<FeedbackStatus, readonly FeedbackStatus[]>> = {
  open: ['planned', 'in_progress', 'done', 'declined', 'duplicate'],
  planned: ['open', 'in_progress', 'done', 'declined', 'duplicate'],
  in_progress: ['open', 'planned', 'done', 'declined', 'duplicate'],
  done: ['open'],
  declined: ['open'],
  duplicate: ['open'],
};

/** An item of the board; it never says who filed it. */
export interface FeedbackItem {
  readonly id: number;
  readonly kind: FeedbackKind;
  readonly status: FeedbackStatus;
  readonly duplicate_of: number | null;
  readonly title: string;
  readonly details: string;
  readonly upvotes: number;
  readonly comment_count: number;
  readonly created_at: string;
  /** Whether the caller voted; absent if there is no account. */
  readonly voted?: boolean;
}

export interface FeedbackComment {
  readonly id: number;
  /** Whether an operator wrote it. */
  readonly by_operator: boolean;
  readonly body: string;
  readonly created_at: string;
}

export interface FeedbackHistory {
  readonly status: FeedbackStatus;
  readonly duplicate_of: number | null;
  readonly set_at: string;
}

export interface FeedbackSearch {
  readonly kind: FeedbackKind | null;
  readonly statuses: readonly FeedbackStatus[] | null;
  readonly sort: 'top' | 'new';
  /** Words that the title must all contain, anywhere in it, in any language. */
  readonly q?: string;
  /** Only what this account filed. */
  readonly author: string | null;
  /** RFC 3339: later items are hidden, so that pages are stable while items arrive. */
  readonly asOf: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** The feedback board; owns its tables. `account` is the caller's, or null. */
export interface Feedback {
  /** Files an item with its author's vote, in the caller's transaction; returns its id. */
  file(tx: Queryable, entry: { kind: FeedbackKind; title: string; details: string; account: string }): Promise<number>;
  /** Up to five items similar to one, the most similar first. */
  similar(id: number, account: string): Promise<FeedbackItem[]>;
  list(
    search: FeedbackSearch,
    account: string | null,
  ): Promise<{ items: FeedbackItem[]; total: number; as_of: string }>;
  /** @throws not_found */
  item(id: number, account: string | null): Promise<FeedbackItem>;
  comments(id: number, page: { limit: number; offset: number }): Promise<FeedbackComment[]>;
  history(id: number): Promise<FeedbackHistory[]>;
  /** Sets or removes a vote, one per person; the same again changes nothing. @throws not_found */
  vote(id: number, account: string, voted: boolean): Promise<FeedbackItem>;
  /** Writes a comment in the caller's transaction. @throws not_found */
  comment(
    tx: Queryable,
    entry: { item: number; account: string | null; byOperator: boolean; body: string },
  ): Promise<FeedbackComment>;
  /** @throws not_found, and invalid_input for a transition that is not allowed or a wrong duplicate */
  setStatus(id: number, status: FeedbackStatus, duplicateOf: number | null): Promise<FeedbackItem>;
}

interface ItemRow extends Omit<FeedbackItem, 'created_at' | 'voted'> {
  created_at: Date;
  voted: boolean;
}
interface PageRow extends Omit<ItemRow, 'id'> {
  id: number | null;
  total: number;
  as_of: string;
}

const SIMILAR = 5;
/** Characters that are compared: the trigrams of a long text resemble those of no other. */
const COMPARED = 300;

const trigramText = (title: string, details: string) => toAscii(foldName(`${title} ${details}`)).slice(0, COMPARED);

function toItem(row: ItemRow, account: string | null): FeedbackItem {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    duplicate_of: row.duplicate_of,
    title: row.title,
    details: row.details,
    upvotes: row.upvotes,
    comment_count: row.comment_count,
    created_at: row.created_at.toISOString(),
    ...(account === null ? {} : { voted: row.voted }),
  };
}

const noItem = () => problem('not_found', 'There is no feedback item with this id.');

/** The board of a database. */
export function createFeedback(db: Database): Feedback {
  async function items(ids: readonly number[], account: string | null): Promise<FeedbackItem[]> {
    const rows = await db.query(loadQuery('feedback_items'), [ids, account]);
    const byId = new Map(rows.map((row) => [row.id, toItem(row, account)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async function item(id: number, account: string | null): Promise<FeedbackItem> {
    const [found] = await items([id], account);
    if (!found) throw noItem();
    return found;
  }

  return {
    item,

    async file(tx, { kind, title, details, account }) {
      await tx.query(loadQuery('feedback_lock'));
      const values = [kind, title, details, foldName(title), trigramText(title, details), account];
      const { id } = only(await tx.query(loadQuery('feedback_put'), values));
      await tx.query(loadQuery('feedback_vote'), [id, account]);
      return id;
    },

    async similar(id, account) {
      const { title, details } = await item(id, account);
      const values = [trigramText(title, details), id, SIMILAR];
      const rows = await db.query(loadQuery('feedback_similar'), values);
      return items(
        rows.map((row) => row.id),
        account,
      );
    },

    async list(search, account) {
      const words = foldName(search.q ?? '')
        .split(' ')
        .filter((word) => word !== '');
      // A query of punctuation alone must match no title.
      const patterns = words.length === 0 && search.q !== undefined ? [''] : words.map((word) => `%${word}%`);
      const rows = await db.query(loadQuery('feedback_list'), [
        search.kind,
        search.statuses,
        patterns,
        search.author,
        search.asOf,
        search.sort,
        search.limit,
        search.offset,
        account,
      ]);
      const found = rows.filter((row): row is PageRow & ItemRow => row.id !== null);
      return {
        items: found.map((row) => toItem(row, account)),
        total: defined(rows[0]).total,
        as_of: defined(rows[0]).as_of,
      };
    },

    async comments(id, { limit, offset }) {
      const rows = await db.query(loadQuery('feedback_comments'), [id, limit, offset]);
      return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
    },

    async history(id) {
      const rows = await db.query(loadQuery('feedback_history'), [id]);
      return rows.map((row) => ({ ...row, set_at: row.set_at.toISOString() }));
    },

    async vote(id, account, voted) {
      await db.query(loadQuery(voted ? 'feedback_vote' : 'feedback_unvote'), [id, account]);
      return item(id, account);
    },

    async comment(tx, entry) {
      const [row] = await tx.query(loadQuery('feedback_put_comment'), [
        entry.item,
        entry.account,
        entry.byOperator,
        entry.body,
      ]);
      if (!row) throw noItem();
      return { ...row, created_at: row.created_at.toISOString() };
    },

    async setStatus(id, status, duplicateOf) {
      await db.transaction(async (tx) => {
        const wanted = duplicateOf === null ? [id] : [id, duplicateOf];
        const rows = await tx.query(loadQuery('feedback_lock_items'), [wanted]);
        const now = rows.find((row) => row.id === id);
        if (!now) throw noItem();
        if (now.status === status) return;
        if (!NEXT[now.status].includes(status)) {
          throw invalidInput([
            {
              path: 'status',
              code: 'invalid_value',
              message: `an item that is ${now.status} cannot become ${status}`,
            },
          ]);
        }
        if (duplicateOf !== null) {
          const original = rows.find((row) => row.id === duplicateOf);
          const fault =
            duplicateOf === id
              ? 'an item cannot be a duplicate of itself'
              : !original
                ? 'there is no such item'
                : original.status === 'duplicate'
                  ? 'that item is itself a duplicate'
                  : null;
          if (fault) throw invalidInput([{ path: 'duplicate_of', code: 'invalid_value', message: fault }]);
        }
        await tx.query(loadQuery('feedback_set_status'), [id, status, duplicateOf]);
      });
      return item(id, null);
    },
  };
}
