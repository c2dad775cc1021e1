import { z } from 'zod';
import { FILE_FORMATS } from '../../../workers/formats/registry.ts';
import { defined } from '../../common/elements.ts';
import { RULES, type Visibility } from '../../core/access.ts';
import { type Issue, invalidInput } from '../../core/errors.ts';
import { parseMember } from '../../core/input.ts';
import { created, defineOp } from '../../core/op.ts';
import { boundaryId, detail, type Format, oneLine, format as singleFormat } from '../../core/schemas.ts';
import { type PartAsked, partAsked } from '../../domain/boundaries/land.ts';
import type { FileEntry } from '../../domain/library/file_entry.ts';
import { follow as followFile } from '../../domain/library/following.ts';
import { boundaryFor, requireGeometry, UPSTREAM_ERRORS } from '../boundaries/fetched.ts';
import { part } from '../boundaries/schema.ts';
import { countSelection, SELECTION_ERRORS } from '../boundaries/selection.ts';
import { acting } from '../orgs/org.ts';
import { EXPORT_ERRORS, FILE_ERRORS, fileAnswer, fileEntry, follow, requireFollowable, visibility } from './file.ts';
import {
  areaInput,
  collectionInput,
  planAreaFile,
  planAreaOfSet,
  planCollection,
  planUnion,
  saveMade,
  unionInput,
} from './made.ts';
import { renderFile } from './render.ts';

/** Room for the ids of 5,000 boundaries. */
const BODY_BYTES = 256 * 1024;
const MOST_VALUES = 5_200;

/** The default name, "Luxembourg (kml, medium)": one line of at most 200 characters, whatever the boundary's name. */
function defaultName(boundary: string, { format, detail }: { format: string; detail: string }): string {
  const about = ` (${format}, ${detail})`;
  const line = boundary.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return [...line].slice(0, 150).join('').trim() + about;
}

const BASES = ['boundary_id', 'union', 'collection', 'area'] as const;

/** The formats of areas: not those of tables and maps, which jobs and other calls leave in the library. */
const FORMATS_SAVED = FILE_FORMATS.filter(
  (format) => format !== 'json' && format !== 'parquet' && format !== 'png' && format !== 'pdf',
);

/** Its operation validates it: a full schema here would have to be read in every conversation. */
const member = z.looseObject({});

/** Which part of a boundary is saved. */
const partName = z.enum(['all', 'land', 'water']);

const input = z.strictObject({
  boundary_id: boundaryId.optional().describe('In any form.').meta({ operand: true }),
  union: member.optional().describe('As union_boundaries, of today: include, exclude.'),
  collection: member.optional().describe('As export_collection, of today.'),
  area: z
    .union([partName, member])
    .optional()
    .describe(
      'As create_area: description or plan, country, near. With boundary_id: all, land or water, saved as a union.',
    ),
  water: part.water,
  format: z.enum(FORMATS_SAVED).default('geojson'),
  detail: detail.default('medium').describe('As in export_boundary.'),
  name: oneLine.optional(),
  follow,
  visibility: visibility.optional().describe('Default: org; with areas of sets: restricted (creator, admins).'),
});

/** The part of the boundary of `boundary_id` that is saved. */
function askedOf({ area, water }: Pick<z.output<typeof input>, 'area' | 'water'>): PartAsked {
  return { area: partName.safeParse(area).data, water };
}

