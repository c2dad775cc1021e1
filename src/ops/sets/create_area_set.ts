import { z } from 'zod';
import { contentType, extension, READABLE } from '../../../workers/formats/registry.ts';
import { today } from '../../common/dates.ts';
import { mediaTypeIn } from '../../common/media_type.ts';
import { codeOf } from '../../common/set_ids.ts';
import { RULES } from '../../core/access.ts';
import { atCapacity, type Issue, invalidInput, problem } from '../../core/errors.ts';
import { type Context, created, defineOp } from '../../core/op.ts';
import { asOf, kind, looseBoolean, oneLine, opaqueId, setName, timestamp } from '../../core/schemas.ts';
import type { MadeFrom, NewVersion } from '../../domain/sets/model.ts';
import { storeAreas } from '../../sources/area_sets.ts';
import type { TilingOptions } from '../../sources/coverage/tiling.ts';
import type { SourceBoundary } from '../../sources/types.ts';
import { visibility } from '../library/file.ts';
import { acting } from '../orgs/org.ts';
import { countGroups, groupsField, planGroups } from './merged.ts';
import { reportOf } from './report.ts';
import { officialIn, seamFeatures } from './seams.ts';
import { areaSet, GAPS, OVERLAPS, SET_ERRORS, SNAPS, setAnswer, setReport, setTitle } from './set.ts';
import { type Given, readGiven } from './uploaded.ts';

/** Limit of a body in JSON, which holds up the main thread while it is parsed. A larger file is sent as the body itself. */
const BODY_BYTES = 8 * 1024 * 1024;
const MOST_VALUES = 110_100;
/** Limit of the areas of a version. */
const MOST_AREAS = 100_000;
/** Limit of the properties kept of an area. */
const MOST_TAGS = 100;
/** Media types of files that are sent as the body. */
const TYPES = [...new Set(READABLE.map((one) => mediaTypeIn(contentType(one)))), 'application/octet-stream'];

const column = z.string().min(1).max(200).optional();

