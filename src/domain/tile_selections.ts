import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';
import { problem } from '../errors.ts';

/** Days after its last use that a selection is kept: of an organization, and of those without a key. */
const DAYS = { org: 30, anonymous: 1 } as const;
/** Selections that are kept of an organization, and of all without a key together; those used last. */
const MOST = { org: 500, anonymous: 1_000 } as const;
/** Selections in memory, about 8 MB of them, and how long one is believed to be there still. */
const HELD_BYTES = 8_000_000;
const TRUST_MS = 10_000;
const DAY_MS = 86_400_000;

/** What is drawn: the fields of a selection in their canonical form. */
export type TileSelection = Readonly<Record<string, unknown>>;

/** Selections of boundaries that tiles are drawn of, by the SHA-256 of their canonical form; owns their table. */
export interface TileSelections {
  /** Keeps a selection, for an organization or, null, for whoever has no key; says until when, unless it is used. */
  put(selection: TileSelection, org: string | null): Promise<{ sha256: string; created: boolean; expiresAt: Date }>;
  /** The selection with this name. Throws not_found. */
  get(sha256: string): Promise<TileSelection>;
}

/** The selections of a database. */
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
        throw problem('not_found', 'No selection is kept under this name: POST it to /tiles/selections again.');
      }
      if (row.resting) await db.query(loadQuery('tile_selection_use'), [sha256]);
      const selection = JSON.parse(row.selection) as TileSelection;
      held.set(sha256, { selection }, { size: row.selection.length + 200 });
      return selection;
    },
  };
}

/** Deletes selections that were not used for so long as they are kept. */
export async function sweepTileSelections(db: Database): Promise<void> {
  await db.query(loadQuery('tile_selection_sweep'), [DAYS.org, DAYS.anonymous]);
}

/** The fields by name, without those that are not given. */
function canonical(selection: TileSelection): string {
  const fields = Object.entries(selection).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))));
}
