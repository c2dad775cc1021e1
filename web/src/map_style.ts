import type { StyleSpecification, VectorSourceSpecification } from 'maplibre-gl';
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

/** A style with the countries at low detail, for a service without tiles. */
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

/** A style, and whether it uses the service's own tiles. */
export interface Styled {
  readonly style: StyleSpecification;
  readonly tiled: boolean;
}

/** The members of a TileJSON that a style source can hold. */
type Described = Pick<VectorSourceSpecification, 'tiles' | 'minzoom' | 'maxzoom' | 'bounds' | 'attribution'>;

/** Inlines the TileJSON of its sources into the style, so that the map need not fetch it before the first tile. */
async function described(style: StyleSpecification): Promise<StyleSpecification> {
  const sources = Object.entries(style.sources).map(async ([name, source]) => {
    if (source.type !== 'vector' || !source.url) return [name, source] as const;
    const response = await fetch(source.url).catch(() => null);
    const found = response?.ok ? ((await response.json().catch(() => null)) as Described | null) : null;
    if (!found) return [name, source] as const;
    const { tiles, minzoom, maxzoom, bounds, attribution } = found;
    const members = Object.entries({ tiles, minzoom, maxzoom, bounds, attribution });
    const known = Object.fromEntries(members.filter(([, value]) => value !== undefined));
    return [name, { type: 'vector', ...known } as VectorSourceSpecification] as const;
  });
  return { ...style, sources: Object.fromEntries(await Promise.all(sources)) };
}

/** Fetches a resource ahead of time and reads it in full: an unread response is not cached and never finishes. */
export function prefetch(address: string): void {
  fetch(address)
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

/** Fetches what the view of the whole world needs, so that the map finds it in the browser cache. */
export function fetchWorld({ style, tiled }: Styled): void {
  if (!tiled) return;
  const tiles = Object.values(style.sources).flatMap((source) =>
    source.type === 'vector' ? (source.tiles ?? []) : [],
  );
  const fonts = style.layers.flatMap((layer) => {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined;
    return Array.isArray(font) && typeof font[0] === 'string' ? [font.join(',')] : [];
  });
  const addresses = [
    ...tiles.map((address) => address.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0')),
    // Latin glyphs; other ranges are known only once the tile is parsed.
    ...[...new Set(fonts)].map((font) =>
      (style.glyphs ?? '').replace('{fontstack}', encodeURIComponent(font)).replace('{range}', '0-255'),
    ),
  ];
  for (const address of addresses) if (address !== '') prefetch(address);
}

/** The style of the service's own tiles, as of a date (null: today), else of the countries, else an empty sea. */
export async function styleFor(theme: Theme, date: string | null = null): Promise<Styled> {
  // Request names in the reader's languages, as in the lists.
  const lang = navigator.languages.slice(0, 3).join(',');
  const asOf = date === null ? '' : `&as_of=${date}`;
  const response = await fetch(at(`tiles/style.json?theme=${theme}&lang=${lang}${asOf}`)).catch(() => null);
  const style = response?.ok ? ((await response.json().catch(() => null)) as StyleSpecification | null) : null;
  if (style !== null) return { style: await described(style), tiled: true };
  world ??= await ask<Collection>('/collections', {
    method: 'POST',
    body: { within: [-180, -90, 180, 90], kind: 'country', detail: 'low' },
  }).catch(() => undefined);
  return { style: await plainStyle(theme, world ?? EMPTY), tiled: false };
}
