/** Routes of the collection of borders. */
import { defined } from '../../common/elements.ts';
import type { Services } from '../../services.ts';
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
import { type About, described, GEOJSON, HTML_TYPE, JSON_TYPE, queryablesOf, SCHEMA_TYPE } from './collections.ts';
import { LINES, lineJson, linesPage, oneLine } from './lines.ts';
import { LINE_QUERYABLES, readLineQuery, readLinesQuery } from './lines_query.ts';
import type { PagesFor } from './pages.ts';
import { plainQuery } from './query.ts';

const ABOUT: About = {
  title: 'Borders',
  description: 'Borders of all administrative boundaries as lines, each once, which say whether they are at sea.',
  queryables: LINE_QUERYABLES,
  shape: 'linestring',
};

/** The collection as JSON. `base` is the URL of /ogc. */
export const describedLines = (base: string): object => described(base, LINES, ABOUT);

/** The routes, which come before those of any other collection. */
export function lineRoutes(services: Services, get: Get, pagesFor: PagesFor): Route[] {
  const base = `${services.config.BASE_URL}/ogc`;
  const address = `${base}/collections/${LINES}`;
  return [
    [
      `/ogc/collections/${LINES}`,
      get(async (ctx) => {
        const { html } = plainQuery(ctx.querystring);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).aboutLines());
        sendJson(ctx, describedLines(base));
      }),
    ],
    [
      `/ogc/collections/${LINES}/queryables`,
      get(async (ctx) => {
        const { html } = plainQuery(ctx.querystring);
        if (isForPeople(ctx, html)) return showPage(ctx, pagesFor(ctx).aboutLines());
        sendJson(ctx, queryablesOf(`${address}/queryables`, ABOUT), SCHEMA_TYPE);
      }),
    ],
    [
      `/ogc/collections/${LINES}/items`,
      get(async (ctx, { count }) => {
        const query = readLinesQuery(ctx.querystring);
        await count(requestsOf(query.limit));
        const read = await servicesAt(services, query.time);
        const { features, next } = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot((reading) => linesPage(read, reading, query, signal)),
        );
        if (isForPeople(ctx, query.html)) return showPage(ctx, pagesFor(ctx).lines(features, query, next));
        const links = itemsLinks(address, query, next);
        const head = JSON.stringify({ type: 'FeatureCollection', numberReturned: features.length, links });
        const parts = features.map((line) => Buffer.from(lineJson(line, query.crs)).toString());
        sendFeatures(ctx, Buffer.from(`${head.slice(0, -1)},"features":[\n${parts.join(',\n')}\n]}\n`), query.crs);
      }),
    ],
    [
      `/ogc/collections/${LINES}/items/:feature`,
      get(async (ctx) => {
        const query = readLineQuery(ctx.querystring);
        const read = await servicesAt(services, query.time);
        const id = defined(ctx.params.feature);
        const line = await within(ctx, services, (signal) =>
          read.boundaries.withSnapshot((reading) => oneLine(read, reading, id, signal)),
        );
        const at = query.time === null ? '' : `datetime=${query.time[1]}&`;
        if (isForPeople(ctx, query.html)) return showPage(ctx, pagesFor(ctx).line(line, at));
        const own = `${address}/items/${id}`;
        const links = [
          { href: at === '' ? own : `${own}?${at.slice(0, -1)}`, rel: 'self', type: GEOJSON },
          { href: `${own}?${at}f=html`, rel: 'alternate', type: HTML_TYPE },
          { href: address, rel: 'collection', type: JSON_TYPE },
        ];
        sendFeatures(ctx, Buffer.from(lineJson(line, query.crs, { links })), query.crs);
      }),
    ],
  ];
}
