import { only } from '../../common/elements.ts';
import type { Kind } from '../../common/kinds.ts';
import { type FileAccess, fileAccess, fileAccessAtLeast, type Visibility } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from '../people/audit.ts';
import { granteeOf } from '../people/grantees.ts';
import { type ActingMember, lockOrg, requireRole } from '../people/members.ts';
import { dropSetShares } from '../people/shares.ts';
import type { AreaSet, NewVersion, SetReader, Sets } from './area_set.ts';

const SHARED = [null, 'read', 'write', 'admin'] as const;

/** The area sets of a database. */
export function createSets(db: Database): Sets {
  return {
    readable: (by, names) => readable(db, by, names),
    get: (by, name) => getSet(db, by, name),

    async sharesOf(by, name) {
      const set = await getSet(db, by, name);
      return set.access === 'admin' ? sharesOf(db, set.id) : null;
    },

    async areasOf(version, after, limit) {
      const rows = await db.query(loadQuery('sets_members'), [version, after, limit]);
      return rows.map(({ id, name, kind, population, area_km2, broken, tags, ...row }) => ({
        id,
        name,
        kind: kind as Kind,
        population,
        area_km2,
        bbox: boxOf(row),
        centroid: row.lat === null || row.lon === null ? null : { lat: row.lat / 1e7, lon: row.lon / 1e7 },
        broken: broken?.reason ?? null,
        properties: tags,
      }));
    },

    async reportOf(version) {
      return only(await db.query(loadQuery('sets_report'), [version])).report;
    },

    async membersOf(version) {
      return only(await db.query(loadQuery('sets_groups'), [version])).members;
    },

    async seamsOf(version) {
      return only(await db.query(loadQuery('sets_seams'), [version])).seams;
    },

    async requireRoom(by, version) {
      return db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const { set, replaced, room } = await settled(tx, { ...by, role }, version);
        return { ...room, set: set?.id ?? null, replaced };
      });
    },

    async putVersion(tx, by, version) {
      const { role } = await lockOrg(tx, by);
      const acting = { ...by, role };
      const { set, replaced } = await settled(tx, acting, version);
      const { name, title, visibility, validFrom, madeFrom, areas, vertices, report, seams } = version;
      const attribution = version.attribution ?? attributionBefore(set, validFrom) ?? title ?? name;
      const id = set?.id ?? newId('set');
      if (set === null) {
        const values = [id, by.org, by.account, name, title ?? name, visibility ?? 'org'] as const;
        if ((await tx.query(loadQuery('sets_put'), values)).length === 0) throw nameTaken();
      } else {
        await tx.query(loadQuery('sets_drop_version'), [id, validFrom]);
        await tx.query(loadQuery('sets_update'), [id, title ?? null, null]);
      }
      await putAudit(tx, by.actor, by.org, {
        action: set === null ? 'set.create' : 'set.version',
        target: { type: 'set', id, name },
        details: {
          ...{ valid_from: validFrom, made_from: madeFrom, areas },
          ...(replaced === null ? {} : { replaced: replaced.recorded_at }),
        },
      });
      const values = [id, validFrom, madeFrom, attribution, areas, vertices, JSON.stringify(report), seams] as const;
      return Number(only(await tx.query(loadQuery('sets_put_version'), values)).id);
    },

    update: (by, name, { title, visibility }) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const acting = { ...by, role };
        const set = await getSet(tx, acting, name);
        requireSetAccess(set, visibility === undefined ? 'write' : 'admin');
        await tx.query(loadQuery('sets_update'), [set.id, title ?? null, visibility ?? null]);
        if (visibility !== undefined && visibility !== set.visibility) {
          await putAudit(tx, by.actor, by.org, {
            action: 'set.visibility',
            target: { type: 'set', id: set.id, name },
            details: { from: set.visibility, to: visibility },
          });
        }
        return getSet(tx, acting, name);
      }),

    remove: (by, name) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const set = await getSet(tx, { ...by, role }, name);
        requireSetAccess(set, 'admin');
        await tx.query(loadQuery('sets_drop'), [set.id]);
        await putAudit(tx, by.actor, by.org, {
          action: 'set.delete',
          target: { type: 'set', id: set.id, name },
          details: { versions: set.versions.length },
        });
      }),

    share: (by, name, to, access) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const set = await getSet(tx, { ...by, role }, name);
        requireSetAccess(set, 'admin');
        const grantee = await granteeOf(tx, by.org, to);
        const [team, user] = 'team' in grantee ? [grantee.team, null] : [null, grantee.user];
        // The creator has admin access already.
        if (team === null && user === set.creator?.id) return sharesOf(tx, set.id);
        const values = [newId('shr'), set.id, by.org, team, user, access] as const;
        const { id, before } = only(await tx.query(loadQuery('sets_share_put'), values));
        if (before !== access) {
          await putAudit(tx, by.actor, by.org, {
            action: 'set.share',
            target: { type: 'set', id: set.id, name },
            details: { grant_id: id, ...grantee, access, ...(before === null ? {} : { from: before }) },
          });
        }
        return sharesOf(tx, set.id);
      }),

    unshare: (by, name, grant) =>
      db.transaction(async (tx) => {
        const { role } = await lockOrg(tx, by);
        const set = await getSet(tx, { ...by, role }, name);
        requireSetAccess(set, 'admin');
        const dropped = await dropSetShares(tx, by.org, { set: set.id, grant }, by.actor);
        if (dropped === 0) throw problem('not_found', 'The set has no share with this id.');
      }),
  };
}

function boxOf({ west, south, east, north }: Record<'west' | 'south' | 'east' | 'north', number | null>) {
  if (west === null || south === null || east === null || north === null) return null;
  return { west: west / 1e7, south: south / 1e7, east: east / 1e7, north: north / 1e7 };
}

