import { createRequire } from 'node:module';
import { only } from '../../common/elements.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';

export const REVIEW_SORTS = ['new', 'helpful', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

/** The name under which the review of an author without a name is shown. */
export const ANONYMOUS_AUTHOR = 'Anonymous';

/** What the author of a review writes. */
export interface ReviewText {
  readonly rating: number;
  readonly title: string;
  readonly body: string;
  readonly likes: string;
  readonly dislikes: string;
  readonly use_case: string;
  /** Name to show; null shows the author's first name, or Anonymous. */
  readonly display_name: string | null;
  readonly display_company: string | null;
  readonly marketing_consent: boolean;
}

interface Shown extends Omit<ReviewText, 'marketing_consent' | 'display_name'> {
  readonly id: string;
  readonly display_name: string;
  readonly response: { readonly body: string; readonly created_at: string } | null;
}

/** A review as the public sees it. */
export interface PublishedReview extends Shown {
  readonly published_at: string;
}

/** The newest version of a review, waiting for an operator. */
export interface PendingReview extends Shown {
  readonly version: number;
}

/** The newest version of a review, as its author and operators see it. */
export interface OwnReview extends Shown {
  readonly version: number;
  readonly state: 'published' | 'pending';
  readonly marketing_consent: boolean;
  readonly created_at: string;
}

/** A version of a review, as its author sees it. */
export interface ReviewVersion extends Omit<Shown, 'id' | 'response'> {
  readonly version: number;
  readonly marketing_consent: boolean;
  readonly created_at: string;
  /** Null if it was never on the public page. */
  readonly published_at: string | null;
}

/** Reviews of the service; owns their tables. */
export interface Reviews {
  /**
   * Writes a new version of the account's review in the caller's transaction. It is published at once if none of its
   * texts, nor its display name, has a link and the account is at least a day old (spec 3.2). Otherwise it waits for an
   * operator.
   */
  submit(tx: Queryable, account: { id: string; name: string | null }, text: ReviewText): Promise<OwnReview>;
  /**
   * Returns the account's review with a page of its versions, newest first, or null if it has none. `published_version`
   * is the one on the public page.
   */
  own(
    account: string,
    page: { limit: number; offset: number },
  ): Promise<{ review: OwnReview; published_version: number | null; items: ReviewVersion[]; total: number } | null>;
  /**
   * Returns the newest published version of each review. `helpful` sorts by detail: the most characters over all texts
   * first. Ties sort by publication time, newest first.
   */
  list(page: {
    sort: ReviewSort;
    rating: number | null;
    limit: number;
    offset: number;
  }): Promise<{ items: PublishedReview[]; total: number }>;
  /** Statistics of all published reviews: the average to two decimals (null without reviews) and counts per rating. */
  ratings(): Promise<{ average: number | null; distribution: Record<'1' | '2' | '3' | '4' | '5', number> }>;
  /** Reviews whose newest version waits for an operator, oldest first. */
  pending(page: { limit: number; offset: number }): Promise<{ items: PendingReview[]; total: number }>;
  /**
   * Publishes the newest version; idempotent.
   * @throws not_found; invalid_input if the newest version is not `version`, so that an unread text is not published
   */
  publish(id: string, version?: number): Promise<OwnReview>;
  /** Sets the response shown under the review; null removes it. @throws not_found */
  respond(id: string, response: string | null): Promise<OwnReview>;
}

/**
 * What makes a link without a domain name: two slashes (also without a scheme), a scheme without slashes, "www.", a link
 * of HTML or Markdown. Matches in linear time.
 */
const LINK = /\/\/|\bwww\.|\b(?:mailto|tel|javascript|data):\S|<a\s|\b(?:href|src)\s*=|\]\(/iu;
/** An IPv4 address, or an IPv6 address in brackets. */
const ADDRESS =
  /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)|\[[\da-f]*:[\da-f:.]*\]/iu;
/** A possible end of a domain name, in letters of any width, or in ASCII for other letters. */
const DOMAIN_END = /(?<=[\p{L}\p{N}]\.)(?:xn--[a-z\d]|[\p{L}\p{M}]{2,63})/giu;
/** IANA's top-level domains and those that it reserves (RFC 6761, RFC 7686). */
const TOP_LEVEL = new Set<string>([
  ...createRequire(import.meta.url)('tlds'),
  ...['example', 'invalid', 'localhost', 'test', 'local', 'onion'],
]);

