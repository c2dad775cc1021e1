import { defined, only } from '../../common/elements.ts';
import { plainWordsIn } from '../../common/texts/tables.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { atLeast, weaker } from '../../core/roles.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { Webhooks } from '../delivery/webhooks.ts';
import type { Change } from '../history/changes.ts';
import { eventOf } from '../history/events.ts';
import { newId } from '../new_id.ts';
import { putAudit } from '../people/audit.ts';
import { type ActingMember, requireRole } from '../people/members.ts';
import { type Batch, MOST_MAILS_A_DAY, mailAbout, type Noticed, payloadOf } from './messages.ts';
import type { About, Subscription, Subscriptions } from './subscription.ts';

/** Most subscriptions of an organization, and most of them by mail. */
const MOST = 200;
const MOST_BY_MAIL = 20;
/** Changes that a message lists. */
const LISTED = 50;
/** Days that events are kept. */
const KEPT_DAYS = 400;

/** What subscriptions use. */
export interface SubscriptionsOptions {
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** What changed on a date by an edition of a source; null: too much to compare. */
  readonly editionChanges: (source: string, date: string, signal: AbortSignal) => Promise<readonly Change[] | null>;
}

/** The subscriptions of a database. */
export function createSubscriptions(
  db: Database,
  { outbox, webhooks, baseUrl, editionChanges }: SubscriptionsOptions,
): Subscriptions {
  const seesAll = ({ role }: Pick<ActingMember, 'role'>): boolean => atLeast(role, 'admin');

  async function list(
    from: Queryable,
    by: Pick<ActingMember, 'org' | 'account' | 'role'>,
    limit: number,
    offset: number,
  ) {
    const rows = await from.query(loadQuery('subscription_list'), [by.org, by.account, seesAll(by), limit, offset]);
    const items = rows.map(
      ({ id, about, webhook, mail, account, email, account_name, created_at, sent_at }): Subscription => ({
        ...{ id, about: JSON.parse(about) as About, webhook, mail },
        creator: { id: account, email, name: account_name },
        ...{ created_at: created_at.toISOString(), sent_at: sent_at?.toISOString() ?? null },
      }),
    );
    return { items, total: rows[0]?.of_all ?? 0 };
  }

  /** Writes the messages about a batch; null: another process does, or did. */
  async function announceBatch(batch: Batch, changes: readonly Change[] | null): Promise<number | null> {
    const { source, valid_from } = batch;
    return db.transaction(async (tx) => {
      const held = await tx.query(loadQuery('subscription_hold_batch'), [batch.id]);
      if (held.length === 0) return null;
      const edited =
        source === null || valid_from === null
          ? []
          : await tx.query(loadQuery('subscription_edition_ids'), [source, valid_from]);
      const ids = [...new Set(changes === null ? edited.map(({ id }) => id) : changes.flatMap(idsOf))];
      const matches = await tx.query(loadQuery('subscription_matches'), [batch.id, ids, LISTED]);
      for (const { id, org, about, webhook, mail, language, mailed_today, mailed, ids: listed, total } of matches) {
        const events = await tx.query(loadQuery('subscription_events'), [batch.id, listed]);
        const noticed: Noticed = {
          ...{ subscription: id, about: JSON.parse(about) as About, batch, total },
          events: events.map((event) => eventOf(event.boundary_id, event)),
          changes: (changes ?? [])
            .filter((change) => idsOf(change).some((one) => listed.includes(one)))
            .slice(0, LISTED),
        };
        if (webhook !== null) await webhooks.put(tx, { org, job: null, url: webhook }, payloadOf(noticed, baseUrl));
        const before = mailed_today ? mailed : 0;
        const isMailed = mail !== null && before < MOST_MAILS_A_DAY;
        if (isMailed) {
          const words = plainWordsIn(language);
          const content = mailAbout(noticed, { baseUrl, number: before + 1, words });
          await outbox.put(tx, { to: mail, language: words.language, ...content });
        }
        await tx.query(loadQuery('subscription_sent'), [id, isMailed]);
      }
      await tx.query(loadQuery('subscription_announced'), [batch.id]);
      return matches.length;
    });
  }

  return {
    async checkWebhook(url) {
      const message = await webhooks.refusalOf(url);
      if (message !== null) throw invalidInput([{ path: 'webhook', code: 'not_public', message }]);
    },

    create: (by, { about, watched, webhook, mail, language }) =>
      db.transaction(async (tx) => {
        await tx.query(loadQuery('org_lock'), [by.org]);
        const [member] = await tx.query(loadQuery('org_hold_member'), [by.org, by.account]);
        if (!member) throw problem('unauthorized', 'You are no longer in the organization.');
        requireRole(weaker(member.role, by.role), 'member');
        const { total, mailed } = only(await tx.query(loadQuery('subscription_count'), [by.org]));
        if (total >= MOST || (mail && mailed >= MOST_BY_MAIL)) {
          const message = `the organization may have ${MOST} subscriptions, ${MOST_BY_MAIL} of them by mail: delete some`;
          throw invalidInput([{ path: '', code: 'too_many', message }]);
        }
        const id = newId('sub');
        const { boundaries, parents, country, admin_level } = watched;
        const values = [
          id,
          by.org,
          by.account,
          JSON.stringify(about),
          boundaries,
          parents,
          country,
          admin_level,
        ] as const;
        await tx.query(loadQuery('subscription_put'), [...values, about.file_id ?? null, webhook, mail, language]);
        await putAudit(tx, by.actor, by.org, {
          action: 'subscription.create',
          target: { type: 'subscription', id, name: null },
          details: { ...about, mail, webhook: webhook !== null },
        });
        return defined((await list(tx, { ...by, role: 'admin' }, 1, 0)).items[0]);
      }),

    list: (by, { limit, offset }) => list(db, by, limit, offset),

    remove: (by, id) =>
      db.transaction(async (tx) => {
        const [dropped] = await tx.query(loadQuery('subscription_drop'), [by.org, by.account, seesAll(by), id]);
        if (!dropped) throw problem('not_found', 'There is no subscription with this id.');
        await putAudit(tx, by.actor, by.org, {
          action: 'subscription.delete',
          target: { type: 'subscription', id, name: null },
          details: { ...(JSON.parse(dropped.about) as About) },
        });
      }),

    async announce(signal) {
      let written = 0;
      let last = 0;
      const failures: unknown[] = [];
      await db.query(loadQuery('subscription_skip'));
      for (;;) {
        signal.throwIfAborted();
        const [found] = await db.query(loadQuery('subscription_batch'), [last]);
        if (!found) break;
        const batch = { ...found, id: Number(found.id) };
        last = batch.id;
        const { source, valid_from } = batch;
        try {
          // Compared before the transaction, which holds nothing while geometry is computed.
          const changes =
            source === null || valid_from === null ? [] : await editionChanges(source, valid_from, signal);
          const count = await announceBatch(batch, changes);
          if (count === null) return written;
          written += count;
        } catch (error) {
          // Tried again the next time; those after it do not wait.
          signal.throwIfAborted();
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return written;
    },

    async sweep() {
      await db.query(loadQuery('subscription_sweep'), [KEPT_DAYS]);
    },
  };
}

/** The boundaries that a change is about. */
const idsOf = ({ id, predecessors = [], successors = [], with: others = [] }: Change): string[] => [
  id,
  ...[...predecessors, ...successors, ...others].map((one) => one.id),
];
