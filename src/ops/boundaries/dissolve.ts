import { z } from 'zod';
import { levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import { contentType } from '../../../workers/formats/registry.ts';
import type { Column } from '../../../workers/formats/types.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { asOf, boundaryId, collectionFormat, detail, format, recordedBefore, safeCsv } from '../../core/schemas.ts';
import type { NamedShape } from '../../domain/boundaries/boundary.ts';
import { partAsked, readIncludesWater } from '../../domain/boundaries/land.ts';
import { type AreaFile, writeAreas } from '../../geometry/collection_areas.ts';
import type { DissolvedAreas } from '../../geometry/documents.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import {
  assignedTwice,
  groupsOf,
  idsToExplain,
  MOST,
  type ResolvedGroups,
  resolveGroups,
  unassigned,
} from './dissolve_groups.ts';
import { attributionOf, documentHeaders, geometryOf } from './document.ts';
import { onSnapshot, withCandidates } from './fetched.ts';
import { keepFile } from './kept_file.ts';
import {
  canonicalId,
  checkResolution,
  featureSchema,
  includesWaterSchema,
  inlandWaterSchema,
  part as partFields,
  tolerance,
} from './schema.ts';
import { countListed, leftOutOf, leftOutSchema, SELECTION_ERRORS, selectionForms } from './selection.ts';

const BODY_BYTES = 8 * 1024 * 1024;
const refOf = (boundary: NamedShape): BoundaryRef => geometryOf(boundary);

const aboutSchema = {
  detail: detail.nullable(),
  tolerance_m: z.number().describe('Tolerance of all areas, in meters.'),
  groups: z.int(),
  members: z.int().describe('Distinct boundaries.'),
  assigned_twice: z.object({
    total: z.int(),
    items: z.array(z.object({ id: canonicalId, groups: z.array(z.string()) })).describe('The first 100.'),
  }),
  unassigned: z
    .object({ total: z.int(), ids: z.array(canonicalId).describe('The first 1,000, by id.') })
    .nullable()
    .describe('Null without within.'),
  left_out: leftOutSchema,
  includes_water: includesWaterSchema.optional().describe('With area: whether the areas include sea.'),
  attribution: z.string(),
};

const AREA_COLUMNS = [
  { name: 'name', type: 'string' },
  { name: 'members', type: 'integer' },
  { name: 'area_km2', type: 'number' },
  { name: 'exact', type: 'integer' },
] as const satisfies readonly Column[];

/** Attributes of an area; `dry`: of one without inland water. */
export const columnsOfAreas = (dry: boolean): readonly Column[] =>
  dry ? [...AREA_COLUMNS, { name: 'inland_water_km2', type: 'number' }] : AREA_COLUMNS;

/**
 * The areas of groups as features with the attributes of columnsOfAreas().
 * @param land the same areas with their inland water, where that was cut out
 */
export function featuresOf(
  areas: DissolvedAreas['areas'],
  groups: ResolvedGroups['groups'],
  land: DissolvedAreas['areas'] | null = null,
) {
  return areas.map(({ polygons, box, areaKm2, exact }, g) => {
    const inland = land === null ? [] : [Math.max(0, defined(land[g]).areaKm2 - areaKm2)];
    const { name, members } = defined(groups[g]);
    return { polygons, box, values: [name, members.length, areaKm2, exact ? 1 : 0, ...inland] };
  });
}

/** Writes the areas of the groups in a format other than GeoJSON, and stores the file. */
async function keepAreas(
  ctx: Context,
  { level, areas }: DissolvedAreas,
  groups: ResolvedGroups['groups'],
  land: DissolvedAreas['areas'] | null,
  file: Pick<AreaFile, 'format' | 'zipOf' | 'attribution'>,
) {
  const features = featuresOf(areas, groups, land);
  const parts = writeAreas(
    ctx.services.engine,
    { ...file, level, name: `${groups.length} areas`, columns: columnsOfAreas(land !== null), features },
    ctx.signal,
  );
  return {
    ...(await keepFile(ctx, parts, file.format, 'dissolve')),
    content_type: contentType(file.format),
    format: file.format,
    overlaid: groups.filter((_, g) => !defined(areas[g]).exact).map(({ name }) => name),
  };
}

