import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { boundaryId } from '../../core/schemas.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import { type OmittedBoundary, ONE_CALL, omitted, requireSelectable } from '../../domain/boundaries/selection.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import { type Classes, drawMapOf, MAP_FORMATS, MAP_TYPES, readClasses, SCHEMES } from '../../geometry/maps.ts';
import { attributionOf, exportPath, geometryOf } from './document.ts';
import { onSnapshot, requireGeometry, withCandidates } from './fetched.ts';
import { type Figures, readFigures } from './figures.ts';
import { keepFile } from './kept_file.ts';
import { naming } from './schema.ts';
import {
  asSelection,
  idsNamedIn,
  idsSelected,
  leftOutOf,
  leftOutSchema,
  requireOneBase,
  SELECTION_ERRORS,
  selectionForms,
} from './selection.ts';

/** Areas of a map. */
const MOST = 5_000;
const BODY_BYTES = 1024 * 1024;
/** Areas per unit: a map is drawn at the detail of its pixels. */
const FOR_A_UNIT = 10;

const line = (most: number) => z.string().max(most).default('');

const input = z.strictObject({
  csv: z
    .string()
    .max(BODY_BYTES)
    .optional()
    .describe(
      'Figures as a table with a header: a column id, match_id or boundary_id, and the figure. Give csv or rows.',
    )
    .meta({ operand: true }),
  rows: z
    .array(z.strictObject({ id: boundaryId, value: z.number().nullable() }))
    .min(1)
    .max(MOST)
    .optional()
    .describe('Figures: null where there is none.'),
  value: z
    .string()
    .max(200)
    .optional()
    .describe('With csv: the column of the figure. Default: the first besides the ids.'),
  around: selectionForms(MOST).optional().describe('Also show these boundaries, hatched where they have no figure.'),
  classes: z
    .string()
    .max(400)
    .default('quantile:5')
    .describe('quantile:N, equal:N or natural:N with 2 to 9 classes, or given:10,20,50 with the bounds between them.'),
  colors: z.enum(SCHEMES).default('ylgnbu').describe('The last six of ColorBrewer are for figures with a middle.'),
  reverse: z.boolean().default(false).describe('The colors in the other order.'),
  title: z.string().trim().min(1).max(200),
  unit: line(200).describe('What the figures are: inhabitants per km2.'),
  source: line(300).describe('Where the figures are from.'),
  labels: z.enum(['names', 'values', 'none']).default('names').describe('Written where they fit inside their area.'),
  insets: z.boolean().default(true).describe('Far parts, such as Alaska or the Canary Islands, in maps of their own.'),
  width: z.int().min(240).max(2000).default(960).describe('In pixels; a PNG has two for each.'),
  lang: naming.lang.describe('Languages for names, best first. Default: local names.'),
  format: z.enum(MAP_FORMATS).default('svg'),
});
type Input = z.output<typeof input>;

export const drawMap = defineOp({
  name: 'draw_map',
  summary: 'A map of your figures: boundaries in the color of their class, with a legend, as SVG, PNG or PDF.',
  description:
    'Up to 5,000 boundaries. The projection is equal-area and chosen for the extent; the colors are safe for color-blind ' +
    'readers; areas without a figure are hatched; far parts get insets. The HTTP route answers with the picture, other calls ' +
    'with its url. Boundaries must be stored.',
  route: { method: 'POST', path: '/maps' },
  access: RULES.draw_map,
  effect: 'read',
  cost: { units: 1, per: 'call', note: `for every ${FOR_A_UNIT} boundaries, rounded up` },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  mostValues: 5 * MOST + 100,
  readsSets: true,
  input,
  output: z.object({
    url: z.url(),
    sha256: z.string().length(64),
    bytes: z.int(),
    content_type: z.string(),
    format: z.enum(MAP_FORMATS),
    areas: z.int(),
    without_figure: z.int().describe('Areas that are hatched.'),
    left_out: leftOutSchema,
    rows_without_id: z.int().describe('Rows of a matched table that have no boundary, and are not on the map.'),
  }),
  success: { files: MAP_FORMATS.map((name) => MAP_TYPES[name]) },
  errors: [...SELECTION_ERRORS, 'unauthorized', 'quota_exceeded', 'too_many_boundaries', 'no_geometry', 'rate_limited'],
  examples: [
    {
      input: {
        rows: [
          { id: 'iso:ES-SE', value: 140.5 },
          { id: 'iso:ES-CO', value: 56.4 },
        ],
        around: { children_of: 'iso:ES-AN' },
        classes: 'given:100',
        title: 'Inhabitants per km2',
      },
    },
    {
      input: { csv: 'id,density\niso:ES-SE,140.5\niso:ES-CO,56.4\n', title: 'Density', format: 'png' },
      note: 'From a table, as a picture',
    },
  ],
  count({ rows, around }) {
    requireSelectable(Math.max(lengthOf(rows), lengthOf(around)), { ...ONE_CALL, most: MOST, advice: undefined });
  },
  async prepare(ctx, given) {
    const classes = classesOf(given.classes);
    if (given.around !== undefined) requireOneBase(asSelection(given.around), 'around');
    const { figures, rowsWithoutId } = await readFigures(given, MOST, ctx.signal);
    const named = [...[...figures.keys()].slice(0, 1), ...(given.around ? idsNamedIn(given.around) : [])];
    const found = await withCandidates(ctx, named, () =>
      onSnapshot(ctx, (reading) => resolveAreas(ctx, reading, given, figures)),
    );
    ctx.progress?.(`${found.areas.length} areas to draw`);
    return { figures, rowsWithoutId, classes, found };
  },
  price: (_ctx, _input, { found }) => Math.ceil(found.areas.length / FOR_A_UNIT),
  async run(ctx, given, { figures, rowsWithoutId, classes, found: prepared }) {
    const { found, made } = await onSnapshot(ctx, async (reading) => {
      const found =
        prepared.revision === reading.revision ? prepared : await resolveAreas(ctx, reading, given, figures);
      return { found, made: await draw(ctx, reading, { ...given, classes }, found) };
    });
    const { format } = given;
    const { areas, leftOut } = found;
    if (ctx.transport === 'http') {
      // What areas of sets are in has no public address.
      const isPrivate = ctx.services.sets !== undefined;
      const license = defined(areas[0]).boundary.source.url;
      return bytes(made.bytes, MAP_TYPES[format], {
        headers: {
          ...(isPrivate ? {} : { 'Content-Location': ctx.baseUrl + exportPath(made.sha256, format) }),
          'Content-Disposition': `inline; filename="map.${format}"`,
          'Boundary-Collection': `count=${areas.length}, left_out=${leftOut.length}, rows_without_id=${rowsWithoutId}`,
          ...(license && URL.canParse(license) && { Link: `<${new URL(license).href}>; rel="license"` }),
        },
        ...(isPrivate ? {} : { keep: () => ctx.services.blobs.put(made.sha256, format, made.bytes) }),
      });
    }
    return {
      ...(await keepFile(ctx, [made.bytes], format, 'draw_map')),
      content_type: MAP_TYPES[format],
      format,
      areas: areas.length,
      without_figure: areas.filter(({ value }) => value === null).length,
      left_out: leftOutOf(leftOut),
      rows_without_id: rowsWithoutId,
    };
  },
});

