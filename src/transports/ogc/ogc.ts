import { defined, only } from '../../common/elements.ts';
import { asProblem, problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { askedAs, partsOf } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import type { Services } from '../../services.ts';
import type { Admit } from '../admit.ts';
import type { Page } from '../pages/page.ts';
import { wordsFor } from '../pages/words.ts';
import { within } from '../within.ts';
import {
  type Get,
  isForPeople,
  itemsLinks,
  type Route,
  requestsOf,
  sendFeatures,
  sendJson,
  servicesAt,
  showPage,
} from './answers.ts';
import {
  aboutOf,
  CONFORMS_TO,
  collectionsOf,
  described,
  GEOJSON,
  HTML_TYPE,
  JSON_TYPE,
  landing,
  queryablesOf,
  SCHEMA_TYPE,
} from './collections.ts';
import { idsOfPage, itemsPage, rowsOf } from './items.ts';
import { describedLines, lineRoutes } from './line_routes.ts';
import { type OgcGroup, ownCollection, ownCollections } from './own_sets.ts';
import { type OgcPages, ogcPages, type PagesFor } from './pages.ts';
import { plainQuery, readFeatureQuery, readItemsQuery, type Time } from './query.ts';

/**
 * Routes of OGC API - Features under /ogc: a collection for each admin_level and each kind, and for each area set that
 * the caller may read, all at low detail, as JSON and as pages for people. Requests are rate limited like operations; a
 * page counts as one request per ten features.
 */
export function ogcRoutes(services: Services, admit: Admit): Route[] {
  const base = `${services.config.BASE_URL}/ogc`;
  const pagesFor: PagesFor = (ctx) => ogcPages(services.config.BASE_URL, wordsFor(ctx, services.config.BASE_URL));
  const get: Get = (work) => ({
    async GET(ctx) {
      ctx.set('Access-Control-Allow-Origin', '*');
      const admitted = await admit(ctx);
      await work(ctx, admitted);
      // To a caller with an account the same address may answer with what is theirs.
      if (admitted.caller.account === null) return;
      if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'private, no-cache');
      ctx.vary(['Authorization', 'Cookie']);
    },
  });
  const groupOf = async (read: Services, reading: Snapshot, id: string, time: Time): Promise<OgcGroup> => {
    const group = (await collectionsOf(read, reading)).get(id);
    if (group) return group;
    const [then, those] = time === null ? ['', 'them'] : [` at ${time[1]}`, 'those of today'];
    throw problem('not_found', `There is no collection ${id.slice(0, 60)}${then}; ${base}/collections lists ${those}.`);
  };
  /** The services that a request for a collection reads, and how the collection is found with them. */
  const readFor = async (caller: Caller, id: string, time: Time) => {
    const own = await ownCollection(services, caller, id);
    const read = await servicesAt(own?.services ?? services, time);
    return { read, find: async (reading: Snapshot) => own?.group ?? groupOf(read, reading, id, time) };
  };
  return [
    [
      '/ogc',
      get(async (ctx) => {
        const { html } = plainQuery(ctx.querystring);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).landing());
        sendJson(ctx, landing(services.config.BASE_URL));
      }),
    ],
    [
      '/ogc/conformance',
      get(async (ctx) => {
        const { html } = plainQuery(ctx.querystring);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).conformance(CONFORMS_TO));
        sendJson(ctx, { conformsTo: CONFORMS_TO });
      }),
    ],
    [
      '/ogc/collections',
      get(async (ctx, { caller }) => {
        const { html } = plainQuery(ctx.querystring);
        const official = await services.boundaries.withSnapshot((reading) => collectionsOf(services, reading));
        const all = new Map([...official, ...(await ownCollections(services, caller))]);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).collections(all));
        sendJson(ctx, {
          links: [
            { href: `${base}/collections`, rel: 'self', type: JSON_TYPE, title: 'This list' },
            { href: `${base}/collections?f=html`, rel: 'alternate', type: HTML_TYPE, title: 'This list as a page' },
          ],
          collections: [...[...all].map(([id, group]) => described(base, id, aboutOf(group))), describedLines(base)],
        });
      }),
    ],
    ...lineRoutes(services, get, pagesFor),
    [
      '/ogc/collections/:collection',
      get(async (ctx, { caller }) => {
        const { html } = plainQuery(ctx.querystring);
        const collection = defined(ctx.params.collection);
        const { read, find } = await readFor(caller, collection, null);
        const group = await read.boundaries.withSnapshot(find);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).collection(collection, group));
        sendJson(ctx, described(base, collection, aboutOf(group)));
      }),
    ],
    [
      '/ogc/collections/:collection/queryables',
      get(async (ctx, { caller }) => {
        const { html } = plainQuery(ctx.querystring);
        const collection = defined(ctx.params.collection);
        const { read, find } = await readFor(caller, collection, null);
        const group = await read.boundaries.withSnapshot(find);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).queryables(collection));
        sendJson(ctx, queryablesOf(`${base}/collections/${collection}/queryables`, aboutOf(group)), SCHEMA_TYPE);
      }),
    ],
    [
      '/ogc/collections/:collection/items',
      get(async (ctx, { caller, count }) => {
        const query = readItemsQuery(ctx.querystring);
        await count(requestsOf(query.limit));
        const collection = defined(ctx.params.collection);
        const { read, find } = await readFor(caller, collection, query.time);
        const forPeople = isForPeople(ctx, query.html);
        const answer = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot(async (reading): Promise<Page | Buffer> => {
            const group = await find(reading);
            const found = await idsOfPage(read, reading, group, query, signal);
            if (!forPeople) {
              const linksTo = (next: string | null) => itemsLinks(`${base}/collections/${collection}`, query, next);
              return itemsPage(read, reading, found, query, linksTo, signal);
            }
            const rows = await rowsOf(read, reading, await reading.byIds(found.ids), query);
            return pagesFor(ctx).items(collection, group, rows, query, found.next);
          }),
        );
        if (!Buffer.isBuffer(answer)) return showPage(ctx, answer);
        sendFeatures(ctx, answer, query.crs);
      }),
    ],
    [
      '/ogc/collections/:collection/items/:feature',
      get(async (ctx, { caller }) => {
        const query = readFeatureQuery(ctx.querystring);
        const collection = defined(ctx.params.collection);
        const feature = defined(ctx.params.feature);
        const { read, find } = await readFor(caller, collection, query.time);
        const forPeople = isForPeople(ctx, query.html);
        const answer = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot(async (reading): Promise<Page | Buffer> => {
            const group = await find(reading);
            return oneFeature(
              read,
              reading,
              { base, collection, group, feature, query },
              forPeople ? pagesFor(ctx) : null,
              signal,
            );
          }),
        );
        if (!Buffer.isBuffer(answer)) return showPage(ctx, answer);
        sendFeatures(ctx, answer, query.crs);
      }),
    ],
  ];
}

