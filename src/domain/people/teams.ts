import { only } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { newId } from '../new_id.ts';
import { putAudit } from './audit.ts';
import { type ActingMember, findMember, lockOrg, requireRole } from './members.ts';
import { changesOf } from './orgs.ts';
import { dropSharesOf } from './shares.ts';
import { slugOf, slugTaken } from './slugs.ts';
import { dropTeamMembers } from './team_members.ts';

/** Teams of one organization; the limit lets lists return all of them. */
const MAX_TEAMS = 200;

export interface Team {
  readonly id: string;
  /** Alternative to the id, unique in the organization. */
  readonly slug: string;
  readonly name: string;
  readonly created_at: string;
  readonly members: { readonly id: string; readonly email: string; readonly name: string | null }[];
}

/** Teams of organizations; owns their tables. Every change requires an admin and throws not_found and unauthorized. */
export interface Teams {
  /** Returns the teams, sorted by name. */
  list(org: string): Promise<Team[]>;
  /** Creates a team. @throws invalid_input (slug taken, too many) */
  create(by: ActingMember, team: { name: string; slug?: string }): Promise<Team>;
  /** Changes name and slug. @throws invalid_input if the slug is taken */
  update(by: ActingMember, team: string, change: { name?: string; slug?: string }): Promise<Team>;
  /** Deletes a team and returns its id. */
  remove(by: ActingMember, team: string): Promise<string>;
  /** Adds a member of the organization to the team; idempotent. */
  addMember(by: ActingMember, team: string, account: string): Promise<Team>;
  removeMember(by: ActingMember, team: string, account: string): Promise<void>;
}

interface TeamRow {
  id: string;
  slug: string;
  name: string;
}

/** Creates the teams service of a database. Every `team` parameter is an id or a slug. */
export function createTeams(db: Database): Teams {
  function change<T>(by: ActingMember, work: (tx: Queryable) => Promise<T>): Promise<T> {
    return db.transaction(async (tx) => {
      requireRole((await lockOrg(tx, by)).role, 'admin');
      return work(tx);
    });
  }

  return {
    list: (org) => list(db, org),

    create: (by, { name, slug = slugOf(name, 'team') }) =>
      change(by, async (tx) => {
        const id = newId('team');
        const { teams } = only(await tx.query(loadQuery('team_count'), [by.org]));
        if (teams >= MAX_TEAMS) {
          throw problem('invalid_input', `The organization has ${MAX_TEAMS} teams, the maximum. Delete one first.`);
        }
        const rows = await tx.query(loadQuery('team_put'), [id, by.org, slug, name]);
        if (rows.length === 0) throw slugTaken();
        await putAudit(tx, by.actor, by.org, {
          action: 'team.create',
          target: { type: 'team', id, name },
          details: { slug },
        });
        return get(tx, by.org, id);
      }),

    update: (by, which, { name, slug }) =>
      change(by, async (tx) => {
        const team = await findTeam(tx, by.org, which);
        const rows = await tx.query(loadQuery('team_update'), [team.id, by.org, name ?? null, slug ?? null]);
        if (rows.length === 0) throw slugTaken();
        const details = changesOf(team, { name, slug });
        const target = { type: 'team', id: team.id, name: name ?? team.name };
        if (details !== null) await putAudit(tx, by.actor, by.org, { action: 'team.update', target, details });
        return get(tx, by.org, team.id);
      }),

    remove: (by, which) =>
      change(by, async (tx) => {
        const team = await findTeam(tx, by.org, which);
        await dropSharesOf(tx, by.org, { team: team.id }, by.actor);
        await dropTeamMembers(tx, by.org, { team: team.id }, by.actor);
        await tx.query(loadQuery('team_drop'), [team.id]);
        await putAudit(tx, by.actor, by.org, {
          action: 'team.delete',
          target: { type: 'team', id: team.id, name: team.name },
          details: { slug: team.slug },
        });
        return team.id;
      }),

    addMember: (by, which, account) =>
      change(by, async (tx) => {
        const team = await findTeam(tx, by.org, which);
        const { email } = await findMember(tx, by.org, account);
        const added = await tx.query(loadQuery('team_put_member'), [team.id, by.org, account]);
        if (added.length > 0) {
          await putAudit(tx, by.actor, by.org, {
            action: 'team.add_member',
            target: { type: 'team', id: team.id, name: team.name },
            details: { account, email },
          });
        }
        return get(tx, by.org, team.id);
      }),

    removeMember: (by, which, account) =>
      change(by, async (tx) => {
        const team = await findTeam(tx, by.org, which);
        if ((await dropTeamMembers(tx, by.org, { team: team.id, account }, by.actor)) === 0) {
          throw problem('not_found', 'The team has no member with this id.');
        }
      }),
  };
}

function noTeam(): Error {
  return problem('not_found', 'The organization has no team with this id or slug.');
}

async function list(db: Queryable, org: string): Promise<Team[]> {
  const rows = await db.query(loadQuery('team_list'), [org]);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

async function get(tx: Queryable, org: string, id: string): Promise<Team> {
  const team = (await list(tx, org)).find((one) => one.id === id);
  if (!team) throw noTeam();
  return team;
}

/** Returns a team by id or slug and locks its row. @throws not_found */
export async function findTeam(tx: Queryable, org: string, which: string): Promise<TeamRow> {
  const [team] = await tx.query(loadQuery('team_find'), [org, which]);
  if (!team) throw noTeam();
  return team;
}
