import type { GeoJSONSource, Map as MapLibre, MapMouseEvent } from 'maplibre-gl';
import { t } from '../language.ts';
import { type Corner, crossesItself } from './inside.ts';

/** Most corners of what is drawn: with the last of them it ends. */
const MOST_CORNERS = 200;
/** Two clicks closer than this, in pixels, are one corner. */
const SAME_PX = 4;

export interface PathAsked {
  /** An area, not a line. */
  readonly closed: boolean;
  /** The edges as they are drawn; straight on the map without it. */
  readonly edges?: (corners: readonly Corner[]) => readonly Corner[];
  /** Told after every change, with why it cannot be finished. */
  readonly onChange: (corners: readonly Corner[], problem: string | null) => void;
}

/** What is being drawn. */
export interface PathDrawing {
  /** The corners; null when it was canceled. */
  readonly done: Promise<readonly Corner[] | null>;
  removeLast(): void;
  finish(): void;
  cancel(): void;
}

/** What is drawn by its corners on a map: one at a time, and it stays until it is cleared. */
export interface PathLayer {
  /** Adds its layers to a style that was just loaded. */
  dress(color: string, halo: string): void;
  draw(asked: PathAsked): PathDrawing;
  clear(): void;
  isDrawing(): boolean;
}

const problemOf = (corners: readonly Corner[], closed: boolean): string | null => {
  const least = closed ? 3 : 2;
  if (corners.length < least) return t('draw.needs', { n: least });
  if (!closed) return null;
  const lons = corners.map(([lon]) => lon);
  if (Math.max(...lons) - Math.min(...lons) >= 360) return t('draw.itGoesAroundThe');
  return crossesItself(corners) ? t('draw.itsOutlineCrossesItself') : null;
};

function features(corners: readonly Corner[], line: readonly Corner[], closed: boolean): GeoJSON.FeatureCollection {
  const feature = (geometry: GeoJSON.Geometry): GeoJSON.Feature => ({ type: 'Feature', properties: {}, geometry });
  const places = line.map((corner) => [...corner]);
  return {
    type: 'FeatureCollection',
    features: [
      ...(closed && corners.length > 2
        ? [feature({ type: 'Polygon', coordinates: [places] })]
        : corners.length > 1
          ? [feature({ type: 'LineString', coordinates: places })]
          : []),
      ...corners.map((corner) => feature({ type: 'Point', coordinates: [...corner] })),
    ],
  };
}

/**
 * Draws on a map by corners: a click adds one, a double click ends. By keyboard, with the focus on the map: the arrows
 * move it, Space adds its middle, Backspace takes the last one back, Enter ends, Escape cancels.
 */
export function pathOn(map: MapLibre): PathLayer {
  let shown = features([], [], false);
  let drawing: PathDrawing | null = null;
  const put = (): void => {
    map.getSource<GeoJSONSource>('path')?.setData(shown);
  };
  const show = (next: GeoJSON.FeatureCollection): void => {
    shown = next;
    put();
  };
  return {
    dress(color, halo) {
      if (map.getSource('path')) return;
      map.addSource('path', { type: 'geojson', data: shown });
      const of = { source: 'path' } as const;
      map.addLayer({
        ...{ id: 'path-fill', type: 'fill', ...of, paint: { 'fill-color': color, 'fill-opacity': 0.15 } },
        filter: ['==', ['geometry-type'], 'Polygon'],
      });
      map.addLayer({
        ...{ id: 'path-line', type: 'line', ...of, layout: { 'line-join': 'round', 'line-cap': 'round' } },
        paint: { 'line-color': color, 'line-width': 2.5, 'line-dasharray': [2, 1.5] },
        filter: ['!=', ['geometry-type'], 'Point'],
      });
      map.addLayer({
        ...{ id: 'path-corners', type: 'circle', ...of, filter: ['==', ['geometry-type'], 'Point'] },
        paint: {
          ...{ 'circle-radius': 4.5, 'circle-color': halo },
          ...{ 'circle-stroke-color': color, 'circle-stroke-width': 2 },
        },
      });
    },
    isDrawing: () => drawing !== null,
    clear() {
      drawing?.cancel();
      show(features([], [], false));
    },
    draw({ closed, edges = (corners) => corners, onChange }) {
      drawing?.cancel();
      const canvas = map.getCanvas();
      const listen = new AbortController();
      let corners: readonly Corner[] = [];
      let end: (corners: readonly Corner[] | null) => void = () => undefined;
      const done = new Promise<readonly Corner[] | null>((resolve) => {
        end = resolve;
      });
      const set = (next: readonly Corner[]): void => {
        corners = next;
        show(
          features(
            corners,
            edges(closed && corners.length > 2 ? [...corners, ...corners.slice(0, 1)] : corners),
            closed,
          ),
        );
        onChange(corners, problemOf(corners, closed));
      };
      const add = ([lon, lat]: Corner): void => {
        const last = corners.at(-1);
        // The map counts longitudes from its middle, which may have passed the antimeridian since the last corner.
        const turn = last ? 360 * Math.round((last[0] - lon) / 360) : 0;
        const next: Corner = [lon + turn, lat];
        if (last) {
          const [a, b] = [map.project([...last]), map.project([...next])];
          if (Math.hypot(a.x - b.x, a.y - b.y) < SAME_PX) return;
        }
        set([...corners, next]);
        if (corners.length >= MOST_CORNERS) made.finish();
      };
      const click = ({ lngLat }: MapMouseEvent): void => add([lngLat.lng, lngLat.lat]);
      const close = (result: readonly Corner[] | null): void => {
        if (drawing !== made) return;
        drawing = null;
        listen.abort();
        map.off('click', click);
        map.off('dblclick', doubleClick);
        // Not within the double click that ends it.
        setTimeout(() => drawing === null && map.doubleClickZoom.enable());
        canvas.style.cursor = '';
        if (result === null) show(features([], [], false));
        end(result);
      };
      const made: PathDrawing = {
        done,
        removeLast: () => set(corners.slice(0, -1)),
        finish() {
          const problem = problemOf(corners, closed);
          if (problem === null) close(corners);
          else onChange(corners, problem);
        },
        cancel: () => close(null),
      };
      const doubleClick = (): void => made.finish();
      const keys: Readonly<Record<string, () => void>> = {
        ' ': () => add([map.getCenter().lng, map.getCenter().lat]),
        Backspace: made.removeLast,
        Enter: made.finish,
      };
      canvas.addEventListener(
        'keydown',
        (event) => {
          const act = keys[event.key];
          if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          act();
        },
        { signal: listen.signal },
      );
      addEventListener('keydown', (event) => event.key === 'Escape' && made.cancel(), { signal: listen.signal });
      map.doubleClickZoom.disable();
      map.on('click', click);
      map.on('dblclick', doubleClick);
      canvas.style.cursor = 'crosshair';
      drawing = made;
      set([]);
      canvas.focus();
      return made;
    },
  };
}
