/** Imports a file of areas as official boundaries: a job of import_file. */
import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { atCapacity, invalidInput, problem } from '../../core/errors.ts';
import { type Context, contextWith } from '../../core/op.ts';
import { opaqueId } from '../../core/schemas.ts';
import { putAudit } from '../../domain/people/audit.ts';
import { coverageOptions } from '../../sources/coverage/options.ts';
import type { Coverage } from '../../sources/coverage/read.ts';
import { postcodeFile } from '../../sources/import.ts';
import { importWhole, isReserved } from '../../sources/import_whole.ts';
import { inOptions, readIsolated } from '../../sources/read_isolated.ts';
import type { StoreSummary } from '../../sources/store/summary.ts';
import { acting } from '../orgs/org.ts';
import { countedOf } from '../sets/set.ts';
import { fromLibrary, withGiven } from '../sets/uploaded.ts';
import type { JobKind, StoringBeside } from './kind.ts';

/** Limits of the areas of a file, and of their vertices. */
export const MOST_AREAS = 100_000;
const MOST_VERTICES = 20_000_000;
/** Limits of the lists of a report. */
const MOST_NOTICES = 100;
const MOST_FIRST = 20;

/** How a file is imported, with a source of its own. */
export const importOptions = coverageOptions.extend({
  source: coverageOptions.shape.source.refine((source) => !isReserved(source), {
    error: 'is that of OpenStreetMap or of the seed data: choose another',
  }),
});

/** Boundaries that may be published although their areas changed a lot. */
export const accept = z
  .array(z.string().min(1).max(200))
  .max(1_000)
  .default([])
  .describe('Ids of boundaries to publish even if their areas changed a lot.');

const importInput = z.strictObject({ file_id: opaqueId, options: importOptions, accept });
type ImportInput = z.output<typeof importInput>;

export const importJob: JobKind = {
  op: { access: RULES.import_file, effect: 'write' },
  input: importInput,
  stores: true,
  nameOf: (input) => (input as ImportInput).options.source,
  async plan(ctx, given) {
    const input = given as ImportInput;
    await requireOperator(ctx);
    await ctx.services.files.get(acting(ctx), input.file_id);
    return {
      ...{ total: 0, units: 0, leftOut: [], into: null },
      store: (beside, signal) => storeImport(contextWith(ctx, { signal }), input, beside),
      estimate: async () => ({ bytes: 0, ms: 0 }),
    };
  },
};

/** @throws unauthorized if the caller does not run the service: when a job runs, its creator may no longer do so */
export async function requireOperator(ctx: Context): Promise<void> {
  const { account, org } = acting(ctx);
  if ((await ctx.services.jobs.creatorOf({ account, org }))?.operator) return;
  throw problem('unauthorized', 'Only those who run the service import and remove boundaries.');
}

/**
 * Reads the file in a process of its own, and stores its areas in one transaction with the end of the job.
 * @throws invalid_input for a file that cannot be read so, too_large
 */
async function storeImport(ctx: Context, { file_id, options, accept }: ImportInput, beside: StoringBeside) {
  const { services, signal } = ctx;
  const by = acting(ctx);
  const { name, ...given } = await fromLibrary(ctx, file_id);
  beside.say('reading the file');
  const wanted = { ...postcodeFile(name), ...options };
  const { areas, vertices, coverage } = await withGiven(given, signal, (path, left) => {
    const asked = { path, options: readingOptions(wanted), mostAreas: MOST_AREAS, mostVertices: MOST_VERTICES };
    return readIsolated(
      asked,
      { org: by.org, shown: name, inFields: inOptions, official: () => Promise.resolve([]) },
      left,
    );
  });
  if (areas > MOST_AREAS || vertices > MOST_VERTICES) {
    const most = `${MOST_AREAS} areas and ${MOST_VERTICES} vertices`;
    throw problem('too_large', `A file that is sent has at most ${most}. Import it with boundary import.`);
  }
  if (coverage === undefined) throw atCapacity();
  await beside.found(areas);
  beside.say('storing its areas');
  signal.throwIfAborted();
  const about = { file: name, accept: new Set(accept) };
  const also = async (tx: Parameters<typeof putAudit>[0], summary: StoreSummary) => {
    const { read, added, replaced, unchanged } = summary;
    await putAudit(tx, by.actor, by.org, {
      action: 'data.import',
      target: { type: 'source', id: options.source, name: options.name ?? options.source },
      details: { file: name, read, added, replaced, unchanged },
    });
    await beside.within(tx, reportOf(options.source, coverage, summary));
  };
  try {
    await importWhole(services, coverage, wanted, about, also, (message) => beside.say(message));
  } catch (error) {
    // The import says in a plain error what is wrong with the file or its source.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw invalidInput([{ path: 'options', code: 'refused', message: error.message }]);
  }
}

/** What the reader needs of the options. */
function readingOptions(options: z.output<typeof importOptions>) {
  const { name: _name, url: _url, license: _license, attribution: _by, edition: _edition, ...read } = options;
  const { replace: _replace, ...reading } = read;
  return reading;
}

/** What a job says of an import; each list has its first 100. */
function reportOf(
  source: string,
  { boundaries, skipped, notices, repaired, overlaps }: Coverage,
  stored: StoreSummary,
) {
  const { read, added, replaced, unchanged, older, aliased, doubles, namesakes, broken, conflicts } = stored;
  return {
    source,
    ...{ read, added, replaced, unchanged, older, conflicts },
    seed: { replaced: aliased, overlapping: doubles, namesakes: countedOf(namesakes) },
    first: boundaries.slice(0, MOST_FIRST).map((one) => ({ id: `${source}:${one.sourceId}`, name: one.name })),
    left_out: countedOf(skipped),
    broken: countedOf(broken),
    repaired: repaired.length,
    overlaps: countedOf(overlaps),
    notices: notices.slice(0, MOST_NOTICES),
  };
}
