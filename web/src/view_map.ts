/** A map of the service's tiles with features above it, for the pages that the server renders. */
import { t } from './language.ts';
import 'maplibre-gl/dist/maplibre-gl.css';
import {
  type GeoJSONSource,
  type MapGeoJSONFeature,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { labels } from './map_parts.ts';

setWorkerUrl(workerUrl);

type Collection = GeoJSON.FeatureCollection;

/** Most properties of a clicked feature that are listed. */
const MOST_LISTED = 12;

/**
 * Draws a map into an element, and below it the attribution of its data and what is clicked.
 * @throws when the style or the features cannot be loaded, or the browser has no WebGL
 */
export async function showMap(place: HTMLElement): Promise<void> {
  const { style: styleAddress = '', items, each, tiles, edges } = place.dataset;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const styleUrl = new URL(styleAddress, location.href);
  if (isDark) styleUrl.searchParams.set('theme', 'dark');
  const [style, features, tiled] = await Promise.all([
    read<StyleSpecification>(styleUrl.href),
    items === undefined ? null : read<Collection | GeoJSON.Feature>(items),
    tiles === undefined ? null : read<TileJson>(tiles),
  ]);
  place.replaceChildren();
  const map = new MapLibre({
    container: place,
    style,
    attributionControl: false,
    locale: labels(),
    hash: features === null && tiled === null,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 300,
    ...(features !== null && boundsOf(features)),
    ...(tiled?.bounds && { bounds: tiled.bounds, fitBoundsOptions: { padding: 24 } }),
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new ScaleControl({}), 'bottom-left');
  map.getCanvas().setAttribute('aria-label', t('docs.keys'));
  await map.once('load');
  const color = isDark ? '#f29abf' : '#9c1b57';
  if (features !== null) {
    map.addSource('items', { type: 'geojson', data: features });
    map.addLayer({
      id: 'items',
      type: 'fill',
      source: 'items',
      // A fill would close lines.
      filter: ['in', ['geometry-type'], ['literal', ['Polygon', 'MultiPolygon']]],
      paint: { 'fill-color': color, 'fill-opacity': 0.25 },
    });
    map.addLayer({
      id: 'items-line',
      type: 'line',
      source: 'items',
      paint: { 'line-color': color, 'line-width': 1.5 },
    });
  }
  if (tiled !== null) {
    const { tiles: addresses, minzoom, maxzoom } = tiled;
    map.addSource('tiles', { type: 'vector', tiles: addresses, minzoom, maxzoom });
    const of = (layer: string) => ({ source: 'tiles', 'source-layer': layer });
    map.addLayer({ id: 'tiles', type: 'fill', ...of('areas'), paint: { 'fill-color': color, 'fill-opacity': 0.25 } });
    map.addLayer({ id: 'tiles-line', type: 'line', ...of('lines'), paint: { 'line-color': color, 'line-width': 1.2 } });
  }
  map.addSource('clicked', { type: 'geojson', data: NOTHING });
  map.addLayer({ id: 'clicked', type: 'line', source: 'clicked', paint: { 'line-color': color, 'line-width': 3 } });
  place.after(...(edges === undefined ? [] : [edgesOf(map)]), clickedOf(map, each), await attributionOf(style));
  place.dataset.drawn = 'yes';
}

const NOTHING: Collection = { type: 'FeatureCollection', features: [] };

interface TileJson {
  readonly tiles: string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds?: [number, number, number, number];
}

/** A checkbox that shows the edges of tiles, with their zoom and number. */
function edgesOf(map: MapLibre): HTMLElement {
  const label = document.createElement('label');
  label.className = 'choice';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.addEventListener('change', () => {
    map.showTileBoundaries = box.checked;
  });
  label.append(box, t('docs.edges'));
  return label;
}

async function read<T>(address: string): Promise<T> {
  const response = await fetch(address, { headers: { Accept: 'application/json, application/geo+json' } });
  if (!response.ok) throw new Error(t('error.status', { status: String(response.status) }));
  return (await response.json()) as T;
}

/** The view of all features: unlike the boxes of features, the box of all positions is west to east. */
function boundsOf(features: Collection | GeoJSON.Feature) {
  const all = features.type === 'Feature' ? [features] : features.features;
  let [west, south, east, north] = [180, 90, -180, -90];
  const add = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    const [x, y] = value;
    if (typeof x === 'number' && typeof y === 'number') {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    } else value.forEach(add);
  };
  for (const { geometry } of all) if (geometry && 'coordinates' in geometry) add(geometry.coordinates);
  if (west > east) return {};
  const bounds: [number, number, number, number] = [west, Math.max(-85, south), east, Math.min(85, north)];
  return { bounds, fitBoundsOptions: { padding: 24 } };
}

/** The list of what was clicked: the feature above all others, or all of a tile. */
function clickedOf(map: MapLibre, each: string | undefined): HTMLElement {
  const list = document.createElement('div');
  list.className = 'clicked';
  list.setAttribute('role', 'status');
  map.on('click', ({ point }) => {
    const layers = map.getLayer('items') ? ['items', 'items-line'] : map.getLayer('tiles') ? ['tiles'] : undefined;
    const found = map.queryRenderedFeatures(point, layers && { layers });
    const shown = [
      ...new Map(found.map((one) => [`${one.sourceLayer} ${JSON.stringify(one.properties)}`, one])).values(),
    ];
    list.replaceChildren(...shown.map((one) => described(one, each)));
    const geometries = shown.map(({ geometry }) => ({ type: 'Feature' as const, geometry, properties: {} }));
    map.getSource<GeoJSONSource>('clicked')?.setData({ type: 'FeatureCollection', features: geometries });
  });
  return list;
}

/** A feature in words: its name, with a link to it if there is one, and its properties. */
function described({ properties, sourceLayer }: MapGeoJSONFeature, each: string | undefined): HTMLElement {
  const made = document.createElement('p');
  const name = String(properties.name ?? properties.id ?? sourceLayer ?? 'Feature');
  if (each !== undefined && properties.id !== undefined) {
    const link = document.createElement('a');
    link.href = `${each}${encodeURIComponent(String(properties.id))}?f=html`;
    link.textContent = name;
    made.append(link);
  } else {
    const strong = document.createElement('strong');
    strong.textContent = name;
    made.append(strong);
  }
  const rest = Object.entries(properties)
    .filter(([key, value]) => key !== 'name' && key !== 'attribution' && value !== null && value !== '')
    .slice(0, MOST_LISTED);
  const layer = sourceLayer === undefined ? [] : [['layer', sourceLayer] as const];
  made.append(` ${[...layer, ...rest].map(([key, value]) => `${key}: ${value}`).join(' · ')}`);
  return made;
}

/** Whom the data of a style is by. */
async function attributionOf({ sources }: StyleSpecification): Promise<HTMLElement> {
  const said = await Promise.all(
    Object.values(sources).map(async (source) => {
      if ('attribution' in source && source.attribution) return source.attribution;
      if (source.type !== 'vector' || source.url === undefined) return '';
      return (await read<{ attribution?: string }>(source.url).catch(() => null))?.attribution ?? '';
    }),
  );
  const line = document.createElement('p');
  line.className = 'hint';
  // Attributions may have links: only their text is shown.
  line.textContent = new DOMParser().parseFromString([...new Set(said)].join(' '), 'text/html').body.textContent;
  return line;
}
