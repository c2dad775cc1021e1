import { QUERY_SECONDS } from './overpass.ts';

/** Memory limits of a query in bytes; the second is tried when the first was not enough. */
export const QUERY_MEMORY = [64 * 2 ** 20, 512 * 2 ** 20] as const;

/** The relations in .r, the given ways with their geometry, and the nodes that carry names, all in one answer. */
const parts = (ways: string) =>
  `.r out meta;${ways}out meta geom;` +
  '(node(r.r:"label");node(r.r:"admin_centre");node(r.r:"admin_center"););out meta;';

function settings(memory: number): string {
  return `[out:json][timeout:${QUERY_SECONDS}][maxsize:${memory}];`;
}

/** Quotes a value for a query. Values were validated before, so a quotation mark here is a bug. */
function quoted(text: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(text)) throw new Error('a value that no query of ours holds');
  return `"${text}"`;
}

function number(text: string): string {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new Error('an id that no query of ours holds');
  return text;
}

/** One boundary, `r…` or `w…`: its tags, its ways with their geometry, and its label and admin_centre nodes. */
export function objectQuery(id: string, memory: number): string {
  const of = number(id.slice(1));
  if (id[0] === 'w') return `${settings(memory)}way(${of});out meta geom;`;
  if (id[0] !== 'r') throw new Error('an id of neither a relation nor a way');
  return `${settings(memory)}rel(${of})->.r;${parts('way(r.r);')}`;
}

/** The boundaries with a wikidata id (`Q…`) or an ISO 3166 code, each as complete as in objectQuery(). */
export function codeQuery(code: { readonly kind: 'wikidata' | 'iso'; readonly value: string }, memory: number): string {
  const value = quoted(code.value);
  const keys = code.kind === 'wikidata' ? ['wikidata'] : isoKeys(code.value);
  const of = (type: string, more: string) =>
    keys.map((key) => `${type}["${key}"=${value}]["boundary"~"^(administrative|postal_code)$"]${more};`).join('');
  return `${settings(memory)}(${of('rel', '')})->.r;(${of('way', '(if:is_closed())')})->.w;${parts('(way(r.r);.w;);')}`;
}

const isoKeys = (code: string) => (code.length === 2 ? ['ISO3166-1:alpha2', 'ISO3166-1'] : ['ISO3166-2']);

/** Tags and boxes of the administrative boundaries at some levels in a relation, or near it: still to be checked. */
export function childrenQuery(id: string, levels: readonly number[]): string {
  const filter = `["boundary"="administrative"]["admin_level"~"^(${levels.map((level) => number(String(level))).join('|')})$"]`;
  return (
    `${settings(QUERY_MEMORY[0])}rel(${number(id.slice(1))})->.p;.p map_to_area->.a;` +
    `(rel(area.a)${filter};rel(r.p:"subarea")${filter};);out tags bb;`
  );
}

/** Tags and boxes of everything that contains a point; degrees. */
export function pointQuery(lat: number, lon: number): string {
  const place = [lat, lon].map((value) => {
    if (!Number.isFinite(value)) throw new Error('a place that no query of ours holds');
    return value.toFixed(7);
  });
  return (
    `${settings(QUERY_MEMORY[0])}is_in(${place.join()})->.a;` +
    'wr(pivot.a)["boundary"~"^(administrative|postal_code)$"];out tags bb;'
  );
}
