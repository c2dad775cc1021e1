import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { only } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** Days that a selection is kept after its last use: an organization's, and one made without a key. */
const DAYS = { org: 30, anonymous: 1 } as const;
/** Selections kept for one organization, and for all callers without a key; the least recently used are deleted. */
const MOST = { org: 500, anonymous: 1_000 } as const;
/** Bytes of selections cached in memory. */
export const HELD_BYTES = 8_000_000;
/** Bytes of the heap that a parsed selection takes for each character of its text: nearly all of it are short ids. */
const BYTES_PER_CHARACTER = 3;
/** How long a cached selection is trusted to exist still, in milliseconds. */
const TRUST_MS = 10_000;
const DAY_MS = 86_400_000;

/** The fields of a selection to draw. */
export type TileSelection = Readonly<Record<string, unknown>>;

/** Selections of boundaries for tiles, keyed by the SHA-256 of their canonical form; owns their table. */
export interface TileSelections {
  /** Stores a selection for an organization (null: for callers without a key). `expiresAt`: expiry if unused. */
  put(selection: TileSelection, org: string | null): Promise<{ sha256: string; created: boolean; expiresAt: Date }>;
  /** Returns the selection with this hash. @throws not_found */
  get(sha256: string): Promise<TileSelection>;
}

/** Creates the tile selections of a database. */
export function createTileSelections(db: Database): TileSelections {
  const held = new LRUCache<string, { readonly selection: TileSelection }>({
    maxSize: HELD_BYTES,
    ttl: TRUST_MS,
  });
  return {
    async put(selection, org) {
      const text = canonical(selection);
      const sha256 = createHash('sha256').update(text).digest('hex');
      const { created } = only(await db.query(loadQuery('tile_selection_put'), [sha256, text, org]));
      const sort = org === null ? 'anonymous' : 'org';
      if (created) await db.query(loadQuery('tile_selection_bound'), [org, MOST[sort]]);
      return { sha256, created: created === true, expiresAt: new Date(Date.now() + DAYS[sort] * DAY_MS) };
    },
    async get(sha256) {
      const known = held.get(sha256);
      if (known) return known.selection;
      const [row] = await db.query(loadQuery('tile_selection_find'), [sha256, DAYS.org, DAYS.anonymous]);
      if (!row) {
        throw noSelection();
      }
      if (row.resting) await db.query(loadQuery('tile_selection_use'), [sha256]);
      const selection = JSON.parse(row.selection) as TileSelection;
      held.set(sha256, { selection }, { size: BYTES_PER_CHARACTER * row.selection.length + 200 });
      return selection;
    },
  };
}

/** The error for a selection that is not there, or not for the caller. */
export const noSelection = () =>
  problem('not_found', 'The selection is unknown or has expired. POST it to /tiles/selections again.');

/** Deletes selections that were not used within their retention period. */
export async function sweepTileSelections(db: Database): Promise<void> {
  await db.query(loadQuery('tile_selection_sweep'), [DAYS.org, DAYS.anonymous]);
}

/** Canonical form: JSON of the fields in order of their names, without undefined ones. */
function canonical(selection: TileSelection): string {
  const fields = Object.entries(selection).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}