/** One feature: as a page if `pages` are given, else as GeoJSON with links. @throws not_found */
async function oneFeature(
  read: Services,
  reading: Snapshot,
  asked: {
    readonly base: string;
    readonly collection: string;
    readonly group: OgcGroup;
    readonly feature: string;
    readonly query: ReturnType<typeof readFeatureQuery>;
  },
  pages: OgcPages | null,
  signal: AbortSignal,
): Promise<Page | Buffer> {
  const { base, collection, group, feature, query } = asked;
  const missing = problem('not_found', `There is no feature ${feature.slice(0, 60)} in ${collection}.`);
  const [found] = await reading.byIds([feature]).catch((error: unknown) => {
    // What is not written as an id names no feature either.
    throw asProblem(error)?.code === 'invalid_id' ? missing : error;
  });
  if (!found?.has_geometry || !belongs(found, group)) throw missing;
  const shown = new URLSearchParams({
    ...(query.time === null ? {} : { datetime: query.time[1] }),
    ...askedAs(query.part),
  });
  // Its land or water, if known: one feature has no other answer.
  await partsOf(reading, [found], query.part);
  const row = only(await rowsOf(read, reading, [found], query));
  if (pages !== null) return pages.feature(collection, row, shown);
  const address = `${base}/collections/${collection}`;
  const own = (more: Readonly<Record<string, string>>): string => {
    const all = new URLSearchParams([...shown, ...Object.entries(more)]);
    return `${address}/items/${encodeURIComponent(found.id)}${all.size === 0 ? '' : `?${all}`}`;
  };
  const links = [
    { href: own({}), rel: 'self', type: GEOJSON },
    { href: own({ f: 'html' }), rel: 'alternate', type: HTML_TYPE },
    { href: address, rel: 'collection', type: JSON_TYPE },
  ];
  // Inserts the links after the feature's last member.
  const text = Buffer.from(await row.draw(signal))
    .toString()
    .trimEnd();
  return Buffer.from(`${text.slice(0, -1)},"links":${JSON.stringify(links)}}`);
}

/** Whether a boundary is in a collection. */
function belongs({ id, admin_level, boundary }: ResolvedBoundary, { kind, adminLevel, set }: OgcGroup): boolean {
  if (set !== undefined) return id.startsWith(`${set.source}/`);
  return kind === null ? admin_level === adminLevel : boundary.kind === kind;
}
