/** What the service says of itself and of its collections. */
import { featureGroups } from '../../domain/boundaries/feature_pages.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import type { Services } from '../../services.ts';
import { CRS84, SYSTEMS } from './crs.ts';
import { QUERYABLES } from './filter/expression.ts';
import type { OgcGroup } from './own_sets.ts';

export const GEOJSON = 'application/geo+json';
export const JSON_TYPE = 'application/json';
export const HTML_TYPE = 'text/html';
export const SCHEMA_TYPE = 'application/schema+json';
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.1';

/** The conformance classes that hold. */
export const CONFORMS_TO = [
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html',
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
];

/** The landing page as JSON. */
export function landing(baseUrl: string): object {
  const link = (rel: string, path: string, type: string, title: string) => ({ href: baseUrl + path, rel, type, title });
  return {
    title: 'Boundary Lookup',
    description: 'Administrative boundaries: a collection for each admin_level and each kind, at low detail.',
    links: [
      link('self', '/ogc', JSON_TYPE, 'This document'),
      link('alternate', '/ogc?f=html', HTML_TYPE, 'This document as a page'),
      link('service-desc', '/openapi.json', OPENAPI_TYPE, 'OpenAPI description of the service'),
      link('service-doc', '/docs', HTML_TYPE, 'Documentation'),
      link('conformance', '/ogc/conformance', JSON_TYPE, 'Conformance classes'),
      link('data', '/ogc/collections', JSON_TYPE, 'The collections'),
    ],
  };
}

/** The collections of a data revision by id: `level-8`, `kind-municipality`. */
export async function collectionsOf({ db }: Services, reading: Snapshot): Promise<Map<string, OgcGroup>> {
  const bytes = await reading.once('ogc collections', async () =>
    Buffer.from(JSON.stringify(await featureGroups(db, reading.revision))),
  );
  const groups = JSON.parse(Buffer.from(bytes ?? []).toString()) as OgcGroup[];
  return new Map(
    groups.map((group) => [group.kind === null ? `level-${group.adminLevel}` : `kind-${group.kind}`, group]),
  );
}

/** The title of a collection. */
export const titleOf = ({ kind, adminLevel, set }: OgcGroup): string =>
  set !== undefined
    ? set.title
    : kind === null
      ? `Boundaries of admin_level ${adminLevel}`
      : `Boundaries of kind ${kind}`;

/** What is said of a collection. */
export interface About {
  readonly title: string;
  readonly description: string;
  /** The properties that queries can name, as a JSON schema. */
  readonly queryables: Readonly<Record<string, object>>;
  /** What shape features have: `multipolygon`. */
  readonly shape: string;
}

/** The same of a collection of boundaries. */
export function aboutOf(group: OgcGroup): About {
  const title = titleOf(group);
  const description = `${title}: ${group.count} at the last count.`;
  return { title, description, queryables: QUERYABLES, shape: 'multipolygon' };
}

/** A collection as JSON. `base` is the URL of /ogc. */
export function described(base: string, id: string, { title, description }: About): object {
  const own = `${base}/collections/${id}`;
  return {
    id,
    title,
    description,
    extent: { spatial: { bbox: [[-180, -90, 180, 90]], crs: CRS84 } },
    itemType: 'feature',
    crs: SYSTEMS,
    storageCrs: CRS84,
    links: [
      { href: own, rel: 'self', type: JSON_TYPE },
      { href: `${own}?f=html`, rel: 'alternate', type: HTML_TYPE },
      { href: `${own}/items`, rel: 'items', type: GEOJSON, title },
      { href: `${own}/items?f=html`, rel: 'items', type: HTML_TYPE, title },
      { href: `${own}/queryables`, rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables', type: SCHEMA_TYPE },
    ],
  };
}

/** The properties that a query can name, as a JSON schema. */
export function queryablesOf(address: string, { title, queryables, shape }: About): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: address,
    type: 'object',
    title,
    properties: {
      ...queryables,
      geometry: { title: 'Shape', format: `geometry-${shape}`, 'x-ogc-role': 'primary-geometry' },
    },
    additionalProperties: false,
  };
}
