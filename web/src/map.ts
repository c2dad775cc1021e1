/** The map: maplibre-gl, our own style, and overlays. Loaded after the page is usable. */
import { t } from './language.ts';
import 'maplibre-gl/dist/maplibre-gl.css';
import {
  type FilterSpecification,
  type GeoJSONSource,
  type LngLat,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { Shape } from './api.ts';
import { type Atlas, OVERLAYS, type Overlay, type TileBoundary } from './atlas.ts';
import { type Comparison, compare, whenIdle } from './compare.ts';
import { pathOn } from './drawing/path.ts';
import { addOverlays, NONE } from './map_overlays.ts';
import { type AtlasOptions, areasOf, boundsOf, labels, onceDrawn, textOf, tileBoundaryOf } from './map_parts.ts';
import { drawSet, type ShownSet } from './map_set.ts';
import { COLORS, EMPTY, styleFor } from './map_style.ts';
import { outlines } from './outlines.ts';
import { drawRectangle } from './rectangle.ts';

setWorkerUrl(workerUrl);

const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Creates a map in an element. @throws when the browser has no WebGL */
export async function createAtlas(container: HTMLElement, options: AtlasOptions): Promise<Atlas> {
  let theme = options.theme;
  let { style, tiled } = await (options.style ?? styleFor(theme));
  const map = new MapLibre({
    container,
    style,
    attributionControl: false,
    locale: labels(),
    center: options.view ? [options.view.lon, options.view.lat] : [8, 28],
    // The whole world, from a single tile.
    zoom: options.view?.zoom ?? 0.99,
    minZoom: 0,
    maxZoom: 16,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 0,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new ScaleControl({ maxWidth: 90 }), 'bottom-right');
  const canvas = map.getCanvas();
  canvas.setAttribute('aria-label', t('place.mapOfBoundariesArrow'));
  const aim = document.createElement('div');
  aim.className = 'aim';
  container.append(aim);

  const data: Partial<Record<Overlay, Shape | GeoJSON.FeatureCollection | null>> = {};
  let point: GeoJSON.Feature<GeoJSON.Point> | null = null;
  let highlighted = '';
  let shownSet: ShownSet | null = null;
  let removed = false;
  const path = pathOn(map);

  const put = (id: string, content: GeoJSON.GeoJSON): void => {
    const source = map.getSource(id) as GeoJSONSource | undefined;
    if (source) source.setData(content);
    else map.addSource(id, { type: 'geojson', data: content });
  };
  const putOverlay = (overlay: Overlay): void => {
    const content = data[overlay];
    put(overlay, content ?? EMPTY);
    put(`${overlay}-lines`, { type: 'FeatureCollection', features: content ? outlines(content) : [] });
  };
  const dress = (): void => {
    const colors = COLORS[theme];
    for (const overlay of OVERLAYS) putOverlay(overlay);
    put('point', point ?? EMPTY);
    if (map.getLayer('chosen-fill')) return;
    addOverlays(map, theme, { highlighted, set: shownSet });
    path.dress(colors.ink, colors.land);
  };
  const setShape = (visibility: 'visible' | 'none'): void => {
    for (const layer of ['chosen-fill', 'chosen-line']) {
      if (map.getLayer(layer)) map.setLayoutProperty(layer, 'visibility', visibility);
    }
  };
  /** The id of the chosen boundary while tiles draw it; null while its own shape does. */
  let onTiles: string | null = null;
  /** Draws the chosen boundary from the tiles if they have it: its border then fits its neighbors at every zoom. */
  const drawChosenFromTiles = (): void => {
    const source = areasOf(map.getStyle());
    const { chosen = null } = data;
    if (!source || !map.getLayer('tiled-line')) return;
    const id = chosen?.type === 'Feature' && typeof chosen.id === 'string' ? chosen.id : null;
    const filter: FilterSpecification = id === null ? NONE : ['==', ['get', 'id'], id];
    const tiled = id !== null && map.querySourceFeatures(source, { sourceLayer: 'areas', filter }).length > 0;
    for (const layer of ['tiled-fill', 'tiled-line']) map.setFilter(layer, tiled ? filter : NONE);
    const stays = tiled && onTiles === id;
    onTiles = tiled ? id : null;
    if (!stays) setShape('visible');
    if (!tiled) return;
    // The map rebuilds the tiles for this, which takes seconds on a slow machine: keep the shape until they are drawn,
    // which they are not when it is idle now, before the frame that has them.
    map.once('render', () => {
      map.once('idle', () => {
        if (!removed && onTiles === id) setShape('none');
      });
    });
    map.triggerRepaint();
  };
  let settled = '';
  map.on('idle', () => {
    notifyAttribution();
    // Only after something moved or changed: changing layers makes the map idle once more.
    const now = `${JSON.stringify(map.getBounds().toArray())} ${theme} ${data.chosen && 'id' in data.chosen ? data.chosen.id : ''}`;
    if (now !== settled) drawChosenFromTiles();
    settled = now;
  });
  onceDrawn(map, options.onDrawn);
  const whenDressed = new Promise<void>((resolve) => {
    map.on('style.load', () => {
      dress();
      resolve();
    });
  });
  const notifyAttribution = (): void => {
    const texts = Object.keys(map.getStyle().sources).map((id) => textOf(map.getSource(id)?.attribution ?? ''));
    options.onAttribution([...new Set(texts.filter(Boolean))].join(', '));
  };
  // Missing tiles stay empty; do not log each one to the console.
  map.on('error', () => undefined);

  let drawing = false;
  const choose = (place: LngLat): void => {
    if (drawing) return;
    const { lat, lng } = place.wrap();
    options.onClick({ lat: Number(lat.toFixed(5)), lon: Number(lng.toFixed(5)) });
  };
  map.on('click', ({ lngLat }) => choose(lngLat));
  // By keyboard, what is in the middle: the mark of `aim` shows it.
  canvas.addEventListener('keydown', ({ key, repeat, ctrlKey, metaKey, altKey, shiftKey }) => {
    if (key === 'Enter' && !repeat && !(ctrlKey || metaKey || altKey || shiftKey)) choose(map.getCenter());
  });
  map.on('moveend', (event) => {
    // Only moves by the visitor change the address.
    if (!('originalEvent' in event) || !event.originalEvent) return;
    const { lat, lng } = map.getCenter().wrap();
    options.onView({ zoom: map.getZoom(), lat, lon: lng });
  });
  map.on('mousemove', 'children-fill', (event) => {
    if (drawing) return;
    canvas.style.cursor = 'pointer';
    const id = event.features?.[0]?.properties.id;
    options.onHover(typeof id === 'string' ? id : null);
  });
  map.on('mouseleave', 'children-fill', () => {
    if (drawing) return;
    canvas.style.cursor = '';
    options.onHover(null);
  });
  await whenDressed;

  const areaLayers = (): string[] =>
    ['under', 'land', 'children-fill', 'figures-fill', 'figures-none', 'groups-fill'].filter((id) => map.getLayer(id));

  let date: string | null = null;
  let second: { readonly date: string | null; readonly label: string; made: Comparison | null } | null = null;
  const restyle = async (): Promise<void> => {
    const wanted = `${theme} ${date}`;
    const next = await styleFor(theme, date);
    if (removed || wanted !== `${theme} ${date}`) return;
    ({ style, tiled } = next);
    map.setStyle(style, { diff: false });
  };

  const atlas: Atlas = {
    show(overlay, content) {
      data[overlay] = content;
      if (removed) return;
      putOverlay(overlay);
      if (overlay === 'chosen') drawChosenFromTiles();
      if (overlay === 'groups') second?.made?.show(content ?? EMPTY);
    },
    showSet(set) {
      shownSet = set;
      if (removed) return;
      const names = map.getStyle().layers.find((layer) => layer.type === 'symbol')?.id;
      drawSet(map, set, names);
    },
    highlight(id) {
      highlighted = id ?? '';
      if (!removed && map.getLayer('highlight')) map.setFilter('highlight', ['==', ['get', 'id'], highlighted]);
    },
    mark(place) {
      point = place && {
        type: 'Feature',
        properties: {},
        geometry: { type: 'Point', coordinates: [place.lon, place.lat] },
      };
      if (!removed) put('point', point ?? EMPTY);
    },
    fit(box, animate) {
      const side = Math.min(container.clientWidth, container.clientHeight);
      map.fitBounds(boundsOf(box), {
        padding: Math.round(side * 0.08),
        maxZoom: 13,
        animate: animate && !prefersReducedMotion(),
        duration: 700,
      });
    },
    look({ zoom, lat, lon }) {
      map.jumpTo({ center: [lon, lat], zoom });
    },
    async under(lat, lon) {
      if (!map.getBounds().contains([lon, lat])) map.jumpTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), 6) });
      if (!map.loaded()) await whenIdle(map);
      const found = new Map<string, TileBoundary>();
      for (const { properties } of map.queryRenderedFeatures(map.project([lon, lat]), { layers: areaLayers() })) {
        const one = tileBoundaryOf(properties);
        if (one && !found.has(one.id)) found.set(one.id, one);
      }
      if (found.size === 0 && !tiled) return null;
      return [...found.values()].sort((a, b) => (a.level ?? 98) - (b.level ?? 98));
    },
    async rectangle(signal) {
      drawing = true;
      const box = await drawRectangle(map, container, signal);
      // Ignore the click event that ends the drag.
      setTimeout(() => {
        drawing = false;
      });
      return box;
    },
    path(asked) {
      const made = path.draw(asked);
      drawing = true;
      // Ignore the click event that ends it.
      void made.done.then(() =>
        setTimeout(() => {
          drawing = path.isDrawing();
        }),
      );
      return made;
    },
    clearPath() {
      if (!removed) path.clear();
    },
    draw(onto) {
      // What a map has drawn can be read until the end of the task.
      map.redraw();
      const scale = canvas.width / canvas.clientWidth;
      Object.assign(onto, { width: canvas.width, height: canvas.height });
      const pen = onto.getContext('2d');
      pen?.drawImage(canvas, 0, 0);
      if (pen) second?.made?.draw(pen);
      const bar = container.querySelector<HTMLElement>('.maplibregl-ctrl-scale');
      return { scale, bar: bar && { width: bar.offsetWidth, text: bar.textContent ?? '' } };
    },
    async setTheme(next) {
      if (next === theme) return;
      theme = next;
      await restyle();
      if (second) await atlas.compare(second.date, second.label);
    },
    async settled() {
      await Promise.all([whenIdle(map), second?.made?.settled()]);
    },
    async setDate(next) {
      if (next === date) return;
      date = next;
      await restyle();
    },
    async compare(next, label) {
      second?.made?.remove();
      const wanted = next === undefined ? null : { date: next, label, made: null as Comparison | null };
      second = wanted;
      if (!wanted) return;
      const made = await compare(map, container, { theme, date: wanted.date, label });
      // Another date may have been chosen meanwhile.
      if (removed || second !== wanted) return made.remove();
      wanted.made = made;
      made.show(data.groups ?? EMPTY);
    },
    remove() {
      // Other components may still clear their overlays while the page is taken down.
      removed = true;
      second?.made?.remove();
      map.remove();
    },
  };
  return atlas;
}
