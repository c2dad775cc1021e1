import type { Context } from 'koa';
import { defined, only } from '../../common/elements.ts';
import { isUnchanged, servicesAsOf } from '../../core/dated.ts';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { featureGroups, featurePage } from '../../domain/boundaries/feature_pages.ts';
import { partsOf } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/model.ts';
import type { Services } from '../../services.ts';
import { within } from '../within.ts';
import { drawnFeatures, GEOJSON, itemsPage, JSON_TYPE } from './features.ts';
import type { Admit } from './limits.ts';
import { type OgcGroup, ownCollection, ownCollections } from './own_sets.ts';
import { changingTime, plainQuery, readFeatureQuery, readItemsQuery, type Time } from './query.ts';

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const CONFORMS_TO = [
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
];

/** Headers of answers to a caller with an account. */
const PRIVATE = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/** Features per counted request, as export_collection counts them. */
const FEATURES_A_REQUEST = 10;

type RouteContext = Context & { params: Record<string, string> };
type Handler = (ctx: RouteContext) => Promise<void>;

/**
 * Routes of OGC API - Features part 1 (core and GeoJSON) under /ogc: a collection for each admin_level and each kind,
 * and for each area set that the caller may read, all at low detail. Requests are rate limited like operations; a page counts as one request per ten features.
 */