/** Checks that exactly one of the four is given, in a format that it has. @throws invalid_input */
function check(given: z.output<typeof input>): void {
  const issues: Issue[] = [];
  const bases = BASES.filter((name) => given[name] !== undefined && typeof given[name] !== 'string');
  if (given.boundary_id !== undefined) bases.unshift('boundary_id');
  else if (typeof given.area === 'string') {
    const message = 'a part is only of a boundary_id; union and collection have an area of their own';
    issues.push({ path: 'area', code: 'conflict', message });
  }
  partAsked(askedOf(given));
  if (bases.length === 0) {
    issues.push({ path: 'boundary_id', code: 'missing', message: 'required, or union, collection or area' });
  }
  if (bases.length > 1) {
    const message = `give one of ${BASES.join(', ')}; ${bases.join(' and ')} are given`;
    issues.push({ path: defined(bases[1]), code: 'conflict', message });
  }
  const { format } = given;
  const fits = bases[0] === 'collection' ? format !== 'wkt' : singleFormat.safeParse(format).success;
  if (!fits) {
    const message = bases[0] === 'collection' ? 'is not a format of collections' : 'is for collections only';
    issues.push({ path: 'format', code: 'invalid_value', message });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** What a save asks for, with the visibility that a new file gets. */
type Wished = z.output<typeof input> & { readonly visibility: Visibility };

/** What a save asks for and an existing entry keeps as it is. */
function notApplied({ name, visibility, follow: wanted }: Wished, kept: FileEntry) {
  const differing = [
    ...(name === undefined || name === kept.name ? [] : [{ field: 'name' as const, is: kept.name }]),
    ...(visibility === kept.visibility ? [] : [{ field: 'visibility' as const, is: kept.visibility }]),
    ...(wanted === undefined || wanted === kept.follow ? [] : [{ field: 'follow' as const, is: String(kept.follow) }]),
  ];
  return differing.map(({ field, is }) => ({
    field,
    reason: `The file existed already and keeps its ${field}, ${is}. update_file changes it.`,
  }));
}

export const saveFile = defineOp({
  name: 'save_file',
  summary: "Saves a boundary, union, collection or area in the organization's file library.",
  description: 'Give one of boundary_id, union, collection and area. Saving the same again returns the existing entry.',
  route: { method: 'POST', path: '/files' },
  access: RULES.save_file,
  effect: 'write',
  cost: {
    units: 1,
    per: 'call',
    note: 'unions, collections and areas cost what their operations cost; free if it already exists',
  },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  readsSets: true,
  input,
  output: fileEntry.extend({
    not_applied: z
      .array(z.object({ field: z.enum(['name', 'visibility', 'follow']), reason: z.string() }))
      .describe('What was asked for and is not so because the file already existed; update_file changes it.'),
  }),
  errors: [
    ...new Set([
      ...FILE_ERRORS,
      ...EXPORT_ERRORS,
      ...SELECTION_ERRORS,
      'too_many_boundaries',
      'could_not_map',
      'areas_unavailable',
      ...UPSTREAM_ERRORS,
    ] as const),
  ],
  success: { created: 'if_new' },
  examples: [
    { input: { boundary_id: 'r2171347', format: 'kml' } },
    { input: { boundary_id: 'iso:LI', detail: 'low', name: 'Liechtenstein, for the map', visibility: 'restricted' } },
    { input: { boundary_id: 'iso:LI', format: 'svg', follow: true }, note: 'Made again when the border changes' },
    { input: { union: { include: ['iso:ES-SE', 'iso:ES-CO'] }, name: 'West' }, note: 'Two provinces as one area' },
    { input: { area: { description: 'Andalucía without the province of Sevilla' } }, note: 'An area in words' },
    { input: { collection: { children_of: 'iso:ES-AN' }, format: 'geopackage' }, note: 'What tiles a region' },
  ],
  count({ collection }) {
    if (typeof collection === 'object' && collection !== null) {
      countSelection(collection as Readonly<Record<string, unknown>>);
    }
  },
  settles: true,
  async prepare(ctx, asked) {
    const by = acting(ctx);
    check(asked);
    const given: Wished = { ...asked, visibility: asked.visibility ?? (ctx.services.sets ? 'restricted' : 'org') };
    const { boundary_id, union, collection, area } = given;
    const dataAt = await ctx.services.boundaries.recordedAt();
    const wished = askedOf(given);
    if (boundary_id === undefined || partAsked(wished) !== 'all') {
      const made =
        boundary_id !== undefined
          ? await planUnion(ctx, { include: [boundary_id], exclude: [], ...wished }, given)
          : union
            ? await planUnion(ctx, parseMember(unionInput, union, 'union'), given)
            : area
              ? await planAreaFile(ctx, parseMember(areaInput, area, 'area'), given)
              : await planCollection(ctx, parseMember(collectionInput, collection, 'collection'), given);
      if (given.follow) requireFollowable({ boundary: null, input: JSON.parse(made.recipe.input) });
      const existing = await ctx.services.files.findMade(by, made.recipe.sha256, given.visibility);
      return { by, given, made, existing, dataAt };
    }
    const boundary = await boundaryFor(ctx, boundary_id);
    if (ctx.services.sets !== undefined) {
      const made = await planAreaOfSet(ctx, boundary, given);
      if (given.follow) requireFollowable({ boundary: null, input: JSON.parse(made.recipe.input) });
      const existing = await ctx.services.files.findMade(by, made.recipe.sha256, given.visibility);
      return { by, given, made, existing, dataAt };
    }
    const format = given.format as Format;
    const key = { boundary: boundary.id, format, detail: given.detail, visibility: given.visibility };
    const existing = await ctx.services.files.find(by, key);
    if (!existing) await requireGeometry(ctx, [boundary]);
    return { by, given, single: { boundary, key }, existing, dataAt };
  },
  price: (_ctx, _input, { existing, made }) => (existing ? 0 : Math.max(1, made?.units ?? 1)),
  async run(ctx, _input, { by, given, single, made, existing, dataAt }, settle) {
    if (existing) return { ...fileAnswer(ctx, existing), not_applied: notApplied(given, existing) };
    let saved: Awaited<ReturnType<typeof saveMade>>;
    const within = async (tx: Parameters<typeof settle>[0], id: string) => {
      // In the order of update_file: it locks the count of files that follow, then the units.
      if (given.follow) await followFile(tx, id);
      await settle(tx);
    };
    if (made) saved = await saveMade(ctx, by, made, { ...given, dataAt }, within);
    else {
      const { boundary, key } = single;
      const exported = { ...(await renderFile(ctx.services, boundary, key, ctx.signal)), dataAt };
      const name = given.name ?? defaultName(boundary.name, key);
      saved = await ctx.services.files.save(by, { key, name, exported }, within);
    }
    const answer = {
      ...fileAnswer(ctx, saved.entry),
      not_applied: saved.created ? [] : notApplied(given, saved.entry),
    };
    return saved.created ? created(answer, `/v1/files/${answer.id}`) : answer;
  },
});
