import type { Database } from '../../db/connect.ts';
import type { Outbox } from '../delivery/outbox.ts';
import { type AccountDependents, type Accounts, createAccounts } from './accounts.ts';
import { createInvites, type Invites } from './invites.ts';
import { createKeys, type Keys } from './keys.ts';
import { type Access, createOrgs, type Orgs } from './orgs.ts';
import { createTeams, type Teams } from './teams.ts';

/** The services for people: accounts, their keys, and the organizations, teams and invitations between them. */
export interface People {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly orgs: Orgs;
  readonly teams: Teams;
  readonly invites: Invites;
}

/** The services that are notified when people lose access, and the outbox. */
export interface PeopleServices {
  readonly sessions: Access['sessions'] & AccountDependents['sessions'];
  readonly oauth: Access['oauth'];
  readonly outbox: Pick<Outbox, 'put'>;
}

/** Creates the services for the people of a database. */
export function createPeople(db: Database, { sessions, oauth, outbox }: PeopleServices): People {
  const keys = createKeys(db);
  const orgs = createOrgs(db, { keys, sessions, oauth });
  return {
    keys,
    orgs,
    accounts: createAccounts(db, { orgs, keys, sessions, oauth }),
    teams: createTeams(db),
    invites: createInvites(db, outbox),
  };
}