export const dissolve = defineOp({
  name: 'dissolve',
  summary: 'Merges groups of boundaries into new areas that fit each other, such as sales districts of municipalities.',
  description:
    'Up to 100,000 members in up to 10,000 groups, as groups or as csv. All areas have one tolerance: neighbors share ' +
    'every vertex of their border. The answer is a GeoJSON FeatureCollection with a feature for each group, or in another format ' +
    'the url of a file. assigned_twice lists members of more than one group, unassigned the parts of within that are in no group. ' +
    'exact is false where borders of members cross: such an area may not fit its neighbors above tolerance 0. ' +
    'Members must be stored.',
  route: { method: 'POST', path: '/dissolve' },
  access: RULES.dissolve,
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct member' },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST.members + MOST.groups + 10,
  mostMembers: MOST.groups + 10,
  input: z.strictObject({
    as_of: asOf,
    recorded_before: recordedBefore,
    groups: z
      .record(z.string().min(1).max(200), selectionForms(MOST.members))
      .optional()
      .describe('What each group is made of, by its name: ids, or a selection. Give groups or csv.'),
    csv: z
      .string()
      .max(BODY_BYTES)
      .optional()
      .describe('A line for each member: its id and its group, or columns named id and group among others.')
      .meta({ operand: true }),
    within: boundaryId
      .optional()
      .describe('Also list the subdivisions of this boundary, at the levels of the members, that are in no group.'),
    detail: detail.optional().describe('Relative to the largest area; the same tolerance for all. Default: medium.'),
    tolerance_m: tolerance.optional(),
    ...partFields,
    format: collectionFormat.default('geojson'),
    safe_csv: safeCsv,
    zip_of: format.optional().describe('With format zip: the format of its files.'),
  }),
  output: z.union([
    z.object({
      type: z.literal('FeatureCollection'),
      ...aboutSchema,
      features: z.array(
        featureSchema(
          z.object({
            group: z.string(),
            members: z.int().describe('Distinct boundaries in the group.'),
            area_km2: z.number(),
            exact: z.boolean().describe('False where borders of members cross.'),
            inland_water_km2: inlandWaterSchema,
          }),
        ),
      ),
    }),
    z.object({
      url: z.url(),
      sha256: z.string().length(64),
      bytes: z.int(),
      content_type: z.string(),
      format: collectionFormat,
      ...aboutSchema,
      overlaid: z.array(z.string()).describe('Groups whose members have borders that cross.'),
    }),
  ]),
  success: { documents: [contentType('geojson'), 'application/json'] },
  errors: [...SELECTION_ERRORS, 'unauthorized', 'quota_exceeded', 'too_many_boundaries', 'no_geometry', 'rate_limited'],
  examples: [
    { input: { groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] }, within: 'iso:ES-AN' } },
    {
      input: { groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] }, format: 'geopackage' },
      note: 'As a file for a GIS',
    },
    {
      input: { groups: { south: { children_of: 'iso:ES-AN' } } },
      note: 'A selection in place of ids',
    },
    { input: { csv: 'id,group\niso:ES-SE,west\niso:ES-CO,east\n', tolerance_m: 256 }, note: 'From a table' },
  ],
  count({ groups, csv }) {
    if (csv !== undefined && csv !== null && groups !== undefined && groups !== null) {
      throw invalidInput([{ path: 'csv', code: 'conflict', message: 'give groups or csv, not both' }]);
    }
    if (typeof groups !== 'object' || groups === null) return;
    let members = 0;
    let names = 0;
    for (const name in groups) {
      const list = (groups as Record<string, unknown>)[name];
      members += countListed(list);
      if (members > MOST.members) {
        throw problem('too_many_boundaries', `Too many members: at most ${MOST.members} per call.`);
      }
      if (++names > MOST.groups)
        throw problem('too_many_boundaries', `Too many groups: at most ${MOST.groups} per call.`);
      if (name === '__proto__') {
        throw invalidInput([{ path: 'groups', code: 'invalid_name', message: 'a group cannot be named __proto__' }]);
      }
    }
  },
  async prepare(ctx, input) {
    checkResolution(input);
    if (input.zip_of !== undefined && input.format !== 'zip') {
      throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
    }
    const groups = await groupsOf(input, ctx.signal);
    if (groups.size === 0) {
      throw invalidInput([{ path: 'groups', code: 'missing', message: 'give groups, or csv' }]);
    }
    const first = [...(input.within === undefined ? [] : [input.within]), ...idsToExplain(groups)];
    const division = await withCandidates(ctx, first, () =>
      onSnapshot(ctx, (reading) => resolveGroups(ctx, reading, groups, input)),
    );
    ctx.progress?.(`${division.boundaries.length} boundaries to merge into ${groups.size} areas`);
    return { groups, division };
  },
  price: (_ctx, _input, { division }) => division.boundaries.length,
  async run(ctx, input, { groups, division: found }) {
    const part = partAsked(input);
    const { engine } = ctx.services;
    const made = await onSnapshot(ctx, async (reading) => {
      const division = found.revision === reading.revision ? found : await resolveGroups(ctx, reading, groups, input);
      const { boundaries } = division;
      const attribution = attributionOf(boundaries);
      const members = {
        groups: groups.size,
        members: boundaries.length,
        assigned_twice: await assignedTwice(ctx, division),
        unassigned: await unassigned(ctx, division),
        left_out: leftOutOf(division.leftOut),
        ...(input.area && { includes_water: await readIncludesWater(reading, boundaries, part) }),
        attribution,
      };
      const level = input.tolerance_m === undefined ? null : levelOfTolerance(input.tolerance_m);
      const wanted = { detail: level === null ? (input.detail ?? 'medium') : null, level };
      const withWater =
        part === 'dry_land' ? await resolveGroups(ctx, reading, groups, { ...input, water: undefined }) : null;
      const dissolved = ({ boundaries: some, groups: of }: ResolvedGroups) =>
        engine.documents.dissolveAreas(some.map(refOf), of, wanted, ctx.signal);
      const land = withWater && (await dissolved(withWater)).areas;
      if (input.format === 'geojson') {
        const asked = { ...wanted, members, ...(land && { landKm2: land.map(({ areaKm2 }) => areaKm2) }) };
        return engine.documents.dissolve(boundaries.map(refOf), division.groups, asked, ctx.signal);
      }
      const areas = await dissolved(division);
      const file = { format: input.format, zipOf: input.zip_of ?? 'geojson', attribution } as const;
      const kept = await keepAreas(ctx, areas, division.groups, land, file);
      return { ...kept, detail: wanted.detail, tolerance_m: toleranceMeters(areas.level), ...members };
    });
    if ('url' in made) return made;
    const headers = documentHeaders(made, defined(found.boundaries[0]).source.url);
    return bytes(made.bytes, contentType('geojson'), { headers });
  },
});
