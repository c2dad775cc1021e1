/** Writes the messages about changes of a native database, and is killed right after a statement that has the given part. */
import { outgoingCalls } from '../../src/adapters/outgoing_call.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { createOutbox } from '../../src/domain/delivery/outbox.ts';
import { createWebhooks } from '../../src/domain/delivery/webhooks.ts';
import { createSubscriptions } from '../../src/domain/subscriptions/subscriptions.ts';
import { killAfter } from '../setup/kill_after.ts';

const [databaseUrl = '', part = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir: '', databaseUrl });
const mailer = { send: async () => undefined, isFinal: () => false };
const calls = outgoingCalls({ allowed: ['127.0.0.1'], userAgent: 'test', deadlineMs: 1_000 });
const subscriptions = createSubscriptions(killAfter(db, part), {
  outbox: createOutbox(db, mailer, () => undefined),
  webhooks: createWebhooks(db, calls, ['key'], () => undefined),
  baseUrl: 'https://maps.example',
  editionChanges: async () => null,
});
await subscriptions.announce(new AbortController().signal);
await db.close();