export const createAreaSet = defineOp({
  name: 'create_area_set',
  summary: 'Stores areas of your own, such as sales territories, as a set or as a new version of it.',
  description:
    'From a file in any format that is read and any projection, as the body (the parameters are then in the query) or, up to ' +
    '8 MiB, as content; from a file of the library (file_id); or from groups of boundaries as dissolve takes them. The areas get the ids ' +
    'set:NAME/CODE, which only those who may read the set can use, wherever an id is taken. Each version is valid from a date ' +
    'until the next. Borders are cleaned by slivers so that neighbors share them; the report says what was changed, left ' +
    'out and overlaps. A version is stored whole or not at all.',
  route: { method: 'POST', path: '/sets' },
  access: RULES.create_area_set,
  effect: 'write',
  cost: { units: 1, per: 'call', note: 'from groups: each distinct member' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  intake: TYPES,
  input: z.strictObject({
    name: setName,
    title: setTitle.optional(),
    visibility: visibility.optional().describe('Of a new set. Default: org. update_area_set changes it.'),
    valid_from: asOf.describe('From which date on the areas are so. Default: today.'),
    replace: looseBoolean.default(false).describe('Take the place of the version of that date.'),
    content: z.string().min(1).max(BODY_BYTES).optional().describe('The file, as text or in base64.'),
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('How content is written.'),
    format: z.enum(READABLE).optional().describe('Format of the file, where its beginning does not say it.'),
    file_id: opaqueId.optional().describe('A file of the library in place of content.'),
    features: z
      .array(z.looseObject({ type: z.literal('Feature') }))
      .min(1)
      .max(10_000)
      .optional()
      .describe('GeoJSON features in place of a file, with their properties: such as those drawn on a map.'),
    groups: groupsField.describe('Groups of boundaries in place of a file: an area for each, with its name.'),
    base: timestamp
      .optional()
      .describe(
        'recorded_at of the newest version of the set that you have read: if there is a newer one by now, the call fails with ' +
          'the code changed, and nothing is overwritten.',
      ),
    snap: z
      .enum(SNAPS)
      .default('none')
      .describe('official: where a border runs along an official one within snap_m, it takes that border exactly.'),
    snap_m: z.number().min(0.1).max(1_000).default(25).describe('Tolerance of snap in meters.'),
    overlaps: z
      .enum(OVERLAPS)
      .default('keep')
      .describe(
        'Which area gets what several have. smallest: the smaller of two, of equal ones the first; first: the first in the ' +
          'file; longest_border: that with the longest border of its own beside it.',
      ),
    gaps: z
      .enum(GAPS)
      .default('keep')
      .describe('longest_border: the area with the longest common border gets a gap, whatever its size.'),
    id_column: column.describe('The property with the codes. Default: the ids of the features, or the property id.'),
    name_column: column.describe('The property with the names. Default: name.'),
    population_column: column.describe('The property with the populations.'),
    layer: z.string().min(1).max(200).optional().describe('The layer to read, where a file has several.'),
    crs: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .describe('The reference system, such as EPSG:25830, if the file has none.'),
    text_encoding: z.string().min(1).max(40).optional().describe('Encoding of its text, such as windows-1252.'),
    kind: kind.default('district').describe('Kind of the areas.'),
    attribution: oneLine
      .optional()
      .describe('What answers name as their source. Default: that of the version before, of a new set the title.'),
  }),
  output: areaSet.extend({ report: setReport }),
  errors: [
    ...SET_ERRORS,
    'invalid_id',
    'too_many_boundaries',
    'no_children',
    'no_geometry',
    'quota_exceeded',
    'too_large',
  ],
  success: { created: 'always' },
  examples: [
    {
      input: { name: 'territories', groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] } },
      note: 'From groups of boundaries',
    },
    {
      input: {
        name: 'zones',
        content:
          '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"z1","name":"Zone 1"},' +
          '"geometry":{"type":"Polygon","coordinates":[[[-6,37],[-5.9,37],[-5.9,37.1],[-6,37.1],[-6,37]]]}}]}',
        valid_from: '2019-01-01',
      },
      note: 'From a file',
    },
  ],
  audit: ['set.create', 'set.version'],
  settles: true,
  count: ({ groups }) => countGroups(groups),
  async prepare(ctx, input) {
    const by = acting(ctx);
    const sources = [ctx.intake, input.content, input.file_id, input.groups, input.features].filter(
      (one) => one !== undefined,
    );
    if (sources.length !== 1) {
      const issue: Issue = {
        path: 'content',
        code: sources.length === 0 ? 'missing' : 'conflict',
        message: 'give one of: a file as the body, content, file_id, groups, features',
      };
      throw invalidInput([issue]);
    }
    const none = versionOf(input, { areas: 0, vertices: 0, report: {}, seams: '[]' });
    const room = await ctx.services.areaSets.requireRoom(by, none);
    return { by, room, groups: input.groups === undefined ? null : await planGroups(ctx, input.groups) };
  },
  price: (_ctx, _input, { groups }) => groups?.units ?? 1,
  async run(ctx, input, { by, room, groups }, settle) {
    const given: Given =
      groups === null
        ? await givenFile(ctx, input)
        : { bytes: await groups.merge(), extension: 'geojson', columns: { id: 'group', name: 'group' } };
    const { services } = ctx;
    const most = { mostAreas: Math.min(MOST_AREAS, room.areas), mostVertices: room.vertices };
    const {
      areas: found,
      vertices: distinct,
      coverage: read,
      tiling,
    } = await readGiven(
      given,
      optionsOf(input),
      { most, tiling: tilingOf(input), official: officialIn((services.present ?? services).db) },
      ctx.signal,
    );
    if (found > MOST_AREAS) throw problem('too_large', `A version of a set has at most ${MOST_AREAS} areas.`);
    // Before the areas are stored, which takes longest; while they were read, others may have taken the room.
    await services.areaSets.requireRoom(
      by,
      versionOf(input, { areas: found, vertices: distinct, report: {}, seams: '[]' }),
    );
    if (read === undefined || tiling === undefined) throw atCapacity();
    const seams = await seamFeatures(tiling, (id) => `set:${input.name}/${codeOf(id)}`, ctx.signal);
    const { name } = input;
    const areas = areasOf(read.boundaries, input);
    let report = reportOf(input, { read, tiling, broken: [] });
    await storeAreas(services, { name, areas }, async (tx, { areas: count, vertices, broken }) => {
      report = reportOf(input, { read, tiling, broken });
      const version = await services.areaSets.putVersion(
        tx,
        by,
        versionOf(input, { areas: count, vertices, report: { ...report, members: groups?.members }, seams }),
      );
      await settle(tx);
      return version;
    });
    return created({ ...setAnswer(await services.areaSets.get(by, name)), report }, `/v1/sets/${name}`);
  },
});

