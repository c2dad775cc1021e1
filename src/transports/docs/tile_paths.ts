import type { ProblemCode } from '../../core/errors.ts';
import { MAX_ZOOM } from '../../tiles/boundary_tiles.ts';
import type { JsonSchema, Reference } from './components.ts';

type Parameter = Readonly<Record<string, unknown>>;

/** The tag of the operations on tiles. */
export const TILES_TAG = 'Tiles';

/** What a path of tiles answers with. */
type Content = 'tile' | 'page' | 'json';

const CONTENTS: Readonly<Record<Content, readonly [type: string, schema: JsonSchema]>> = {
  tile: ['application/vnd.mapbox-vector-tile', { type: 'string', format: 'binary' }],
  page: ['text/html; charset=utf-8', { type: 'string' }],
  json: ['application/json', { type: 'object' }],
};

/** OpenAPI paths of vector tiles, which are not operations of the registry. */
export function tilePaths(
  problems: (codes: readonly ProblemCode[]) => Reference,
  headers: (...names: readonly string[]) => Record<string, Reference>,
): Record<string, Record<string, unknown>> {
  const get = (
    operationId: string,
    summary: string,
    { content, of = [], isOwned = false }: { content: Content; of?: readonly Parameter[]; isOwned?: boolean },
  ) => {
    const [type, schema] = CONTENTS[content];
    const names = ['Vary', 'Content-Encoding', ...(content === 'tile' ? ['ETag', 'Areas-Left-Out'] : [])];
    const done = { description: 'Done.', headers: headers(...names), content: { [type]: { schema } } };
    return {
      get: {
        operationId,
        summary,
        tags: [TILES_TAG],
        security: isOwned ? [{}, { api_key: [] }, { oauth: [] }, { session: [] }] : [{}],
        ...(of.length > 0 && { parameters: of }),
        responses: {
          200: done,
          ...(content === 'tile' && {
            204: { description: 'The tile is empty.', headers: headers(...names) },
            304: { description: 'The client already has it.', headers: headers(...names) },
          }),
          400: problems(['invalid_input']),
          ...(isOwned && { 401: problems(['unauthorized', 'invalid_key', 'invalid_token']) }),
          404: problems(['not_found']),
          ...(isOwned && { 413: problems(['too_large']) }),
          429: problems(['rate_limited']),
          500: problems(['internal_error']),
          503: problems(['upstream_unavailable']),
        },
      },
    };
  };
  const tiles = (operationId: string, what: string, more: Pick<Parameters<typeof get>[2], 'of' | 'isOwned'>) =>
    get(operationId, `A vector tile of ${what}.`, { ...more, content: 'tile', of: [...(more.of ?? []), ...PLACE] });
  const selection = [inPath('sha256', 'Name of a selection, as POST /tiles/selections returns it.')];
  const set = [inPath('name', 'Name of an area set.')];
  const file = [inPath('id', 'Id of a library file.')];
  const own = { isOwned: true };
  return {
    '/tiles/boundaries': get('preview_tiles', 'A page that shows the tiles on a map.', { content: 'page', of: SHOWN }),
    '/tiles/boundaries.json': get('describe_tiles', 'The TileJSON of all boundaries.', { content: 'json', of: SHOWN }),
    '/tiles/style.json': get('get_style', 'A MapLibre style that draws the tiles of all boundaries.', {
      content: 'json',
      of: [...SHOWN, query('theme', 'Colors of the map.', { type: 'string', enum: ['light', 'dark'] })],
    }),
    '/tiles/boundaries/{z}/{x}/{y}.mvt': tiles('get_tile', 'all boundaries', { of: SHOWN }),
    '/tiles/selections/{sha256}.json': get('describe_selection_tiles', 'The TileJSON of a selection.', {
      ...{ ...own, content: 'json', of: [...selection, LANG] },
    }),
    '/tiles/selections/{sha256}/{z}/{x}/{y}.mvt': tiles('get_selection_tile', 'a selection', {
      ...{ ...own, of: [...selection, LANG] },
    }),
    '/tiles/sets/{name}.json': get('describe_set_tiles', 'The TileJSON of an area set.', {
      ...{ ...own, content: 'json', of: [...set, LANG, AS_OF] },
    }),
    '/tiles/sets/{name}/{z}/{x}/{y}.mvt': tiles('get_set_tile', 'an area set', {
      ...{ ...own, of: [...set, LANG, AS_OF] },
    }),
    '/tiles/files/{id}.json': get('describe_file_tiles', 'The TileJSON of a library file.', {
      ...{ ...own, content: 'json', of: file },
    }),
    '/tiles/files/{id}/{z}/{x}/{y}.mvt': tiles('get_file_tile', 'a library file', { ...own, of: file }),
  };
}

const inPath = (name: string, description: string, schema: JsonSchema = { type: 'string' }): Parameter => ({
  ...{ name, in: 'path', required: true, description, schema },
});

const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  ...{ name, in: 'query', description, schema },
});

const PLACE = [
  inPath('z', 'Zoom.', { type: 'integer', minimum: 0, maximum: MAX_ZOOM }),
  inPath('x', 'Column of the tile, from the west.', { type: 'integer', minimum: 0 }),
  inPath('y', 'Row of the tile, from the north.', { type: 'integer', minimum: 0 }),
];

const LANG = query('lang', 'Languages of names, best first.', { type: 'string', maxLength: 100 });
const AS_OF = query('as_of', 'The date of the boundaries; today by default.', { type: 'string', format: 'date' });
const SHOWN = [
  LANG,
  AS_OF,
  query('area', 'The part of boundaries that is shown.', { type: 'string', enum: ['all', 'land', 'water'] }),
  query('water', 'With area=land: cut out large lakes and rivers.', { type: 'string', enum: ['inland'] }),
];
