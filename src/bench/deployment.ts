import { request } from 'undici';
import { defined } from '../common/elements.ts';
import { filePath } from '../transports/call.ts';
import type { Call } from './client.ts';
import { pick, seeded, shuffle } from './random.ts';

/** A deployment under test. */
export interface Deployment {
  /** Base URL, without a trailing slash. */
  readonly address: string;
  readonly key: string | null;
}

/** Kinds of calls that a mix may have. */
export const KINDS = ['export', 'file', 'search', 'reverse', 'union'] as const;
export type Kind = (typeof KINDS)[number];

/** Shares of the kinds of calls; only their ratio counts. */
export type Mix = Readonly<Partial<Record<Kind, number>>>;

/** Similar to real use: most calls are exports that were made before. */
export const DEFAULT_MIX: Mix = { export: 60, search: 15, reverse: 15, union: 10 };

/** How many different calls of each kind are drawn: a few hot exports, many searches and points. */
const DISTINCT: Readonly<Record<Kind, number>> = { export: 50, file: 50, search: 500, reverse: 500, union: 200 };
const LEAST_PARTS = 2;
const MOST_PARTS = 10;
/** How many lists of subdivisions are fetched to draw from. */
const PARENTS = 12;
const SEARCH_LIMIT = 40;
const PREPARE_MS = 30_000;

/** The deployment cannot be tested with these options; the message is for the user. */
export class Unsuitable extends Error {}

interface Place {
  readonly id: string;
  readonly name: string;
  readonly has_geometry: boolean;
  readonly bbox: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
  readonly parents: readonly { readonly id: string; readonly name: string }[];
}

/** The calls of a mix and their costs. */
export interface Calls {
  /** Calls by kind; each list has at least one call. */
  readonly byKind: ReadonlyMap<Kind, readonly Call[]>;
  /** Units that a successful call costs. */
  readonly unitsOf: ReadonlyMap<Call, number>;
  /** How many boundaries the calls were drawn from. */
  readonly boundaries: number;
}

/** Parses a mix such as `export=60,search=15`. @throws Unsuitable for anything else */
export function readMix(text: string): Mix {
  return checkMix(Object.fromEntries(text.split(',').map((part) => part.split('=', 2).map((word) => word.trim()))));
}

/** Checks a mix from a file or flag. @throws Unsuitable unless it has known kinds, shares from 0, and one above 0 */
export function checkMix(given: unknown): Mix {
  if (typeof given !== 'object' || given === null) throw new Unsuitable('A mix is an object of kinds and shares.');
  const mix: Partial<Record<Kind, number>> = {};
  for (const [name, share] of Object.entries(given)) {
    const kind = KINDS.find((one) => one === name);
    if (kind === undefined) throw new Unsuitable(`"${name}" is not a kind of call. Kinds: ${KINDS.join(', ')}.`);
    const value = typeof share === 'number' || (typeof share === 'string' && share !== '') ? Number(share) : Number.NaN;
    if (!(value >= 0 && value <= 1e6)) throw new Unsuitable(`The share of ${name} must be a number from 0.`);
    if (value > 0) mix[kind] = value;
  }
  if (Object.keys(mix).length === 0) throw new Unsuitable('A mix needs a kind with a share above 0.');
  return mix;
}

/**
 * Draws the calls of a mix from the data of a deployment, through its API: names from searches for single letters,
 * siblings from lists of subdivisions, points from inside bounding boxes. It is deterministic for a seed and the same
 * data. Exports each `file` once (one unit each), because its URL is known only then.
 * @throws Unsuitable when there is too little data or the key does not permit a call
 */
export async function drawCalls(deployment: Deployment, mix: Mix, seed: number): Promise<Calls> {
  const next = seeded(seed);
  const { places, families } = await draw(deployment, next);
  const costs = await costsOf(deployment);
  const auth: Record<string, string> = deployment.key === null ? {} : { authorization: `Bearer ${deployment.key}` };
  const get = (kind: Kind, path: string): Call => ({ kind, method: 'GET', path, headers: auth, body: null });
  const exportOf = (place: Place, i: number): Call =>
    get('export', `/v1/boundaries/${place.id}/export?format=${i % 4 === 3 ? 'kml' : 'geojson'}&detail=medium`);
  const unitsOf = new Map<Call, number>();
  const byKind = new Map<Kind, readonly Call[]>();
  for (const kind of KINDS) {
    if (!mix[kind]) continue;
    const calls: Call[] = [];
    for (let i = 0; i < DISTINCT[kind]; i++) {
      const place = kind === 'export' || kind === 'file' ? defined(places[i % places.length]) : pick(next, places);
      let call: Call;
      let units: number;
      if (kind === 'export') {
        call = exportOf(place, i);
        units = costs('export_boundary');
      } else if (kind === 'file') {
        call = { ...get('file', await fileOf(deployment, exportOf(place, i))), headers: {} };
        units = 0;
      } else if (kind === 'search') {
        call = get('search', `/v1/boundaries/search?q=${encodeURIComponent(queryOf(next, place))}`);
        units = costs('search_boundaries');
      } else if (kind === 'reverse') {
        const { lat, lon } = pointIn(next, place);
        call = get('reverse', `/v1/boundaries/reverse?lat=${lat}&lon=${lon}`);
        units = costs('reverse_boundaries');
      } else {
        const family = pick(next, families);
        const size = LEAST_PARTS + Math.floor(next() * (Math.min(MOST_PARTS, family.length) - LEAST_PARTS + 1));
        const include = shuffle(next, [...family]).slice(0, size);
        const headers = { ...auth, 'content-type': 'application/json' };
        const body = JSON.stringify({ include, detail: 'medium' });
        call = { kind, method: 'POST', path: '/v1/boundaries/union', headers, body };
        units = size * costs('union_boundaries');
      }
      calls.push(call);
      unitsOf.set(call, units);
    }
    byKind.set(kind, calls);
  }
  return { byKind, unitsOf, boundaries: places.length };
}

