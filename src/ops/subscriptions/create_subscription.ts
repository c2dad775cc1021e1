import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Context, created, defineOp } from '../../core/op.ts';
import { looseBoolean } from '../../core/schemas.ts';
import { webhookSecret } from '../../domain/delivery/webhooks.ts';
import type { About, Watched } from '../../domain/subscriptions/subscription.ts';
import { holder } from '../account/api_key.ts';
import { boundaryFor } from '../boundaries/fetched.ts';
import { requireOfficial } from '../boundaries/official.ts';
import { webhook } from '../jobs/webhook.ts';
import { madeOf } from '../library/made_of.ts';
import { acting } from '../orgs/org.ts';
import { readerLanguage } from '../reader_language.ts';
import { aboutFields, SUBSCRIPTION_ERRORS, subscriptionAnswer, subscriptionEntry } from './subscription.ts';

const input = z.strictObject({
  ...aboutFields,
  mail: looseBoolean.default(false).describe('Email the caller, at most 24 times a day.'),
  webhook: webhook
    .optional()
    .describe('POST a signed event to this URL. Its address must be public, or one that the server allows.'),
});

export const createSubscription = defineOp({
  name: 'create_subscription',
  summary: 'Reports changes of a boundary, of what is within it, of a country or of a file, by mail or signed webhook.',
  description:
    'There is one message for each import or update that changes one of these boundaries: which were created, ended, ' +
    'renamed, recoded or reshaped, or, for an edition of a date, what list_changes lists. A message names the first 50 and ' +
    'says how many more there are. Give boundary, country or file_id; mail, webhook or both. Webhooks are signed and ' +
    'repeated as those of jobs are.',
  route: { method: 'POST', path: '/subscriptions' },
  access: RULES.create_subscription,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input,
  output: subscriptionEntry.extend({
    webhook_secret: z.string().nullable().describe('Secret that signs the events for the organization.'),
  }),
  success: { created: 'always' },
  errors: [...SUBSCRIPTION_ERRORS, 'invalid_id', 'upstream_busy', 'geometry_pending'],
  examples: [
    { input: { boundary: 'iso:ES-AN', subdivisions: true, mail: true } },
    { input: { country: 'ES', admin_level: 6, mail: true }, note: 'The provinces of a country' },
  ],
  audit: ['subscription.create'],
  async prepare(ctx, given) {
    const bases = [given.boundary, given.country, given.file_id].filter((one) => one !== undefined);
    const refuse = (path: string, code: 'missing' | 'conflict', message: string) =>
      invalidInput([{ path, code, message }]);
    if (bases.length !== 1) {
      throw refuse('', bases.length === 0 ? 'missing' : 'conflict', 'give one of boundary, country and file_id');
    }
    requireOfficial('boundary', given.boundary, 'changes');
    if (given.subdivisions !== undefined && given.boundary === undefined) {
      throw refuse('subdivisions', 'conflict', 'can only be used with boundary');
    }
    if (!given.mail && given.webhook === undefined) throw refuse('mail', 'missing', 'give mail, webhook or both');
    if (given.webhook !== undefined) await ctx.services.subscriptions.checkWebhook(given.webhook);
    return { by: acting(ctx), ...(await watchedBy(ctx, given)) };
  },
  async run(ctx, { webhook: to, mail }, { by, about, watched }) {
    const asked = { about, watched, webhook: to ?? null, mail, language: readerLanguage(ctx) };
    const made = await ctx.services.subscriptions.create(by, asked);
    const { org } = holder(ctx.caller);
    const secret = to === undefined ? null : webhookSecret(defined(ctx.services.secretKeys[0]), org.id);
    return created({ ...subscriptionAnswer(made), webhook_secret: secret }, `/v1/subscriptions?id=${made.id}`);
  },
});

/** What is watched, with canonical ids. @throws not_found, invalid_id; invalid_input for a file of an area in words */
async function watchedBy(
  ctx: Context,
  { boundary, subdivisions, country, file_id, admin_level }: z.output<typeof input>,
): Promise<{ about: About; watched: Watched }> {
  const level = admin_level === undefined ? {} : { admin_level };
  const none = { boundaries: [], parents: [], country: null, admin_level: admin_level ?? null };
  if (boundary !== undefined) {
    const { id } = await boundaryFor(ctx, boundary);
    const parents = subdivisions ? [id] : [];
    return {
      about: { boundary: id, ...(subdivisions ? { subdivisions } : {}), ...level },
      watched: { ...none, boundaries: [id], parents },
    };
  }
  if (country !== undefined) {
    const code = country.toUpperCase();
    return { about: { country: code, ...level }, watched: { ...none, country: code } };
  }
  const { entry } = await ctx.services.files.get(acting(ctx), file_id ?? '');
  const found = (await madeOf(ctx, [entry.id])).get(entry.id);
  if (found === undefined) {
    const message = 'it does not say which boundaries it is made of: subscribe to a boundary or a country';
    throw invalidInput([{ path: 'file_id', code: 'conflict', message }]);
  }
  return {
    about: { file_id: entry.id, ...level },
    watched: { ...found, admin_level: admin_level ?? found.admin_level },
  };
}
