import type { Visibility } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { weaker } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { DatabaseError } from '../../db/database_error.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from '../people/audit.ts';
import { granteeOf } from '../people/grantees.ts';
import { type ActingMember, lockOrg, requireRole } from '../people/members.ts';
import { dropShare, dropSharesOf, putShare, type Share, sharesOf } from '../people/shares.ts';
import type { Blob, FileBlobs, PutBlob } from './blobs.ts';
import { entryToDelete, findEntry, getEntry, requireFileAccess } from './entries.ts';
import type { Exported, FileEntry, FileKey, Files, MadeFile, Reader } from './file_entry.ts';
import { follow, stopFollowing } from './following.ts';
import { dropLinks, linkedEntry, linksOf, putLink, sweepLinks } from './links.ts';
import { createListing } from './listing.ts';

/** The caller with their current role. Their membership cannot end before the transaction does. @throws unauthorized */
async function withCurrentRole<T extends Reader>(tx: Queryable, by: T): Promise<T> {
  const [member] = await tx.query(loadQuery('org_hold_member'), [by.org, by.account]);
  if (!member) throw problem('unauthorized', 'You are no longer in the organization.');
  return { ...by, role: weaker(member.role, by.role) };
}

/** The shares of a file, then its links. */
const grantsOf = async (from: Queryable, id: string): Promise<Share[]> => [
  ...(await sharesOf(from, id)),
  ...(await linksOf(from, id)),
];

const blobOf = ({ sha256, format, content }: Exported): Blob => ({ sha256, format, bytes: content.byteLength });

/** Maximum entries that one sweep deletes. */
const SWEPT = 1000;

/** Attempts of a save. One fails if the same entry or its bytes are saved and deleted by others in the meantime. */
const SAVE_TRIES = 3;