async function readable(from: Queryable, by: SetReader, names?: readonly string[]): Promise<AreaSet[]> {
  const rows = await from.query(loadQuery('sets_list'), [by.org, by.account, names ?? null]);
  return rows.flatMap((row) => {
    const { id, name, title, creator, visibility, versions } = row;
    const seen = visibility as Visibility;
    const access = fileAccess(by.role, { visibility: seen, own: row.own, share: SHARED[row.share ?? 0] });
    if (access === null) return [];
    const person = creator === null ? null : { id: creator, email: row.creator_email, name: row.creator_name };
    const at = { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
    const recorded = versions.map((one) => ({ ...one, recorded_at: new Date(one.recorded_at).toISOString() }));
    return [{ id, name, title, visibility: seen, access, creator: person, ...at, versions: recorded }];
  });
}

async function getSet(from: Queryable, by: SetReader, name: string): Promise<AreaSet> {
  const [set] = await readable(from, by, [name]);
  if (!set) throw noSet(name);
  return set;
}

/** The error for a set that is not there, or not for the caller. */
export function noSet(name: string) {
  return problem('not_found', `There is no area set ${name} for you.`);
}

/** @throws unauthorized unless the caller has at least the `wanted` access to a set they see */
export function requireSetAccess({ access }: Pick<AreaSet, 'access'>, wanted: FileAccess): void {
  if (fileAccessAtLeast(access, wanted)) return;
  throw problem('unauthorized', `This needs ${wanted} access to the set; yours is ${access}.`);
}

async function sharesOf(from: Queryable, set: string) {
  const rows = await from.query(loadQuery('sets_shares'), [set]);
  return rows.map(({ grant_id, access, created_at, ...to }) => ({
    grant_id,
    team: to.team === null ? null : { id: to.team, slug: to.team_slug, name: to.team_name },
    user: to.account === null ? null : { id: to.account, email: to.email, name: to.name },
    access: access as FileAccess,
    created_at: created_at.toISOString(),
  }));
}

/** The attribution of the version that is in force on a date, else of the first; undefined for a new set. */
const attributionBefore = (set: AreaSet | null, date: string): string | undefined =>
  (set?.versions.findLast(({ valid_from }) => valid_from <= date) ?? set?.versions[0])?.attribution;

const nameTaken = () =>
  invalidInput([{ path: 'name', code: 'taken', message: 'the organization has another set of this name' }]);

/**
 * The set that a new version is added to, null for a new set, the version that it replaces, and its room.
 * @throws as Sets.putVersion()
 */
async function settled(tx: Queryable, by: ActingMember, version: NewVersion) {
  requireRole(by.role, 'member');
  const { name, visibility, validFrom, replace, base, expected, replaces, areas, vertices } = version;
  const [set = null] = await readable(tx, by, [name]);
  const replaced = set?.versions.find((one) => one.valid_from === validFrom) ?? null;
  if (set !== null) requireSetAccess(set, 'write');
  else if ((await tx.query(loadQuery('sets_list'), [by.org, by.account, [name]])).length > 0) throw nameTaken();
  if (expected !== undefined && (set?.id ?? null) !== expected) {
    const happened = set === null ? 'was deleted' : 'was made by another call';
    const message = `the set ${happened} since this was sent: look at it, and send this again`;
    throw invalidInput([{ path: 'name', code: 'conflict', message }]);
  }
  if (set !== null && visibility !== undefined && visibility !== set.visibility) {
    const message = `the set is there, and its visibility is ${set.visibility}; update_area_set changes it`;
    throw invalidInput([{ path: 'visibility', code: 'conflict', message }]);
  }
  const newest = set?.versions
    .map(({ recorded_at }) => recorded_at)
    .sort()
    .at(-1);
  if (base !== undefined && (newest === undefined || Date.parse(base) !== Date.parse(newest))) {
    const message = `the newest version of the set was recorded at ${newest ?? 'no time: it is not there'}; read it, and send the change again`;
    throw invalidInput([{ path: 'base', code: 'changed', message }]);
  }
  if (replaced !== null && !replace) {
    const message = `the set has a version of ${validFrom}; give another date, or replace: true`;
    throw invalidInput([{ path: 'valid_from', code: 'taken', message }]);
  }
  if (replaces !== undefined && (replaced?.id ?? null) !== replaces) {
    const happened = replaced === null ? 'was deleted' : 'was stored by another call';
    const message = `the version of ${validFrom} ${happened} while this one was made; read it, and send the change again`;
    throw invalidInput([{ path: 'replace', code: 'changed', message }]);
  }
  const limits = only(await tx.query(loadQuery('sets_limits'), [by.org]));
  const others = {
    areas: limits.areas - (replaced?.areas ?? 0),
    vertices: limits.vertices - (replaced?.vertices ?? 0),
  };
  const wanted = [
    ['sets', limits.sets + (set === null ? 1 : 0), limits.most_sets],
    ['areas in all sets', others.areas + areas, limits.most_areas],
    ['vertices in all sets', others.vertices + vertices, limits.most_vertices],
  ] as const;
  for (const [what, would, most] of wanted) {
    if (most === null || would <= Number(most)) continue;
    throw problem(
      'too_large',
      `The plan of the organization allows ${most} ${what}; with this it would have at least ${would}.`,
    );
  }
  const left = (most: number | string | null, taken: number) => (most === null ? Infinity : Number(most) - taken);
  const room = {
    areas: left(limits.most_areas, others.areas),
    vertices: left(limits.most_vertices, others.vertices),
  };
  return { set, replaced, room };
}
