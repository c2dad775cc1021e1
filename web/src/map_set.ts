import type { DataDrivenPropertyValueSpecification, Map as MapLibre } from 'maplibre-gl';
import { at } from './api.ts';

/** A version of an area set on the map. */
export interface ShownSet {
  readonly name: string;
  /** A date on which the version is in force. */
  readonly asOf: string;
  /** By id of the area. */
  readonly colors: ReadonlyMap<string, string>;
}

const SOURCE = 'own-set';
const LAYERS = ['own-set-fill', 'own-set-line'] as const;
/** The color of areas that have none. */
const OTHER = '#64748b';

/** Draws a version of an area set from its tiles, in place of another one; null: none. */
export function drawSet(map: MapLibre, set: ShownSet | null, before: string | undefined): void {
  for (const layer of LAYERS) if (map.getLayer(layer)) map.removeLayer(layer);
  if (map.getSource(SOURCE)) map.removeSource(SOURCE);
  if (set === null) return;
  const tiles = `tiles/sets/${encodeURIComponent(set.name)}.json?as_of=${set.asOf}`;
  map.addSource(SOURCE, { type: 'vector', url: at(tiles) });
  const of = { source: SOURCE, 'source-layer': 'areas' };
  const color = colorOf(set.colors);
  const [fill, line] = LAYERS;
  map.addLayer({ id: fill, type: 'fill', ...of, paint: { 'fill-color': color, 'fill-opacity': 0.4 } }, before);
  const lines = { 'line-color': color, 'line-width': 1.5 };
  map.addLayer({ id: line, type: 'line', ...of, layout: { 'line-join': 'round' }, paint: lines }, before);
}

function colorOf(colors: ShownSet['colors']): DataDrivenPropertyValueSpecification<string> {
  const ids = new Map<string, [string, ...string[]]>();
  for (const [id, color] of colors) {
    const others = ids.get(color);
    if (others) others.push(id);
    else ids.set(color, [id]);
  }
  const [first, ...rest] = [...ids];
  if (!first) return OTHER;
  const cases = rest.flatMap(([color, some]) => [some, color]);
  return ['match', ['get', 'id'], first[1], first[0], ...cases, OTHER] as DataDrivenPropertyValueSpecification<string>;
}
