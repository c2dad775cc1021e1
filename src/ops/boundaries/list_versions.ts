import { z } from 'zod';
import { only } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { boundaryId, recordedBefore, timestamp } from '../../core/schemas.ts';
import { loadQuery } from '../../db/query.ts';
import { endedId, type VersionFact, versionsOf } from '../../domain/history/versions.ts';
import { withCandidates } from './fetched.ts';
import { requireOfficial } from './official.ts';
import { canonicalId } from './schema.ts';

const FACTS = [
  'name',
  'names',
  'admin_level',
  'codes',
  'population',
  'parents',
  'shape',
] as const satisfies readonly VersionFact[];

export const listVersions = defineOp({
  name: 'list_versions',
  summary: 'The versions of a boundary through time: when each was in force, and what changed.',
  description:
    'valid_from and valid_to say when a version was in force, valid_to as the date of the next change or of its end; null: ' +
    'none is known. recorded_at says when this service learned it. changed names what differs from the version before. ' +
    'Each version has the address of its shape. list_changes compares all boundaries of two dates. Areas of sets have the versions of their set: get_area_set.',
  route: { method: 'GET', path: '/boundaries/:id/versions' },
  access: RULES.list_versions,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: boundaryId, recorded_before: recordedBefore }),
  output: z.object({
    id: canonicalId,
    items: z.array(
      z.object({
        valid_from: z.iso.date(),
        valid_to: z.iso.date().nullable(),
        recorded_at: timestamp,
        name: z.string(),
        admin_level: z.int().nullable(),
        codes: z.array(z.string()),
        area_km2: z.number().nullable(),
        population: z.int().nullable(),
        source: z.string(),
        changed: z.array(z.enum(FACTS)).describe('What differs from the version before; empty for the first.'),
        url: z.url().describe('The boundary with its shape, as of this version.'),
      }),
    ),
    pruned: z
      .array(z.iso.date())
      .optional()
      .describe(
        'Dates of editions of its source and level that were pruned. What was so from each of them until the next version is not known.',
      ),
  }),
  errors: ['invalid_input', 'invalid_id', 'not_found', 'rate_limited'],
  examples: [
    { input: { id: 'iso:ES-SE' } },
    { input: { id: 'r1' }, problem: 'not_found', note: 'No boundary has this id' },
  ],
  async run(ctx, { id: text }) {
    requireOfficial('id', text, 'versions');
    const { boundaries, db, pin } = ctx.services;
    if (pin && only(await db.query(loadQuery('history_pruned_since'))).pruned) {
      const message = 'editions were pruned since: the versions of then are not known';
      throw invalidInput([{ path: 'recorded_before', code: 'invalid_value', message }]);
    }
    const id = await withCandidates(ctx, [text], async () => {
      const [found] = await boundaries.lookup([text]);
      return found?.id ?? endedId(db, text, ctx.signal);
    });
    const versions = await versionsOf(db, id, ctx.signal);
    if (versions.length === 0) throw problem('not_found', `No boundary ${id}.`);
    const pruned = await db.query(loadQuery('history_pruned'), [id]);
    return {
      id,
      ...(pruned.length > 0 && { pruned: pruned.map(({ valid_from }) => valid_from) }),
      items: versions.map((one) => ({
        ...one,
        url: `${ctx.baseUrl}/v1/boundaries/${encodeURIComponent(id)}?as_of=${one.valid_from}`,
      })),
    };
  },
});
