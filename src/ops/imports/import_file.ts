import { z } from 'zod';
import { READABLE } from '../../../workers/formats/registry.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Context, created, defineOp } from '../../core/op.ts';
import { looseBoolean, oneLine, opaqueId } from '../../core/schemas.ts';
import type { CoverageOptions } from '../../sources/coverage/options.ts';
import type { LookAsked, Looked } from '../../sources/look.ts';
import { inOptions, lookIsolated } from '../../sources/read_isolated.ts';
import { holder, KEY_ERRORS } from '../account/api_key.ts';
import { accept, importJob, importOptions, MOST_AREAS } from '../jobs/import_job.ts';
import { jobAnswer, jobEntry } from '../jobs/job.ts';
import { acting } from '../orgs/org.ts';
import { readerLanguage } from '../reader_language.ts';
import { counted, countedOf, pair, reason } from '../sets/set.ts';
import { BODY_TYPES, fromBody, fromLibrary, type Given, keepUpload, withGiven } from '../sets/uploaded.ts';

const word = z.string().min(1).max(200).optional();

const importInput = z.strictObject({
  dry_run: looseBoolean.default(false).describe('Say how the file would be imported; store no boundary.'),
  file_id: opaqueId.optional().describe('The file, as dry_run kept it in the library, or any other one of it.'),
  file_name: oneLine
    .optional()
    .describe('With a body: its name. Its words may say the level, its extension the format.'),
  format: z.enum(READABLE).optional().describe('With a body: its format, where its beginning does not say it.'),
  recipe: word.describe('With dry_run: a file of the catalog whose columns it has, such as nuts/3.'),
  layer: word.describe('With dry_run: the layer to read, of several.'),
  crs: z.string().min(1).max(4_000).optional().describe('With dry_run: its reference system, such as EPSG:25830.'),
  text_encoding: z.string().min(1).max(40).optional().describe('With dry_run: encoding of its text.'),
  options: importOptions.optional().describe('How to import it: as dry_run proposes, or corrected.'),
  accept,
});
type ImportInput = z.output<typeof importInput>;

const look = z.object({
  dry_run: z.literal(true),
  file_id: z.string().describe('The file in the library, where it is kept for a day.'),
  file_name: z.string(),
  rows: z.int().describe('Rows that were looked at for the columns.'),
  more_rows: z.boolean(),
  columns: z.array(
    z.object({
      name: z.string(),
      filled: z.int(),
      distinct: z.int(),
      examples: z.array(z.string()).describe('Up to 3.'),
    }),
  ),
  recipe: z.string().nullable().describe('The file of the catalog that its columns are those of.'),
  options: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('How it would be imported: the options of the import. null: nothing can be proposed, trouble says why.'),
  lacks_level: z.boolean().describe('Nothing in the file says its admin_level: options need adminLevel.'),
  notes: z.array(z.string()).describe('What was concluded, and what is known of the source.'),
  preview: z
    .object({
      areas: z.int().describe('How many would be stored.'),
      first: z.array(z.record(z.string(), z.unknown())).describe('The first ones, as they would be stored.'),
      left_out: counted(reason),
      overlaps: counted(pair),
      repaired: z.int().describe('Areas whose borders are cleaned so that neighbors share them.'),
      notices: z.array(z.string()),
    })
    .nullable(),
  trouble: z.string().nullable().describe('What is wrong with the file or the options.'),
});

/** Limit of the notices in an answer. */
const MOST_NOTICES = 100;

