/** How answers of /ogc are chosen and sent. */
import type { Context } from 'koa';
import { isUnchanged, servicesAsOf } from '../../core/dated.ts';
import type { Services } from '../../services.ts';
import type { Admit } from '../admit.ts';
import { type Page, sendPage } from '../pages/page.ts';
import { GEOJSON, HTML_TYPE, JSON_TYPE } from './collections.ts';
import type { System } from './crs.ts';
import type { Link } from './items.ts';
import { changingTime, type ItemsQuery, type Time } from './query.ts';

type RouteContext = Context & { params: Record<string, string> };
type Handler = (ctx: RouteContext) => Promise<void>;

/** A route of /ogc. */
export type Route = [string, { GET: Handler }];

/** Makes the handler of a route: admits its caller, and says who may store the answer. */
export type Get = (work: (ctx: RouteContext, admitted: Awaited<ReturnType<Admit>>) => Promise<void>) => Route[1];

/** Features per counted request, as export_collection counts them. */
const FEATURES_A_REQUEST = 10;

/** As how many requests a page of so many features counts. */
export const requestsOf = (features: number): number => Math.ceil(features / FEATURES_A_REQUEST);

/** Whether to answer with a page for people: as `f` says, else as the client prefers. */
export function isForPeople(ctx: Context, html: boolean | null): boolean {
  return html ?? ctx.accepts('json', 'html') === 'html';
}

/** Sends a page for people. */
export function showPage(ctx: Context, made: Page): void {
  ctx.vary('Accept');
  sendPage(ctx, 200, made);
}

/** Sends a JSON document. */
export function sendJson(ctx: Context, value: unknown, type = JSON_TYPE): void {
  ctx.vary('Accept');
  ctx.set('Content-Type', type);
  ctx.body = JSON.stringify(value);
}

/** Sends GeoJSON with the coordinates of a system. */
export function sendFeatures(ctx: Context, bytes: Buffer, crs: System): void {
  ctx.set('Content-Type', GEOJSON);
  ctx.set('Content-Crs', `<${crs}>`);
  ctx.vary('Accept');
  ctx.set('Access-Control-Expose-Headers', 'Content-Crs, X-Request-Id, Retry-After');
  ctx.body = bytes;
}

/** The links of a page of features. `address` is that of its collection. */
export function itemsLinks(
  address: string,
  { at, after }: { readonly at: ItemsQuery['at']; readonly after: string },
  next: string | null,
): Link[] {
  return [
    { href: `${address}/items${at(after)}`, rel: 'self', type: GEOJSON },
    { href: `${address}/items${at(after, 'html')}`, rel: 'alternate', type: HTML_TYPE },
    ...(next === null ? [] : [{ href: `${address}/items${at(next)}`, rel: 'next', type: GEOJSON }]),
    { href: address, rel: 'collection', type: JSON_TYPE },
  ];
}

/** The services as of a time. @throws invalid_input for an interval in which boundaries change */
export async function servicesAt(services: Services, time: Time): Promise<Services> {
  if (time === null) return services;
  const [from, to] = time;
  const { sets } = services;
  const isSame = sets === undefined || sets.versionsOn(from).join() === sets.versionsOn(to).join();
  if (from !== to && !(isSame && (await isUnchanged(services, from, to)))) throw changingTime();
  return servicesAsOf(services, to);
}