/** Whether a text contains a possible link. Invisible characters (zero width, soft hyphens) are removed first. */
export function holdsLink(text: string): boolean {
  const shown = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  if (LINK.test(shown) || ADDRESS.test(shown)) return true;
  return [...shown.matchAll(DOMAIN_END)].some(
    ([end]) => /^xn--/i.test(end) || TOP_LEVEL.has(end.normalize('NFC').toLowerCase()),
  );
}

interface Row extends Omit<Shown, 'response'> {
  response: string | null;
  responded_at: Date | null;
}
function toShown(row: Row): Shown {
  const { id, rating, title, body, likes, dislikes, use_case, display_name, display_company } = row;
  const response =
    row.response === null || row.responded_at === null
      ? null
      : { body: row.response, created_at: row.responded_at.toISOString() };
  return { id, rating, title, body, likes, dislikes, use_case, display_name, display_company, response };
}

const noReview = () => problem('not_found', 'There is no review with this id.');

/** Creates the reviews service of a database. */
export function createReviews(db: Database): Reviews {
  async function newest(from: Queryable, id: string): Promise<OwnReview> {
    const [row] = await from.query(loadQuery('review_one'), [id]);
    if (!row) throw noReview();
    const { version, marketing_consent, created_at, published_at } = row;
    const state = published_at === null ? 'pending' : 'published';
    return { ...toShown(row), version, state, marketing_consent, created_at: created_at.toISOString() };
  }

  return {
    async submit(tx, account, text) {
      const { id } = only(await tx.query(loadQuery('review_put'), [newId('rev'), account.id]));
      const name = (text.display_name ?? account.name?.trim().split(/\s+/)[0]) || ANONYMOUS_AUTHOR;
      const texts = [text.title, text.body, text.likes, text.dislikes, text.use_case] as const;
      const everything = [...texts, name, text.display_company ?? ''];
      await tx.query(loadQuery('review_put_version'), [
        id,
        text.rating,
        ...texts,
        name,
        text.display_company,
        text.marketing_consent,
        texts.reduce((sum, one) => sum + [...one].length, 0),
        account.id,
        everything.some(holdsLink),
      ]);
      return newest(tx, id);
    },

    async own(account, { limit, offset }) {
      const [found] = await db.query(loadQuery('review_of'), [account]);
      if (!found) return null;
      const rows = await db.query(loadQuery('review_versions'), [found.id, limit, offset]);
      const items = rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        published_at: row.published_at?.toISOString() ?? null,
      }));
      const { published_version, versions: total } = found;
      return { review: await newest(db, found.id), published_version, items, total };
    },

    async list({ sort, rating, limit, offset }) {
      const rows = await db.query<Row & { published_at: Date; total: number }>(loadQuery('review_shown'), [
        rating,
        sort,
        limit,
        offset,
      ]);
      const items = rows.map((row) => ({ ...toShown(row), published_at: row.published_at.toISOString() }));
      if (rows.length > 0 || offset === 0) return { items, total: rows[0]?.total ?? 0 };
      // A page beyond the end has no row that carries the total.
      const [first] = await db.query(loadQuery('review_shown'), [rating, sort, 1, 0]);
      return { items, total: first?.total ?? 0 };
    },

    async ratings() {
      const rows = await db.query(loadQuery('review_ratings'));
      const distribution = { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 };
      for (const { rating, reviews } of rows) distribution[String(rating) as keyof typeof distribution] = reviews;
      const count = rows.reduce((sum, row) => sum + row.reviews, 0);
      const stars = rows.reduce((sum, row) => sum + row.rating * row.reviews, 0);
      return { average: count === 0 ? null : Math.round((100 * stars) / count) / 100, distribution };
    },

    async pending({ limit, offset }) {
      const rows = await db.query(loadQuery('review_pending'), [limit, offset]);
      const items = rows.map((row) => ({ ...toShown(row), version: row.version }));
      if (rows.length > 0 || offset === 0) return { items, total: rows[0]?.total ?? 0 };
      const [first] = await db.query(loadQuery('review_pending'), [1, 0]);
      return { items: [], total: first?.total ?? 0 };
    },

    async publish(id, version) {
      const [row] = await db.query(loadQuery('review_publish'), [id, version ?? null]);
      if (!row) throw noReview();
      if (row.version !== (version ?? row.version)) {
        const message = `the newest version is now ${row.version}: read it first`;
        throw invalidInput([{ path: 'expected_version', code: 'outdated', message }]);
      }
      return newest(db, id);
    },

    async respond(id, response) {
      const rows = await db.query(loadQuery('review_respond'), [id, response]);
      if (rows.length === 0) throw noReview();
      return newest(db, id);
    },
  };
}
