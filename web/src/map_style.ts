import type { StyleSpecification } from 'maplibre-gl';
import { ask, at } from './api.ts';
import type { Theme } from './theme.ts';

type Collection = GeoJSON.FeatureCollection;

interface Colors {
  readonly water: string;
  readonly land: string;
  readonly line: string;
  readonly ink: string;
  readonly chosen: string;
  readonly cut: string;
}

/** The colors of the map, by theme. */
export const COLORS: Readonly<Record<Theme, Colors>> = {
  light: { water: '#dbe5ea', land: '#faf9f5', line: '#a9b0b5', ink: '#1d2733', chosen: '#9c1b57', cut: '#5b6670' },
  dark: { water: '#141a20', land: '#222a32', line: '#4d5964', ink: '#e3e9ef', chosen: '#f29abf', cut: '#a4b0bc' },
};

export const EMPTY: Collection = { type: 'FeatureCollection', features: [] };

/** Countries at low detail, where the service has no tiles. */
async function plainStyle(theme: Theme, world: Collection): Promise<StyleSpecification> {
  const { water, land, line } = COLORS[theme];
  return {
    version: 8,
    sources: { world: { type: 'geojson', data: world } },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': water } },
      { id: 'land', type: 'fill', source: 'world', paint: { 'fill-color': land } },
      { id: 'borders', type: 'line', source: 'world', paint: { 'line-color': line, 'line-width': 0.7 } },
    ],
  };
}

let world: Collection | undefined;

/** A style, and whether it is of the service's own tiles. */
export interface Styled {
  readonly style: StyleSpecification;
  readonly tiled: boolean;
}

/** The style of the service's own tiles, else countries, else an empty sea: never nothing. */
export async function styleFor(theme: Theme): Promise<Styled> {
  // Names in the reader's languages, as in the lists.
  const lang = navigator.languages.slice(0, 3).join(',');
  const response = await fetch(at(`tiles/style.json?theme=${theme}&lang=${lang}`)).catch(() => null);
  const style = response?.ok ? ((await response.json().catch(() => null)) as StyleSpecification | null) : null;
  if (style !== null) return { style, tiled: true };
  world ??= await ask<Collection>('/collections', {
    method: 'POST',
    body: { within: [-180, -90, 180, 90], kind: 'country', detail: 'low' },
  }).catch(() => undefined);
  return { style: await plainStyle(theme, world ?? EMPTY), tiled: false };
}