type Input = z.output<typeof createAreaSet.input>;

/** The file of a call. @throws not_found for a file of the library that the caller may not see */
async function givenFile(ctx: Context, input: Input): Promise<Given> {
  const columns = {
    ...(input.id_column === undefined ? {} : { id: input.id_column }),
    ...(input.name_column === undefined ? {} : { name: input.name_column }),
    ...(input.population_column === undefined ? {} : { population: input.population_column }),
  };
  const named = input.format === undefined ? null : extension(input.format === 'shapefile' ? 'zip' : input.format);
  if (ctx.intake) {
    const type = READABLE.find((one) => mediaTypeIn(contentType(one)) === ctx.intake?.contentType);
    return { chunks: ctx.intake.chunks, extension: named ?? (type ? extension(type) : ''), columns };
  }
  if (input.file_id !== undefined) {
    const { files } = ctx.services;
    const { entry } = await files.get(acting(ctx), input.file_id);
    return { chunks: await files.read(entry), extension: extension(entry.format), columns };
  }
  if (input.features !== undefined) {
    const content = JSON.stringify({ type: 'FeatureCollection', features: input.features });
    return { bytes: Buffer.from(content), extension: 'geojson', columns };
  }
  const { content = '', encoding } = input;
  return { bytes: Buffer.from(content, encoding), extension: named ?? '', columns };
}

const optionsOf = ({ layer, crs, text_encoding: encoding }: Input) => ({
  ...(layer === undefined ? {} : { layer }),
  ...(crs === undefined ? {} : { crs }),
  ...(encoding === undefined ? {} : { encoding }),
});

const madeFrom = ({ groups, file_id, features }: Input): MadeFrom => {
  if (groups !== undefined) return 'groups';
  if (features !== undefined) return 'features';
  return file_id === undefined ? 'file' : 'saved_file';
};

const tilingOf = ({ snap, snap_m: meters, overlaps, gaps }: Input): TilingOptions => ({
  snapMeters: snap === 'none' ? null : meters,
  ...{ overlaps, gaps },
});

const versionOf = (input: Input, made: Pick<NewVersion, 'areas' | 'vertices' | 'report' | 'seams'>): NewVersion => ({
  name: input.name,
  title: input.title,
  visibility: input.visibility,
  validFrom: input.valid_from ?? today(),
  madeFrom: madeFrom(input),
  attribution: input.attribution,
  replace: input.replace,
  base: input.base,
  ...made,
});

/**
 * The areas with their ids. They have no codes of official boundaries, whatever the file says, so that no such code means
 * one of them.
 * @throws invalid_input for codes that differ only in what ids cannot hold
 */
function areasOf(read: readonly SourceBoundary[], { name, kind: given }: Input): SourceBoundary[] {
  const codes = new Map<string, string>();
  return read.map((one) => {
    const code = codeOf(one.sourceId);
    const other = codes.get(code);
    if (other !== undefined) {
      const message = `the codes ${other} and ${one.sourceId} would both be ${code} in ids`;
      throw invalidInput([{ path: 'id_column', code: 'duplicate', message }]);
    }
    codes.set(code, one.sourceId);
    return {
      ...one,
      id: `set:${name}/${code}`,
      sourceId: code,
      codeIds: [],
      adminLevel: null,
      kind: one.kind ?? given,
      countryCode: null,
      country: null,
      iso: null,
      wikidata: null,
      tags: Object.fromEntries(Object.entries(one.tags).slice(0, MOST_TAGS)),
    };
  });
}
