import type { ProblemCode } from '../../core/errors.ts';
import { SYSTEMS } from '../ogc/crs.ts';
import { QUERYABLES } from '../ogc/filter/expression.ts';
import { LINE_QUERYABLES } from '../ogc/lines_query.ts';
import { MAX_ITEMS } from '../ogc/query.ts';
import type { JsonSchema, Reference } from './components.ts';

type Parameter = Readonly<Record<string, unknown>>;

/** The tag of OGC API - Features. */
export const OGC_TAG = 'OGC API - Features';

/** OpenAPI paths of OGC API - Features, which are not operations of the registry. */
export function ogcPaths(
  problems: (codes: readonly ProblemCode[]) => Reference,
  headers: (...names: readonly string[]) => Record<string, Reference>,
): Record<string, Record<string, unknown>> {
  const get = (operationId: string, summary: string, types: readonly string[], parameters: readonly Parameter[]) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }]));
    return {
      get: {
        operationId,
        summary,
        tags: [OGC_TAG],
        security: [{}],
        parameters,
        responses: {
          200: {
            description: 'Done.',
            headers: headers('Vary', 'Content-Crs'),
            content: { ...content, 'text/html; charset=utf-8': { schema: { type: 'string' } } },
          },
          400: problems(['invalid_input']),
          404: problems(['not_found']),
          429: problems(['rate_limited']),
          500: problems(['internal_error']),
          503: problems(['upstream_unavailable']),
        },
      },
    };
  };
  const json = ['application/json'];
  const features = ['application/geo+json'];
  const filters = Object.entries(QUERYABLES).map(([name, { type, title }]) =>
    query(name, `${title}: only features with this value.`, { type }),
  );
  const shown = [
    CRS,
    query('lang', 'Languages of names, best first.', { type: 'string', maxLength: 100 }),
    query('area', 'The part of boundaries that is shown.', { type: 'string', enum: ['all', 'land', 'water'] }),
    query('water', 'With area=land: cut out large lakes and rivers.', { type: 'string', enum: ['inland'] }),
    DATETIME,
  ];
  const paged = [
    query('bbox', 'West, south, east, north: only features whose box meets it.', {
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 6,
    }),
    query('bbox-crs', 'The reference system of bbox.', { type: 'string', enum: SYSTEMS }),
    query('limit', `Features of a page, ${MAX_ITEMS} at most.`, { type: 'integer', minimum: 1, default: 10 }),
    query('after', 'Where the page begins; copied from the link next.', { type: 'string' }),
  ];
  const ofLines = Object.entries(LINE_QUERYABLES).map(([name, { type, title }]) =>
    query(name, `${title}: only lines with this value.`, { type }),
  );
  return {
    '/ogc': get('ogc_landing', 'Landing page of OGC API - Features.', json, [FORMAT]),
    '/ogc/conformance': get('ogc_conformance', 'The conformance classes of OGC API - Features.', json, [FORMAT]),
    '/ogc/collections': get(
      'ogc_collections',
      'A collection for each admin_level and each kind, and one of borders.',
      json,
      [FORMAT],
    ),
    '/ogc/collections/lines': get('ogc_lines', 'The collection of borders.', json, [FORMAT]),
    '/ogc/collections/lines/queryables': get(
      'ogc_line_queryables',
      'The properties of lines that can be given as parameters, as a JSON schema.',
      ['application/schema+json'],
      [FORMAT],
    ),
    '/ogc/collections/lines/items': get(
      'ogc_line_items',
      'A page of borders as lines. It may have fewer than its limit and a next one all the same.',
      features,
      [...paged, ...ofLines, CRS, DATETIME, FORMAT],
    ),
    '/ogc/collections/lines/items/{feature}': get('ogc_line', 'One line.', features, [
      { name: 'feature', in: 'path', required: true, description: 'Id of a line.', schema: { type: 'string' } },
      ...[CRS, DATETIME, FORMAT],
    ]),
    '/ogc/collections/{collection}': get('ogc_collection', 'One collection.', json, [COLLECTION, FORMAT]),
    '/ogc/collections/{collection}/queryables': get(
      'ogc_queryables',
      'The properties that a filter can name, as a JSON schema.',
      ['application/schema+json'],
      [COLLECTION, FORMAT],
    ),
    '/ogc/collections/{collection}/items': get('ogc_items', 'A page of features at low detail, by id.', features, [
      COLLECTION,
      ...paged,
      query('filter', 'An expression in CQL2.', { type: 'string', maxLength: 4000 }),
      query('filter-lang', 'The language of filter.', { type: 'string', enum: ['cql2-text', 'cql2-json'] }),
      query('filter-crs', 'The reference system of places in filter.', { type: 'string', enum: SYSTEMS }),
      ...filters,
      ...shown,
      FORMAT,
    ]),
    '/ogc/collections/{collection}/items/{feature}': get('ogc_item', 'One feature at low detail.', features, [
      COLLECTION,
      { name: 'feature', in: 'path', required: true, description: 'Id of a boundary.', schema: { type: 'string' } },
      ...shown,
      FORMAT,
    ]),
  };
}

function query(name: string, description: string, schema: JsonSchema): Parameter {
  return {
    name,
    in: 'query',
    description,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  };
}

const FORMAT = query('f', 'json, or html for a page with a map; by default as Accept says.', {
  type: 'string',
  enum: ['json', 'html'],
});

const CRS = query('crs', 'The reference system of the coordinates.', { type: 'string', enum: SYSTEMS });
const DATETIME = query('datetime', 'A date, a moment, or an interval in which no boundary changes.', {
  type: 'string',
});

const COLLECTION: Parameter = {
  name: 'collection',
  in: 'path',
  required: true,
  description: 'level-8 or kind-municipality, for example.',
  schema: { type: 'string' },
};
