import type { LngLatBoundsLike, Map as MapLibre, StyleSpecification } from 'maplibre-gl';
import type { Box } from './api.ts';
import type { TileBoundary, View } from './atlas.ts';
import { t } from './language.ts';
import type { Styled } from './map_style.ts';
import type { Theme } from './theme.ts';

/** What a map is created with, and what it calls. */
export interface AtlasOptions {
  readonly theme: Theme;
  /** The style of the theme, if it was already requested. */
  readonly style?: Promise<Styled>;
  readonly view: View | null;
  readonly onClick: (place: { lat: number; lon: number }) => void;
  readonly onView: (view: View) => void;
  readonly onHover: (id: string | null) => void;
  readonly onAttribution: (text: string) => void;
  /** Called once, when something is visible, or when the first view has loaded and is empty. */
  readonly onDrawn: () => void;
}

/** Calls back on the first frame with any feature: on a slow network the last tile of the view comes much later. */
export function onceDrawn(map: MapLibre, onDrawn: () => void): void {
  const notifyDrawn = ({ type }: { readonly type: string }): void => {
    if (type === 'render' && map.queryRenderedFeatures().length === 0) return;
    map.off('render', notifyDrawn);
    map.off('idle', notifyDrawn);
    onDrawn();
  };
  map.on('render', notifyDrawn);
  map.on('idle', notifyDrawn);
}

/** The names of the map's buttons in the language of the page. */
export const labels = (): Readonly<Record<string, string>> => ({
  'NavigationControl.ZoomIn': t('tools.zoomIn'),
  'NavigationControl.ZoomOut': t('tools.zoomOut'),
});

/** The id of the style's source with the `areas` layer, or null. */
export function areasOf({ layers }: StyleSpecification): string | null {
  const layer = layers.find((one) => 'source-layer' in one && one['source-layer'] === 'areas');
  return layer && 'source' in layer && typeof layer.source === 'string' ? layer.source : null;
}

/** The box as the map needs it: its east greater than its west. */
export function boundsOf({ west, south, east, north }: Box): LngLatBoundsLike {
  return [
    [west, Math.max(south, -85)],
    [east < west ? east + 360 : east, Math.min(north, 85)],
  ];
}

/** The plain text of an attribution, which TileJSON gives as HTML. A parsed document loads and runs nothing. */
export const textOf = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';

/** The picture of areas without a figure: slanted lines. */
export function hatch(color: string): { width: number; height: number; data: Uint8Array } {
  const side = 8;
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const pixels = Array.from({ length: side * side }, (_, i) => {
    const isLine = ((i % side) + Math.floor(i / side)) % side < 2;
    return [...parts, isLine ? 255 : 0];
  });
  return { width: side, height: side, data: Uint8Array.from(pixels.flat()) };
}

/** The boundary that a feature of a tile or of an overlay stands for; null for others. */
export function tileBoundaryOf(properties: Readonly<Record<string, unknown>>): TileBoundary | null {
  const { id, name, kind } = properties;
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  const level = properties.level ?? properties.admin_level;
  return { id, name, kind: typeof kind === 'string' ? kind : '', level: typeof level === 'number' ? level : null };
}