export const importFile = defineOp({
  name: 'import_file',
  summary: 'Imports a file of areas as official boundaries, as a job. For operators.',
  description:
    'In two calls. The first sends the file as the body, with dry_run=true: it is kept in the library for a day, and the answer ' +
    'says what its columns are understood to be and what would be stored. The second has its file_id and the options, and creates a ' +
    'job: get_job says how far it is, then what was stored and left out. All of the file is stored or nothing, and one file at a ' +
    'time. Files of OpenStreetMap, editions of the past and larger files are imported with the command boundary import.',
  route: { method: 'POST', path: '/imports' },
  access: RULES.import_file,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  intake: BODY_TYPES,
  input: importInput,
  output: z.union([jobEntry, look]),
  errors: [...KEY_ERRORS, 'not_found', 'too_large'],
  success: { created: 'if_new' },
  examples: [
    { input: { dry_run: true, file_id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB' }, note: 'A proposal' },
    {
      input: {
        file_id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB',
        options: {
          ...{ source: 'my-communes', license: 'CC BY 4.0', attribution: 'The publisher', adminLevel: 8 },
          map: { id: 'code', name: 'nom' },
        },
      },
      note: 'The import',
    },
  ],
  audit: ['data.import'],
  async run(ctx, input) {
    checkFields(ctx, input);
    if (input.dry_run) return lookAtFile(ctx, input);
    const { file_id, options, accept } = input as ImportInput & { file_id: string; options: CoverageOptions };
    const by = acting(ctx);
    const kept = { file_id, options, accept };
    const { units, total, into } = { into: null, ...(await importJob.plan(ctx, kept)) };
    const job = await ctx.services.jobs.create(by, holder(ctx.caller).org.plan, {
      ...{ op: 'import_file', input: JSON.stringify(kept), name: importJob.nameOf(kept), visibility: 'restricted' },
      ...{ units, total, mail: false, language: readerLanguage(ctx), webhook: null, sets: into, isAlone: true },
    });
    return created(jobAnswer(ctx, job), `/v1/jobs/${job.id}`);
  },
});

/** @throws invalid_input for fields that do not go together */
function checkFields(
  ctx: Context,
  { dry_run, file_id, options, recipe, layer, crs, text_encoding }: ImportInput,
): void {
  const refuse = (path: string, code: string, message: string) => invalidInput([{ path, code, message }]);
  if (ctx.intake !== undefined) {
    if (file_id !== undefined) throw refuse('file_id', 'conflict', 'give a file as the body or file_id, not both');
    if (!dry_run) throw refuse('dry_run', 'missing', 'a file is sent with dry_run=true first; then import its file_id');
  } else if (file_id === undefined) {
    throw refuse('file_id', 'missing', 'send the file as the body with dry_run=true, or give the file_id of that');
  }
  if (!dry_run && options === undefined)
    throw refuse('options', 'missing', 'say how to import it, as the answer to dry_run=true proposes');
  const others = { recipe, layer, crs, text_encoding };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined && options !== undefined) throw refuse(other, 'conflict', 'options say it already');
}

/** How a file would be imported. @throws invalid_input for one that cannot be read at all, and what keepUpload() throws */
async function lookAtFile(ctx: Context, input: ImportInput): Promise<z.input<typeof look>> {
  const { file_name = 'areas', format, options, recipe, layer, crs, text_encoding: encoding } = input;
  const id =
    ctx.intake === undefined
      ? (input.file_id as string)
      : (
          await keepUpload(ctx, named(fromBody(ctx.intake, format), file_name), {
            ...{ format, nameOf: () => file_name, madeBy: 'import_file' },
          })
        ).id;
  const { name, ...given } = await fromLibrary(ctx, id);
  const reading = options ? readingIn(options) : withoutAbsent({ layer, crs, encoding });
  const asked: LookAsked = { fileName: name, reading, mostAreas: MOST_AREAS, ...withoutAbsent({ options, recipe }) };
  const looked = await withGiven(given, ctx.signal, (path, left) =>
    lookIsolated(path, asked, { org: acting(ctx).org, shown: name, inFields: inOptions }, left),
  );
  return { dry_run: true, file_id: id, file_name: name, ...lookAnswer(looked) };
}

/** A file whose media type does not say its format: its name does, where its beginning does not. */
const named = (given: Given, fileName: string): Given =>
  given.extension === '' ? { ...given, extension: fileName } : given;

const readingIn = ({ layer, crs, encoding, geometry }: CoverageOptions) =>
  withoutAbsent({ layer, crs, encoding, geometry });

/** The members that are not undefined. */
const withoutAbsent = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

function lookAnswer({ rows, isCut, columns, recipe, options, lacksLevel, notes, preview, trouble }: Looked) {
  return {
    ...{ rows, more_rows: isCut, recipe, options, lacks_level: lacksLevel, trouble },
    notes: [...notes],
    columns: columns.map((one) => ({ ...one, examples: [...one.examples] })),
    preview: preview && {
      areas: preview.read,
      first: preview.first.map((one) => ({ ...one })),
      left_out: countedOf(preview.skipped),
      overlaps: countedOf(preview.overlaps),
      repaired: preview.repaired.length,
      notices: preview.notices.slice(0, MOST_NOTICES),
    },
  };
}
