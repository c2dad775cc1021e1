import type { LngLatBoundsLike, StyleSpecification } from 'maplibre-gl';
import type { Box } from './api.ts';
import type { TileBoundary } from './atlas.ts';
import { t } from './language.ts';

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