/** Reads the classes of a map. @throws invalid_input */
function classesOf(text: string): Classes {
  const classes = readClasses(text);
  if (classes !== null) return classes;
  const message = 'must be quantile:N, equal:N or natural:N (N from 2 to 9), or given: and up to 8 ascending bounds';
  throw invalidInput([{ path: 'classes', code: 'invalid_value', message }]);
}

/** The boundaries of a map with their figures: those of the rows, then those around them. */
async function resolveAreas(ctx: Context, reading: Snapshot, { around }: Input, figures: Figures) {
  const listed = [...figures.keys()];
  const shapes = await reading.shapes(listed);
  await requireGeometry(ctx, shapes);
  const values = new Map<string, number | null>();
  shapes.forEach(({ id }, i) => {
    const key = defined(listed[i]);
    if (values.has(id)) throw duplicate(key, defined(figures.get(key)).path);
    values.set(id, defined(figures.get(key)).value);
  });
  const leftOut: OmittedBoundary[] = [];
  const areas = shapes.map((boundary) => ({ boundary, value: values.get(boundary.id) ?? null }));
  if (around !== undefined) {
    for (const boundary of await reading.shapes(await idsSelected(ctx, reading, asSelection(around)))) {
      if (values.has(boundary.id)) continue;
      values.set(boundary.id, null);
      if (boundary.has_geometry) areas.push({ boundary, value: null });
      else leftOut.push(omitted(boundary));
    }
  }
  if (areas.length > MOST) throw problem('too_large', `The map has ${areas.length} areas; at most ${MOST} per call.`);
  return { revision: reading.revision, areas, leftOut };
}

const duplicate = (id: string, path: string) =>
  invalidInput([{ path, code: 'duplicate', message: `${id} is a boundary that another row has a figure for` }]);

async function draw(
  ctx: Context,
  reading: Snapshot,
  given: Omit<Input, 'classes'> & { readonly classes: Classes },
  { areas }: Awaited<ReturnType<typeof resolveAreas>>,
) {
  const names = await namesOf(
    reading,
    areas.map(({ boundary }) => boundary.id),
    given.lang,
  );
  const { title, unit, source, width, classes, colors, reverse, labels, insets, format } = given;
  const wanted = {
    format,
    areas: areas.map(({ value }, i) => ({ name: defined(names[i]), value })),
    spec: {
      ...{ title, unit, source, width, classes, colors, reverse, labels, insets },
      attribution: attributionOf(areas.map(({ boundary }) => boundary)),
    },
  };
  const refs = areas.map(({ boundary }) => ({ ...geometryOf(boundary), adminLevel: null }));
  return drawMapOf(ctx.services.engine, ctx.services.cache, refs, wanted, ctx.signal);
}

/** Names in the preferred languages. */
async function namesOf(reading: Snapshot, ids: readonly string[], lang: string | undefined): Promise<string[]> {
  const found = await reading.byIds(ids);
  const prefer = lang === undefined ? [] : languagesOf(lang);
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: null },
  );
  return shown.map(({ name }) => name);
}
