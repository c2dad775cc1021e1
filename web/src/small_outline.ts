import { useEffect, useState } from 'preact/hooks';
import { ask, type Shape } from './api.ts';

/** The side of an outline in pixels. */
export const SIDE = 28;
/** Most boundaries of one request, and most outlines that are kept. */
const MOST = 10;
const MOST_KEPT = 500;
/** Time without a change, in milliseconds, after which outlines are asked for. */
const WAIT_MS = 300;
/** Points closer than this, in pixels, are one. */
const SAME_PX = 0.4;
const PAD = 1.5;

/** The path of each boundary; null: it has no shape. */
const kept = new Map<string, string | null>();

/**
 * The path of a shape as SVG has it, in a square of SIDE pixels with the north on top; '' for a shape without a ring that
 * can be seen.
 */
export function pathOf({ geometry, bbox }: Pick<Shape, 'geometry' | 'bbox'>): string {
  const [west = -180, south = -90, easternmost = 180, north = 90] = bbox ?? [];
  const east = easternmost < west ? easternmost + 360 : easternmost;
  // Where it is wide for its height, as on a map of that place.
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = (SIDE - 2 * PAD) / Math.max((east - west) * narrow, north - south, 1e-6);
  const [left, top] = [(SIDE - (east - west) * narrow * scale) / 2, (SIDE - (north - south) * scale) / 2];
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons
    .flat()
    .map((ring) => {
      const points: [number, number][] = [];
      for (const [lon = 0, lat = 0] of ring) {
        const x = left + ((lon < west ? lon + 360 : lon) - west) * narrow * scale;
        const y = top + (north - lat) * scale;
        const last = points.at(-1);
        if (!last || Math.hypot(x - last[0], y - last[1]) >= SAME_PX) points.push([x, y]);
      }
      return points.length < 3 ? '' : `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
    })
    .join('');
}

function keep(id: string, path: string | null): void {
  kept.set(id, path);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** The outlines of some boundaries as they arrive: one request for those not known, a moment after the list is there. */
export function useOutlines(ids: readonly string[]): ReadonlyMap<string, string | null> {
  const [, redraw] = useState(0);
  const missing = ids.slice(0, MOST).filter((id) => !kept.has(id));
  useEffect(() => {
    if (missing.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const call = { method: 'POST', body: { ids: missing, detail: 'low' }, signal: stop.signal } as const;
      type Found = GeoJSON.FeatureCollection<Shape['geometry'], { id: string }>;
      // A list without outlines is a whole list: what cannot be had now is asked for with the next one.
      const found = await ask<Found>('/collections', call).catch(() => null);
      if (found === null || stop.signal.aborted) return;
      for (const id of missing) keep(id, null);
      for (const feature of found.features) keep(feature.properties.id, pathOf(feature));
      redraw((n) => n + 1);
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [missing.join()]);
  return kept;
}
