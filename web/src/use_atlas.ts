import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Atlas, View } from './atlas.ts';
import { t } from './language.ts';
import { fetchWorld, prefetch, styleFor } from './map_style.ts';
import { currentRoute, setQueryParameter } from './route.ts';
import { useTheme } from './theme.ts';

/** The view of an address; null if it has none, or no valid one. */
export function readView(query: URLSearchParams): View | null {
  const [zoom = NaN, lat = NaN, lon = NaN, ...rest] = (query.get('map') ?? '').split('/').map(Number);
  const fine = rest.length === 0 && zoom >= 0 && zoom <= 22 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return fine ? { zoom, lat, lon } : null;
}

const writeView = ({ zoom, lat, lon }: View): string => `${zoom.toFixed(2)}/${lat.toFixed(4)}/${lon.toFixed(4)}`;

/** Loads the map once the page is usable, and keeps it while the page is open. */
export function useAtlas(onHover: (id: string | null) => void): {
  readonly container: { current: HTMLDivElement | null };
  readonly atlas: Atlas | null;
  /** Whether the first view is drawn. */
  readonly drawn: boolean;
  readonly problem: string | null;
  readonly attribution: string;
  /** The current handler of clicks on the map. */
  readonly click: { current: (place: { lat: number; lon: number }) => void };
} {
  const container = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const first = useRef(theme);
  const [atlas, setAtlas] = useState<Atlas | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attribution, setAttribution] = useState('');
  const [drawn, setDrawn] = useState(false);
  const click = useRef<(place: { lat: number; lon: number }) => void>(() => undefined);
  const hover = useRef(onHover);
  hover.current = onHover;
  useEffect(() => {
    let unmounted = false;
    let made: Atlas | null = null;
    const make = async (): Promise<void> => {
      // Request in parallel: the map script, its worker, its style, and the first tile.
      prefetch(workerUrl);
      const style = styleFor(first.current);
      const view = readView(currentRoute().query);
      if (!view && !currentRoute().query.has('id')) style.then(fetchWorld, () => undefined);
      const { createAtlas } = await import('./map.ts');
      if (unmounted || !container.current) return;
      made = await createAtlas(container.current, {
        theme: first.current,
        style,
        view,
        onClick: (where) => click.current(where),
        onView: (view) => setQueryParameter('map', writeView(view)),
        onHover: (id) => hover.current(id),
        onAttribution: setAttribution,
        onDrawn: () => setDrawn(true),
      });
      if (unmounted) made.remove();
      else setAtlas(made);
    };
    // After the search box is drawn, so that it accepts input while the map loads.
    const timer = setTimeout(() => {
      make().catch(() => setProblem(t('shell.noMap')));
    });
    return () => {
      unmounted = true;
      clearTimeout(timer);
      made?.remove();
    };
  }, []);
  useEffect(() => void atlas?.setTheme(theme), [atlas, theme]);
  return { container, atlas, drawn, problem, attribution, click };
}