export function ogcRoutes(services: Services, admit: Admit): [string, { GET: Handler }][] {
  const base = `${services.config.BASE_URL}/ogc`;
  const get = (work: (ctx: RouteContext, admitted: Awaited<ReturnType<Admit>>) => Promise<void>): { GET: Handler } => ({
    async GET(ctx) {
      ctx.set('Access-Control-Allow-Origin', '*');
      const admitted = await admit(ctx);
      // To them the same address may answer with what is theirs.
      if (admitted.caller.account !== null) ctx.set(PRIVATE);
      await work(ctx, admitted);
    },
  });
  const json = (ctx: Context, value: unknown, type = JSON_TYPE): void => {
    ctx.set('Content-Type', type);
    ctx.body = JSON.stringify(value);
  };
  const groupOf = async (read: Services, reading: Snapshot, id: string): Promise<OgcGroup> => {
    const group = (await collectionsOf(read, reading)).get(id);
    if (!group)
      throw problem('not_found', `There is no collection ${id.slice(0, 60)}; ${base}/collections lists them.`);
    return group;
  };
  /** The services that a request for a collection reads, and how the collection is found with them. */
  const readFor = async (caller: Caller, id: string, time: Time) => {
    const own = await ownCollection(services, caller, id);
    const read = await servicesAt(own?.services ?? services, time);
    return { read, find: async (reading: Snapshot) => own?.group ?? groupOf(read, reading, id) };
  };
  return [
    [
      '/ogc',
      get(async (ctx) => {
        plainQuery(ctx.querystring);
        json(ctx, landing(services.config.BASE_URL));
      }),
    ],
    [
      '/ogc/conformance',
      get(async (ctx) => {
        plainQuery(ctx.querystring);
        json(ctx, { conformsTo: CONFORMS_TO });
      }),
    ],
    [
      '/ogc/collections',
      get(async (ctx, { caller }) => {
        plainQuery(ctx.querystring);
        const official = await services.boundaries.withSnapshot((reading) => collectionsOf(services, reading));
        const all = [...official, ...(await ownCollections(services, caller))];
        json(ctx, {
          links: [{ href: `${base}/collections`, rel: 'self', type: JSON_TYPE, title: 'This list' }],
          collections: all.map(([id, group]) => described(base, id, group)),
        });
      }),
    ],
    [
      '/ogc/collections/:collection',
      get(async (ctx, { caller }) => {
        plainQuery(ctx.querystring);
        const collection = defined(ctx.params.collection);
        const { read, find } = await readFor(caller, collection, null);
        json(ctx, described(base, collection, await read.boundaries.withSnapshot(find)));
      }),
    ],
    [
      '/ogc/collections/:collection/items',
      get(async (ctx, { caller, count }) => {
        const query = readItemsQuery(ctx.querystring);
        await count(Math.ceil(query.limit / FEATURES_A_REQUEST));
        const collection = defined(ctx.params.collection);
        const { read, find } = await readFor(caller, collection, query.time);
        ctx.body = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot(async (reading) => {
            const { kind, adminLevel, set } = await find(reading);
            const page = { ...query, kind, adminLevel, source: set?.source ?? null };
            const ids = await featurePage(read.db, reading.revision, page, query.limit + 1, signal);
            return itemsPage(read, reading, ids, query, `${base}/collections/${collection}`, signal);
          }),
        );
        ctx.set('Content-Type', GEOJSON);
      }),
    ],
    [
      '/ogc/collections/:collection/items/:feature',
      get(async (ctx, { caller }) => {
        const query = readFeatureQuery(ctx.querystring);
        const { time } = query;
        const [collection, feature] = [defined(ctx.params.collection), defined(ctx.params.feature)];
        const { read, find } = await readFor(caller, collection, time);
        const bytes = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot(async (reading) => {
            const group = await find(reading);
            const [found] = await reading.byIds([feature]);
            if (!found?.has_geometry || !belongs(found, group)) {
              throw problem('not_found', `There is no feature ${feature.slice(0, 60)} in ${collection}.`);
            }
            const address = `${base}/collections/${collection}`;
            const shown = new URLSearchParams({
              ...(time === null ? {} : { datetime: time[1] }),
              ...(query.part === 'all' ? {} : { area: query.part }),
            });
            const asked = shown.size === 0 ? '' : `?${shown}`;
            const links = [
              { href: `${address}/items/${encodeURIComponent(found.id)}${asked}`, rel: 'self', type: GEOJSON },
              { href: address, rel: 'collection', type: JSON_TYPE },
            ];
            // Its land or water, if known: one feature has no other answer.
            await partsOf(reading, [found], query.part);
            const drawn = only(await drawnFeatures(read, reading, [found], query, signal));
            // Inserts the links after the feature's last member.
            const text = Buffer.from(drawn).toString().trimEnd();
            return `${text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
          }),
        );
        ctx.set('Content-Type', GEOJSON);
        ctx.body = bytes;
      }),
    ],
  ];
}

/** Whether a boundary is in a collection. */
function belongs({ id, admin_level, boundary }: ResolvedBoundary, { kind, adminLevel, set }: OgcGroup): boolean {
  if (set !== undefined) return id.startsWith(`${set.source}/`);
  return kind === null ? admin_level === adminLevel : boundary.kind === kind;
}

/** The services as of a time. @throws invalid_input for an interval in which boundaries change */
async function servicesAt(services: Services, time: Time): Promise<Services> {
  if (time === null) return services;
  const [from, to] = time;
  const { sets } = services;
  const isSame = sets === undefined || sets.versionsOn(from).join() === sets.versionsOn(to).join();
  if (from !== to && !(isSame && (await isUnchanged(services, from, to)))) throw changingTime();
  return servicesAsOf(services, to);
}

function landing(baseUrl: string): object {
  const link = (rel: string, path: string, type: string, title: string) => ({ href: baseUrl + path, rel, type, title });
  return {
    title: 'Boundary Lookup',
    description: 'Administrative boundaries: a collection for each admin_level and each kind, at low detail.',
    links: [
      link('self', '/ogc', JSON_TYPE, 'This document'),
      link(
        'service-desc',
        '/openapi.json',
        'application/vnd.oai.openapi+json;version=3.1',
        'OpenAPI description of the service',
      ),
      link('service-doc', '/docs', 'text/html', 'Documentation'),
      link('conformance', '/ogc/conformance', JSON_TYPE, 'Conformance classes'),
      link('data', '/ogc/collections', JSON_TYPE, 'The collections'),
    ],
  };
}

/** The collections of a data revision by id: `level-8`, `kind-municipality`. */
async function collectionsOf({ db }: Services, reading: Snapshot): Promise<Map<string, OgcGroup>> {
  const bytes = await reading.once('ogc collections', async () =>
    Buffer.from(JSON.stringify(await featureGroups(db, reading.revision))),
  );
  const groups = JSON.parse(Buffer.from(bytes ?? []).toString()) as OgcGroup[];
  return new Map(
    groups.map((group) => [group.kind === null ? `level-${group.adminLevel}` : `kind-${group.kind}`, group]),
  );
}

function described(base: string, id: string, { kind, adminLevel, count, set }: OgcGroup): object {
  const official = kind === null ? `Boundaries of admin_level ${adminLevel}` : `Boundaries of kind ${kind}`;
  const title = set?.title ?? official;
  return {
    id,
    title,
    description: `${title}: ${count} at the last count.`,
    extent: { spatial: { bbox: [[-180, -90, 180, 90]], crs: CRS84 } },
    itemType: 'feature',
    crs: [CRS84],
    links: [
      { href: `${base}/collections/${id}`, rel: 'self', type: JSON_TYPE },
      { href: `${base}/collections/${id}/items`, rel: 'items', type: GEOJSON, title },
    ],
  };
}
