/** Pages of features: which boundaries they have, and what of each is shown. */
import { levelFor } from '../../../workers/arcs/levels.ts';
import type { Box } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { featurePage } from '../../domain/boundaries/feature_pages.ts';
import { askedAs } from '../../domain/boundaries/land.ts';
import { knownParts } from '../../domain/boundaries/parts.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { ArcsMoved } from '../../geometry/arc_leases.ts';
import { boundaryDocument, geometryOf } from '../../ops/boundaries/document.ts';
import type { Services } from '../../services.ts';
import { MERCATOR } from './crs.ts';
import type { FilterPath } from './filter/path.ts';
import type { OgcGroup } from './own_sets.ts';
import type { ItemsQuery } from './query.ts';

/** A page ends once it has this many bytes; its `next` link leads to the rest. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** Number of features of a page that are drawn concurrently. */
const AT_ONCE = 8;
/** Boundaries whose shapes a page compares with the places of its filter; its `next` link leads to the rest. */
const MOST_COMPARED = 500;
/** How many of them are read and compared at once. */
const COMPARED_AT_ONCE = 25;

/** Canonical ids of a page, and the id after which the next one begins; null: there is none. */
export interface PageIds {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** The boundaries of a page. A filter with places may give fewer than its limit, and a next page all the same. */
export async function idsOfPage(
  services: Services,
  reading: Snapshot,
  group: OgcGroup,
  query: ItemsQuery,
  signal: AbortSignal,
): Promise<PageIds> {
  const { box, limit, filter } = query;
  const { kind, adminLevel, set } = group;
  const all = { kind, adminLevel, source: set?.source ?? null, box, isPast: query.time !== null };
  const idsAfter = (after: string, some: number, path: string | null, met?: Record<string, number[]>) =>
    featurePage(
      services.db,
      reading.revision,
      {
        ...all,
        after,
        filter:
          filter && path !== null ? { path, values: filter.values, places: filter.places, ...(met && { met }) } : null,
      },
      some,
      signal,
    );
  if (filter === null || filter.places.length === 0) {
    const ids = await idsAfter(query.after, limit + 1, filter?.exact ?? null);
    return cut(ids, limit);
  }
  const found: string[] = [];
  let { after } = query;
  for (let compared = 0; compared < MOST_COMPARED; compared += COMPARED_AT_ONCE) {
    const candidates = await idsAfter(after, COMPARED_AT_ONCE, filter.possible);
    const last = candidates.at(-1);
    if (last === undefined) return cut(found, limit);
    const met = await placesMet(services, await reading.byIds(candidates), filter, signal);
    found.push(...(await idsAfter(after, COMPARED_AT_ONCE, filter.exact, met)));
    if (found.length > limit) return cut(found, limit);
    if (candidates.length < COMPARED_AT_ONCE) return cut(found, limit);
    after = last;
  }
  return { ids: found, next: after };
}

/** The first `limit` of ids, and the last of them if there are more. */
function cut(ids: readonly string[], limit: number): PageIds {
  const wanted = ids.slice(0, limit);
  return { ids: wanted, next: ids.length > limit ? (wanted.at(-1) ?? null) : null };
}

/** By id the indexes of the places that the shape of each boundary meets. @throws DataMoved */
async function placesMet(
  { engine }: Services,
  candidates: readonly ResolvedBoundary[],
  { places }: FilterPath,
  signal: AbortSignal,
): Promise<Record<string, number[]>> {
  const met: Record<string, number[]> = Object.fromEntries(candidates.map(({ id }) => [id, []]));
  for (const [index, place] of places.entries()) {
    const boxes = place.map(
      ([west, south, east, north]): Box => [onGrid(west), onGrid(south), onGrid(east), onGrid(north)],
    );
    const near = candidates.filter((one) => boxes.some((box) => boxesMeet(one, box)));
    try {
      const answers = await engine.relations.meetBoxes(near.map(geometryOf), boxes, signal);
      for (const [i, one] of near.entries()) if (answers[i]) met[one.id]?.push(index);
    } catch (error) {
      throw error instanceof ArcsMoved ? new DataMoved() : error;
    }
  }
  return met;
}

const onGrid = (degrees: number): number => Math.round(degrees * 1e7);

function boxesMeet({ west, south, east, north }: ResolvedBoundary, box: Box): boolean {
  if (west === null || south === null || east === null || north === null) return false;
  if (south > box[3] || north < box[1]) return false;
  return west <= east ? east >= box[0] && west <= box[2] : west <= box[2] || east >= box[0];
}

/** What is shown of a boundary besides its shape, and why it has no shape, if so. */
export interface Row {
  readonly boundary: ResolvedBoundary;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly reason: string | undefined;
  readonly draw: (signal: AbortSignal) => Promise<Uint8Array>;
}

/**
 * The boundaries, or their land or water, with flat properties; `draw` renders each as a GeoJSON feature at low detail.
 * One whose land is not known has no geometry, and says why. @throws DataMoved
 */
export async function rowsOf(
  { engine }: Services,
  reading: Snapshot,
  whole: readonly ResolvedBoundary[],
  { prefer, part, crs }: Pick<ItemsQuery, 'prefer' | 'part' | 'crs'>,
): Promise<Row[]> {
  const { found, reasons } = await knownParts(reading, whole, part);
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: null },
  );
  return found.map((one, i) => {
    const { west, south, east, north } = one;
    const box =
      west === null || south === null || east === null || north === null ? null : ([west, south, east, north] as const);
    const level = levelFor('low', box);
    const own = defined(shown[i]);
    const { properties: full, ...document } = boundaryDocument(one, own, { level, detail: 'low', format: 'geojson' });
    const reason = reasons.get(one.id);
    const properties = {
      id: one.id,
      name: own.name,
      local_name: own.local_name,
      kind: own.kind,
      admin_level: one.admin_level,
      country: own.country,
      iso: own.iso,
      wikidata: own.wikidata,
      population: own.population,
      area_km2: reason === undefined ? one.area_km2 : null,
      ...askedAs(part),
      ...(reason === undefined ? {} : { reason }),
      parent_id: own.parents.at(-1)?.id ?? null,
      attribution: full.attribution,
    };
    const mercator = crs === MERCATOR ? { mercator: true } : {};
    const draw = async (signal: AbortSignal): Promise<Uint8Array> => {
      if (reason !== undefined) {
        return Buffer.from(JSON.stringify({ type: 'Feature', id: one.id, geometry: null, properties }));
      }
      try {
        const wanted = { ...document, properties, ...mercator };
        const { bytes } = await engine.documents.render(geometryOf(one), level, 'geojson', wanted, signal, 'refuse');
        return bytes;
      } catch (error) {
        throw error instanceof ArcsMoved ? new DataMoved() : error;
      }
    };
    return { boundary: one, properties, reason, draw };
  });
}

/** A link of a document. */
export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type: string;
  readonly title?: string;
}

/** Renders a page of features. `linksTo` gives the links of a page whose next one begins after an id. */
export async function itemsPage(
  services: Services,
  reading: Snapshot,
  page: PageIds,
  query: ItemsQuery,
  linksTo: (next: string | null) => readonly Link[],
  signal: AbortSignal,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  for (let from = 0; from < page.ids.length && bytes < PAGE_BYTES; from += AT_ONCE) {
    const some = await reading.byIds(page.ids.slice(from, from + AT_ONCE));
    const rows = await rowsOf(services, reading, some, query);
    for (const part of await Promise.all(rows.map((row) => row.draw(signal)))) {
      if (parts.length > 0) parts.push(COMMA);
      parts.push(part);
      bytes += part.byteLength;
    }
    count += some.length;
  }
  const next = count < page.ids.length ? defined(page.ids[count - 1]) : page.next;
  const head = { type: 'FeatureCollection', numberReturned: count, links: linksTo(next) };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"features":[\n`),
    ...parts,
    Buffer.from('\n]}\n'),
  ]);
}

const COMMA = Buffer.from(',\n');
