import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { type Bytes, bytes, defineOp } from '../../core/op.ts';
import { adminLevel, boundaryId } from '../../core/schemas.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { eventInWords, eventOf } from '../../domain/history/events.ts';
import { endedId } from '../../domain/history/versions.ts';
import { requireOfficial } from './official.ts';

/** Entries of a feed, boundaries that an entry names, and the number up to which they are counted. */
const [ENTRIES, NAMED, COUNTED] = [50, 50, 1_000];
/** Imports and updates among which those of a country or a level are looked for; ten times ENTRIES in change_feed. */
const LOOKED_AT = 10 * ENTRIES;
const ATOM = 'application/atom+xml';

export const getChangeFeed = defineOp({
  name: 'get_change_feed',
  summary: 'The newest changes of boundaries as an Atom feed (RFC 4287): an entry for each import or update.',
  description:
    'The last 50, each with the first 50 boundaries that were created, ended, renamed, recoded or reshaped. Filter by a ' +
    'boundary (and what is within it), a country or a level. Editions of a date are entries of a feed without filters, with ' +
    'the address of their list_changes. create_subscription sends messages instead.',
  route: { method: 'GET', path: '/changes.atom' },
  access: RULES.get_change_feed,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    boundary: boundaryId.optional().describe('Only this boundary and those within it.'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
      .optional()
      .describe('ISO 3166-1 alpha-2: only boundaries in it.'),
    admin_level: adminLevel.optional(),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Only earlier entries: from the link next.'),
  }),
  output: z.string().describe('An Atom document.'),
  success: { documents: [ATOM] },
  errors: ['invalid_input', 'invalid_id', 'rate_limited'],
  examples: [{ input: { country: 'ES' } }],
  async run(ctx, { boundary, country, admin_level, before }): Promise<Bytes> {
    requireOfficial('boundary', boundary, 'changes');
    const { boundaries, cache, db } = ctx.services;
    const filters = { boundary, country: country?.toUpperCase(), admin_level };
    const addressOf = (start: number | undefined): string => {
      const said = Object.entries({ ...filters, before: start }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      const query = new URLSearchParams(said).toString();
      return `${ctx.baseUrl}/v1/changes.atom${query === '' ? '' : `?${query}`}`;
    };
    const self = addressOf(before);
    const content = await boundaries.withSnapshot(async ({ revision }) => {
      const make = async (signal: AbortSignal) => {
        const [found] = boundary === undefined ? [] : await boundaries.lookup([boundary]);
        const id = boundary === undefined ? null : (found?.id ?? (await endedId(db, boundary, signal)));
        const values = [
          id,
          filters.country ?? null,
          admin_level ?? null,
          ENTRIES,
          NAMED,
          COUNTED,
          before ?? null,
        ] as const;
        const rows = await db.query(loadQuery('change_feed'), values, { signal });
        const end = await lastOf(db, rows, { isAll: id === null, before: before ?? null }, signal);
        const next = end === null ? null : addressOf(end);
        const written = Buffer.from(feedOf(rows, { self, next }, ctx.baseUrl));
        const sha256 = createHash('sha256').update(written).digest('hex');
        return { bytes: written, sha256, size: written.byteLength, items: rows.length };
      };
      return cache.getOrMake('lists', `feed ${revision} ${self}`, make, ctx.signal);
    });
    return bytes(content.bytes, ATOM, { headers: { ETag: `"${content.sha256}"`, 'Cache-Control': 'no-cache' } });
  },
});

/** A transaction of the feed. */
interface FeedRow {
  readonly id: number | bigint;
  readonly started_at: Date;
  readonly source: string | null;
  readonly valid_from: string | null;
  readonly total: number;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The transaction before which a further feed has entries, or may have some; null: there is none. Of a boundary all
 * transactions are looked at, of a country or a level a part.
 */
async function lastOf(
  db: Database,
  rows: readonly FeedRow[],
  { isAll, before }: { readonly isAll: boolean; readonly before: number | null },
  signal: AbortSignal,
): Promise<number | null> {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === ENTRIES) return Number(last.id);
  if (!isAll) return null;
  const [row] = await db.query(loadQuery('change_feed_last'), [LOOKED_AT, before], { signal });
  return row === undefined ? null : Number(row.id);
}

function feedOf(
  rows: readonly FeedRow[],
  { self, next }: { readonly self: string; readonly next: string | null },
  baseUrl: string,
): string {
  const updated = (rows[0]?.started_at ?? new Date(0)).toISOString();
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<title>${xml('Changes of boundaries')}</title>`,
    `<id>${xml(self)}</id>`,
    `<link rel="self" type="${ATOM}" href="${xml(self)}"/>`,
    ...(next === null ? [] : [`<link rel="next" type="${ATOM}" href="${xml(next)}"/>`]),
    `<updated>${updated}</updated>`,
    '<author><name>Boundary Lookup</name></author>',
    ...rows.map((row) => entryOf(row, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf({ id, started_at, source, valid_from, total, items }: FeedRow, baseUrl: string): string {
  const events = items.map((item) => {
    const { before, after } = item as { before: Readonly<Record<string, unknown>> | null; after: typeof before };
    return eventOf(String(item.id), { before, after });
  });
  const names = events.slice(0, 3).map(({ name }) => name);
  const count =
    total === 1 ? '1 boundary' : `${total >= COUNTED ? `${COUNTED} boundaries or more` : `${total} boundaries`}`;
  const edition =
    source === null || valid_from === null ? null : { source, from: dayBefore(valid_from), to: valid_from };
  const title = edition === null || total > 0 ? `${count} changed: ${names.join(', ')}${total > 3 ? ' …' : ''}` : '';
  const said =
    edition === null ? title : `The edition of ${source} from ${valid_from}${title === '' ? '' : `; ${title}`}`;
  const lines = events.map((event) => eventInWords(event));
  if (total > events.length) lines.push(`and ${total >= COUNTED ? 'others' : `${total - events.length} more`}`);
  const link =
    edition === null
      ? `${baseUrl}/v1/changes.atom#chg_${id}`
      : `${baseUrl}/v1/changes?${new URLSearchParams({ from: edition.from, to: edition.to, source: edition.source })}`;
  return [
    '<entry>',
    `<title>${xml(said)}</title>`,
    `<id>${xml(`${baseUrl}/v1/changes.atom#chg_${id}`)}</id>`,
    `<updated>${started_at.toISOString()}</updated>`,
    `<link rel="alternate" href="${xml(link)}"/>`,
    `<content type="text">${xml(lines.join('\n'))}</content>`,
    '</entry>',
  ].join('\n');
}

const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text in XML 1.0: escaped, without the characters that it cannot have. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