/** The library of a database. `failed` gets the error when bytes cannot be removed; a sweep removes them later. */
export function createFiles(db: Database, blobs: FileBlobs, failed: (error: unknown) => void): Files {
  async function same(from: Queryable, by: Reader, key: FileKey): Promise<FileEntry | null> {
    const { boundary, format, detail, visibility } = key;
    const values = [by.org, by.account, boundary, format, detail, visibility];
    const [row] = await from.query(loadQuery('file_same'), values);
    return row ? findEntry(from, by, row.id) : null;
  }

  /** Removes bytes unless an entry names them. A failure is only reported: it must not fail the call. */
  const release = (blob: Blob): Promise<unknown> => blobs.release(blob).catch(failed);

  /** Puts the bytes and calls `name`, again if that returns null (bytes removed in between). @throws rate_limited */
  async function withBytes<T>(exported: Exported | null, name: (put: PutBlob | null) => Promise<T | null>): Promise<T> {
    for (let i = 0; i < SAVE_TRIES; i++) {
      const named = await name(exported && (await blobs.put(blobOf(exported), exported.content)));
      if (named) return named;
    }
    throw problem('rate_limited', 'The same file is being saved and deleted right now. Try again.', { retry_after: 1 });
  }

  async function trySave(
    by: ActingMember,
    { key, name, exported }: Parameters<Files['save']>[1],
    blob: PutBlob,
    within: Parameters<Files['save']>[2],
  ): Promise<{ entry: FileEntry; created: boolean } | null> {
    return db.transaction(async (tx) => {
      const acting = await withCurrentRole(tx, by);
      requireRole(acting.role, 'member');
      // A concurrent save of the same bytes waits here, and then finds the entry.
      if (!(await blobs.hold(tx, blob))) return null;
      const existing = await same(tx, acting, key);
      if (existing) return { entry: existing, created: false };
      const id = newId('file');
      const { boundary, format, detail, visibility } = key;
      const { version, sha256, dataAt } = exported;
      const made = ['export_boundary', null, null, null, dataAt, null];
      const values = [id, by.org, by.account, name, boundary, version, format, detail, visibility, sha256, ...made];
      if ((await tx.query(loadQuery('file_put'), values)).length === 0) return null;
      await within(tx, id);
      return { entry: await getEntry(tx, acting, id), created: true };
    });
  }

  async function sameMade(from: Queryable, by: Reader, recipe: string, visibility: Visibility) {
    const values = [by.org, by.account, recipe, visibility];
    const [row] = await from.query(loadQuery('file_same_recipe'), values);
    return row ? findEntry(from, by, row.id) : null;
  }

  async function trySaveMade(
    by: Reader,
    file: MadeFile,
    blob: PutBlob,
    within: Parameters<Files['saveMade']>[3],
  ): Promise<{ entry: FileEntry; created: boolean } | null> {
    return db.transaction(async (tx) => {
      const acting = await withCurrentRole(tx, by);
      requireRole(acting.role, 'member');
      if (!(await blobs.hold(tx, blob))) return null;
      const { recipe, visibility } = file;
      const existing = recipe && (await sameMade(tx, acting, recipe.sha256, visibility));
      if (existing) return { entry: existing, created: false };
      const id = newId('file');
      const about = [file.name, null, null, file.format, file.detail, visibility, blob.sha256];
      const made = [file.madeBy, recipe?.sha256 ?? null, recipe?.input ?? null, file.days, file.dataAt, file.sets];
      const values = [id, by.org, by.account, ...about, ...made];
      if ((await tx.query(loadQuery('file_put'), values)).length === 0) return null;
      await within(tx, id);
      return { entry: await getEntry(tx, acting, id), created: true };
    });
  }

  return {
    ...createListing(db),
    find: (by, key) => same(db, by, key),
    findMade: (by, recipe, visibility) => sameMade(db, by, recipe, visibility),

    async saveMade(by, file, put, within) {
      for (let i = 0; i < SAVE_TRIES; i++) {
        const blob = await put();
        let created = false;
        try {
          const saved = await trySaveMade(by, file, blob, within);
          created = saved?.created ?? false;
          if (saved) return saved;
        } finally {
          if (!created) await release(blob);
        }
      }
      throw problem('rate_limited', 'The same file is being saved and deleted right now. Try again.', {
        retry_after: 1,
      });
    },

    async trim(by, { days, files, bytes }) {
      for (const blob of await db.query(loadQuery('file_trim'), [by.org, by.account, days, files, bytes])) {
        await release({ ...blob, bytes: Number(blob.bytes) });
      }
    },

    async sweep() {
      await sweepLinks(db);
      return (await db.query(loadQuery('file_sweep'), [SWEPT])).length;
    },

    async save(by, file, within) {
      const blob = blobOf(file.exported);
      // Bytes that the store did not take are not removed here: the sweep removes them.
      let brought = false;
      let created = false;
      try {
        const saved = await withBytes(file.exported, (put) => {
          brought = true;
          return trySave(by, file, put as PutBlob, within);
        });
        ({ created } = saved);
        return saved;
      } finally {
        if (brought && !created) await release(blob);
      }
    },

    async get(by, id) {
      const entry = await getEntry(db, by, id);
      return { entry, shares: entry.access === 'admin' ? await grantsOf(db, id) : null };
    },

    async update(by, id, { name, tags, visibility, follow: follows, exported }, settle) {
      const used = exported ? blobOf(exported) : null;
      let brought = false;
      /** Null if the bytes were removed in the meantime. */
      const change = async (tx: Queryable, put: PutBlob | null) => {
        brought = put !== null;
        const acting = await withCurrentRole(tx, by);
        await tx.query(loadQuery('file_hold'), [by.org, id]);
        const before = await getEntry(tx, acting, id);
        requireFileAccess(before, visibility === undefined ? 'write' : 'admin');
        if (put && !(await blobs.hold(tx, put))) return null;
        const { boundary = null, version = null, sha256 = null, dataAt = null } = exported ?? {};
        await tx.query(loadQuery('file_update'), [id, name, visibility, boundary, version, sha256, dataAt, tags]);
        if (follows !== undefined) await (follows ? follow : stopFollowing)(tx, id);
        if (follows !== undefined && follows !== before.follow) {
          await putAudit(tx, by.actor, by.org, {
            action: 'file.follow',
            target: { type: 'file', id, name: name ?? before.name },
            details: { follow: follows },
          });
        }
        if (visibility !== undefined && visibility !== before.visibility) {
          await putAudit(tx, by.actor, by.org, {
            action: 'file.visibility',
            target: { type: 'file', id, name: name ?? before.name },
            details: { from: before.visibility, to: visibility },
          });
        }
        if (exported) await settle(tx);
        return { before, after: await getEntry(tx, acting, id) };
      };
      try {
        const { before, after } = await withBytes(exported ?? null, (put) => db.transaction((tx) => change(tx, put)));
        if (before.sha256 !== after.sha256) await release(before);
        return after;
      } catch (error) {
        if (used && brought) await release(used);
        if (!(error instanceof DatabaseError) || error.code !== '23505') throw error;
        const message = 'the library already has another file of this boundary, format and detail';
        const path = visibility === undefined ? 'refresh' : 'visibility';
        throw invalidInput([{ path, code: 'conflict', message }]);
      }
    },

    async remove(by, id) {
      const { sha256, format, bytes } = await db.transaction(async (tx) => {
        const acting = await withCurrentRole(tx, by);
        await tx.query(loadQuery('file_hold'), [by.org, id]);
        const entry = await entryToDelete(tx, acting, id);
        requireFileAccess(entry, 'admin');
        await dropSharesOf(tx, by.org, { file: id }, by.actor);
        await dropLinks(tx, by, entry, null);
        await tx.query(loadQuery('file_drop'), [id]);
        return entry;
      });
      await release({ sha256, format, bytes });
    },

    content: (blob) => blobs.get(blob),
    read: (blob, range) => blobs.read(blob, range),

    entriesOfBlob: (sha256) => db.query(loadQuery('file_of_blob'), [sha256]),

    async renew({ id, org }, exported) {
      const renewed = await withBytes(exported, (put) =>
        db.transaction(async (tx) => {
          const [held] = await tx.query(loadQuery('file_hold'), [org, id]);
          if (!held) return { renewed: false };
          if (put && !(await blobs.hold(tx, put))) return null;
          const { boundary, version, sha256, dataAt } = exported;
          await tx.query(loadQuery('file_update'), [id, null, null, boundary, version, sha256, dataAt, null]);
          return { renewed: true };
        }),
      );
      if (!renewed.renewed) await release(blobOf(exported));
    },

    share: (by, id, to, access) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        await tx.query(loadQuery('file_hold'), [by.org, id]);
        const file = await getEntry(tx, { ...by, role }, id);
        requireFileAccess(file, 'admin');
        const grantee = await granteeOf(tx, by.org, to);
        // The creator has admin access already.
        if ('team' in grantee || grantee.user !== file.creator?.id) {
          await putShare(tx, by.org, file, grantee, access, by.actor);
        }
        return grantsOf(tx, id);
      }),

    link: (by, id, days) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        await tx.query(loadQuery('file_hold'), [by.org, id]);
        const file = await getEntry(tx, { ...by, role }, id);
        requireFileAccess(file, 'admin');
        const made = await putLink(tx, by, file, days);
        return (await grantsOf(tx, id)).map((share) =>
          share.grant_id === made.id && share.link ? { ...share, link: { ...share.link, secret: made.secret } } : share,
        );
      }),

    linked: (id, secret) => linkedEntry(db, id, secret),

    unshare: (by, id, grant) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const file = await getEntry(tx, { ...by, role }, id);
        requireFileAccess(file, 'admin');
        const isEnded =
          (await dropShare(tx, by.org, id, grant, by.actor)) || (await dropLinks(tx, by, file, grant)) > 0;
        if (!isEnded) {
          throw problem('not_found', 'The file has no share with this id.');
        }
      }),
  };
}
