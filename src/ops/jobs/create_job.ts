import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { authorize, RULES } from '../../core/access.ts';
import { asksSafeCsv } from '../../core/asks_safe_csv.ts';
import { parseMember } from '../../core/input.ts';
import { isLarge, parseLargeMember } from '../../core/large_input.ts';
import { created, defineOp } from '../../core/op.ts';
import { looseBoolean, oneLine } from '../../core/schemas.ts';
import { webhookSecret } from '../../domain/delivery/webhooks.ts';
import { holder } from '../account/api_key.ts';
import { UPSTREAM_ERRORS } from '../boundaries/fetched.ts';
import { SELECTION_ERRORS } from '../boundaries/selection.ts';
import { visibility } from '../library/file.ts';
import { acting } from '../orgs/org.ts';
import { readerLanguage } from '../reader_language.ts';
import { jobAnswer, jobEntry } from './job.ts';
import { planJob } from './kind.ts';
import { CREATED_OPS, jobKind } from './kinds.ts';
import { webhook } from './webhook.ts';

/** Room for the ids of 100,000 boundaries, with their groups. */
const BODY_BYTES = 4 * 1024 * 1024;
const MOST_VALUES = 210_000;

export const createJob = defineOp({
  name: 'create_job',
  summary: 'Creates a job that makes a file: a collection, dissolve or crosswalk too large for one call.',
  description:
    'Takes the operation and its input, with up to 100,000 boundaries or as many as the plan allows. The file goes to ' +
    'the library and is kept as long as the plan says. get_job returns the progress; mail or a signed webhook reports the end. ' +
    'dry_run returns an estimate and creates nothing.',
  route: { method: 'POST', path: '/jobs' },
  access: RULES.create_job,
  effect: 'write',
  cost: {
    units: 1,
    per: 'boundary',
    note: 'as the operation costs: reserved now, charged for what is made; dry_run is free',
  },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  input: z.strictObject({
    op: z.enum(CREATED_OPS).describe('The operation.'),
    input: z.record(z.string().max(100), z.unknown()).describe('The input of the operation.'),
    name: oneLine.optional().describe('Name of the file. Default: its content and format.'),
    visibility: visibility
      .optional()
      .describe('Of the file, as of all in the library. Default: restricted if it has areas of sets, else org.'),
    mail: looseBoolean.default(false).describe('Email the caller at the end.'),
    webhook: webhook
      .optional()
      .describe(
        'POST a signed event to this URL at the end. Its address must be public, or one that the server allows.',
      ),
    dry_run: looseBoolean.default(false).describe('Return an estimate and create nothing.'),
  }),
  output: z.union([
    jobEntry.extend({
      webhook_secret: z.string().nullable().describe('Secret that signs the events for the organization.'),
    }),
    z.object({
      dry_run: z.literal(true),
      count: z.int().describe('Boundaries.'),
      units: z.int().describe('Units that would be reserved.'),
      left_out: z.int().describe('Selected boundaries without a polygon.'),
      bytes: z.int().describe('Estimated size of the file.'),
      seconds: z.int().describe('Estimated time when no other job runs.'),
    }),
  ]),
  errors: [
    ...SELECTION_ERRORS,
    'unauthorized',
    'invalid_key',
    'invalid_token',
    'quota_exceeded',
    'no_geometry',
    'too_many_boundaries',
    ...UPSTREAM_ERRORS,
    'rate_limited',
  ],
  success: { created: 'if_new' },
  examples: [
    { input: { op: 'export_collection', input: { children_of: 'iso:ES-AN', format: 'geopackage' }, mail: true } },
    {
      input: {
        op: 'crosswalk',
        input: { a: { children_of: 'iso:ES-SE' }, b: ['iso:ES-SE', 'iso:ES-CO'] },
        dry_run: true,
      },
      note: 'An estimate',
    },
  ],
  async prepare(ctx, { op, input: given, webhook: to }) {
    const by = acting(ctx);
    const kind = jobKind(op);
    const kept = kind.kept?.(given) ?? given;
    const input = isLarge(kept)
      ? await parseLargeMember(kind.input, kept, 'input')
      : parseMember(kind.input, kept, 'input');
    asksSafeCsv(input);
    const { access, effect } = kind.op;
    authorize(typeof access === 'function' ? access(input) : access, effect, ctx.caller);
    kind.count?.(given);
    if (to !== undefined) await ctx.services.jobs.checkWebhook(to);
    return { by, kind, kept, input, plan: await planJob(kind, ctx, input) };
  },
  // The job reserves its own units, for longer than a call lasts.
  price: () => 0,
  async run(ctx, given, { by, kind, kept, input, plan }) {
    const { op, visibility: seen = plan.sets !== null ? 'restricted' : 'org', mail } = given;
    if (given.dry_run) {
      const { bytes, ms } = await plan.estimate(ctx.signal);
      const { total: count, units, leftOut } = plan;
      const rough = { bytes: Math.ceil(bytes), seconds: Math.ceil(ms / 1000) };
      return { dry_run: true as const, count, units, left_out: leftOut.length, ...rough };
    }
    const { org } = holder(ctx.caller);
    const about = { op, input: JSON.stringify(kept), name: given.name ?? kind.nameOf(input), visibility: seen };
    const ends = { mail, language: readerLanguage(ctx), webhook: given.webhook ?? null };
    const { units, total } = plan;
    const sets = 'into' in plan ? plan.into : null;
    const job = await ctx.services.jobs.create(by, org.plan, { ...about, ...ends, units, total, sets });
    const secret = given.webhook === undefined ? null : webhookSecret(defined(ctx.services.secretKeys[0]), org.id);
    return created({ ...jobAnswer(ctx, job), webhook_secret: secret }, `/v1/jobs/${job.id}`);
  },
});