/**
 * Returns a function that returns the next call of a mix: a random kind by the shares, then a random call of it. The
 * same seed gives the same order.
 */
export function inTurn(mix: Mix, { byKind }: Pick<Calls, 'byKind'>, seed: number): () => Call {
  const next = seeded(seed);
  const kinds = [...byKind.keys()];
  const sum = kinds.reduce((total, kind) => total + (mix[kind] ?? 0), 0);
  return () => {
    let left = next() * sum;
    let kind = defined(kinds[0]);
    for (const one of kinds) {
      kind = one;
      left -= mix[one] ?? 0;
      if (left < 0) break;
    }
    return pick(next, byKind.get(kind) as readonly Call[]);
  };
}

/** A query as people type it: mostly the whole name, sometimes its start, or the name followed by its parent's. */
function queryOf(next: () => number, { name, parents }: Place): string {
  const how = next();
  const parent = parents.at(-1);
  if (how < 0.2 && name.length > 5) return name.slice(0, 4 + Math.floor(next() * (name.length - 4)));
  if (how < 0.3 && parent !== undefined) return `${name}, ${parent.name}`;
  return name;
}

function pointIn(next: () => number, { bbox }: Place): { lat: string; lon: string } {
  const { west, south, east, north } = bbox;
  const width = east >= west ? east - west : east - west + 360;
  const lon = west + next() * width;
  return { lat: (south + next() * (north - south)).toFixed(6), lon: (lon > 180 ? lon - 360 : lon).toFixed(6) };
}

/** Boundaries with a polygon in random order, and lists of siblings (ids) with a polygon. */
async function draw(deployment: Deployment, next: () => number): Promise<{ places: Place[]; families: string[][] }> {
  const found = new Map<string, Place>();
  for (const letter of 'abcdefghijklmnoprstuvwz') {
    const { items } = await read<{ items: Place[] }>(
      deployment,
      `/v1/boundaries/search?q=${letter}&prefix=true&limit=${SEARCH_LIMIT}`,
    );
    for (const one of items) if (one.has_geometry) found.set(one.id, one);
  }
  const parents = new Set([...found.values()].flatMap((one) => one.parents.slice(-1).map(({ id }) => id)));
  const families: string[][] = [];
  for (const id of shuffle(next, [...parents].sort()).slice(0, PARENTS)) {
    const { items } = await read<{ items: Place[] }>(deployment, `/v1/boundaries/${id}/children?limit=200`);
    const shaped = items.filter((one) => one.has_geometry);
    for (const one of shaped) found.set(one.id, one);
    if (shaped.length >= LEAST_PARTS) families.push(shaped.map((one) => one.id));
  }
  const places = shuffle(
    next,
    [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  if (places.length < LEAST_PARTS)
    throw new Unsuitable(`${deployment.address} has too few boundaries to draw calls from.`);
  // Where nothing is a subdivision, any boundaries are merged.
  if (families.length === 0) families.push(places.slice(0, MOST_PARTS).map((one) => one.id));
  return { places, families };
}

/** Returns the units per call (or per boundary of it) of an operation, from the deployment's price list. */
async function costsOf(deployment: Deployment): Promise<(op: string) => number> {
  const { costs } = await read<{ costs: { op: string; units: number }[] }>(deployment, '/v1/pricing');
  return (op) => costs.find((one) => one.op === op)?.units ?? 0;
}

/** Makes an export and returns the path of its file. */
async function fileOf(deployment: Deployment, { path }: Call): Promise<string> {
  const { headers } = await answer(deployment, path);
  const location = headers['content-location'];
  if (typeof location !== 'string') throw new Unsuitable(`${path.split('?')[0]} does not name its file.`);
  return filePath(location);
}

async function read<T>(deployment: Deployment, path: string): Promise<T> {
  const { body } = await answer(deployment, path);
  return JSON.parse(body) as T;
}

/** The response to a GET with the key. @throws Unsuitable for a failure, with the detail of the response */
async function answer(
  { address, key }: Deployment,
  path: string,
): Promise<{ body: string; headers: Record<string, unknown> }> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const options = { headers, headersTimeout: PREPARE_MS, bodyTimeout: PREPARE_MS };
  const sent = await request(address + path, options).catch((error: Error & { code?: string }) => {
    throw new Unsuitable(`No answer from ${address}: ${error.code ?? error.message}.`);
  });
  const body = await sent.body.text();
  if (sent.statusCode === 200) return { body, headers: sent.headers };
  const [, detail] = /"detail"\s*:\s*"([^"]{1,300})"/.exec(body) ?? [];
  throw new Unsuitable(`${path.split('?')[0]} answered ${sent.statusCode}${detail ? `: ${detail}` : ''}`);
}
