/** Boundaries as features of OGC API, at low detail. */
import { levelFor } from '../../../workers/arcs/levels.ts';
import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/model.ts';
import { knownParts } from '../../domain/boundaries/parts.ts';
import { ArcsMoved } from '../../geometry/arcs.ts';
import { boundaryDocument, geometryOf } from '../../ops/boundaries/document.ts';
import type { Services } from '../../services.ts';
import type { ItemsQuery } from './query.ts';

export const GEOJSON = 'application/geo+json';
export const JSON_TYPE = 'application/json';

/** A page ends once it has this many bytes; its `next` link leads to the rest. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** Number of features of a page that are drawn concurrently. */
const AT_ONCE = 8;

/** Renders a page of features. `ids` has one id more than the page if there is a next page. */
export async function itemsPage(
  services: Services,
  reading: Snapshot,
  ids: readonly string[],
  query: ItemsQuery,
  address: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const wanted = ids.slice(0, query.limit);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let count = 0;
  for (let from = 0; from < wanted.length && bytes < PAGE_BYTES; from += AT_ONCE) {
    const some = await reading.byIds(wanted.slice(from, from + AT_ONCE));
    for (const part of await drawnFeatures(services, reading, some, query, signal)) {
      if (parts.length > 0) parts.push(COMMA);
      parts.push(part);
      bytes += part.byteLength;
    }
    count += some.length;
  }
  const more = count < ids.length;
  const links = [
    { href: `${address}/items${query.at(query.after)}`, rel: 'self', type: GEOJSON },
    ...(more ? [{ href: `${address}/items${query.at(defined(wanted[count - 1]))}`, rel: 'next', type: GEOJSON }] : []),
    { href: address, rel: 'collection', type: JSON_TYPE },
  ];
  const head = { type: 'FeatureCollection', numberReturned: count, links };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"features":[\n`),
    ...parts,
    Buffer.from('\n]}\n'),
  ]);
}

const COMMA = Buffer.from(',\n');

/**
 * Renders boundaries, or their land or water, as GeoJSON features at low detail, with flat properties. One whose land is
 * not known has no geometry, and says why. @throws DataMoved
 */
export async function drawnFeatures(
  { engine }: Services,
  reading: Snapshot,
  whole: readonly ResolvedBoundary[],
  { prefer, part }: Pick<ItemsQuery, 'prefer' | 'part'>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const { found, reasons } = await knownParts(reading, whole, part);
  const shown = await reading.show(
    found.map(({ boundary }) => boundary),
    { prefer, names: null },
  );
  return Promise.all(
    found.map(async (one, i) => {
      const { west, south, east, north } = one;
      const box =
        west === null || south === null || east === null || north === null
          ? null
          : ([west, south, east, north] as const);
      const level = levelFor('low', box);
      const own = defined(shown[i]);
      const { properties, ...document } = boundaryDocument(one, own, {
        level,
        detail: 'low',
        format: 'geojson',
      });
      const reason = reasons.get(one.id);
      const flat = {
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
        ...(part === 'all' ? {} : { area: part }),
        ...(reason === undefined ? {} : { reason }),
        parent_id: own.parents.at(-1)?.id ?? null,
        attribution: properties.attribution,
      };
      if (reason !== undefined)
        return Buffer.from(JSON.stringify({ type: 'Feature', id: one.id, geometry: null, properties: flat }));
      try {
        const ref = geometryOf(one);
        const { bytes } = await engine.documents.render(
          ref,
          level,
          'geojson',
          { ...document, properties: flat },
          signal,
          'refuse',
        );
        return bytes;
      } catch (error) {
        throw error instanceof ArcsMoved ? new DataMoved() : error;
      }
    }),
  );
}
