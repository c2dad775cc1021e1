import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ask, type BoundaryAtPoint, type Children, place as fetchPlace } from './api.ts';
import { capital, kindAtPoint, kindName, plural } from './format.ts';
import { t } from './language.ts';
import { useMapLegend } from './legend.ts';
import type { Atlas, TileBoundary, View } from './atlas.ts';
import { COLORS, fetchWorld, prefetch, styleFor } from './map_style.ts';
import { BoundaryList, collectionOf, type Level, PlacePanel } from './place.tsx';
import { rememberPlace } from './recent.ts';
import { currentRoute, go, href, type Route, setQueryParameter, useRoute } from './route.ts';
import { context, Search } from './search.tsx';
import { useAccount } from './session.ts';
import { useTheme } from './theme.ts';
import { Toolbar } from './tools/toolbar.tsx';
import { Show, SignIn, useLoad } from './ui.tsx';

/** Most subdivisions drawn as shapes; if there are more, only the tiles show them. */
const MOST_DRAWN = 400;
/** Zoom at which a linked point is shown. */
const POINT_ZOOM = 8;

function readView(query: URLSearchParams): View | null {
  const [zoom = NaN, lat = NaN, lon = NaN, ...rest] = (query.get('map') ?? '').split('/').map(Number);
  const fine = rest.length === 0 && zoom >= 0 && zoom <= 22 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return fine ? { zoom, lat, lon } : null;
}

const writeView = ({ zoom, lat, lon }: View): string => `${zoom.toFixed(2)}/${lat.toFixed(4)}/${lon.toFixed(4)}`;

function readPoint(query: URLSearchParams): { lat: number; lon: number } | null {
  const [lat = NaN, lon = NaN, ...rest] = (query.get('at') ?? '').split(',').map(Number);
  const fine = rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return fine ? { lat, lon } : null;
}

/** Loads the map once the page is usable, and keeps it while the page is open. */
function useAtlas(onHover: (id: string | null) => void): {
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
    let gone = false;
    let made: Atlas | null = null;
    const make = async (): Promise<void> => {
      // Request in parallel: the map script, its worker, its style, and the first tile.
      prefetch(workerUrl);
      const style = styleFor(first.current);
      const view = readView(currentRoute().query);
      if (!view && !currentRoute().query.has('id')) style.then(fetchWorld, () => undefined);
      const { createAtlas } = await import('./map.ts');
      if (gone || !container.current) return;
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
      if (gone) made.remove();
      else setAtlas(made);
    };
    // After the search box is drawn, so that it accepts input while the map loads.
    const timer = setTimeout(() => {
      make().catch(() => setProblem(t('shell.noMap')));
    });
    return () => {
      gone = true;
      clearTimeout(timer);
      made?.remove();
    };
  }, []);
  useEffect(() => void atlas?.setTheme(theme), [atlas, theme]);
  return { container, atlas, drawn, problem, attribution, click };
}

type DataStatus = Answer<'get_data_status'>;

const EXAMPLES = ['Sevilla', 'Chaves, New Mexico', 'Österreich', 'ES-AN', 'Канада'];

function Welcome(): JSX.Element {
  const status = useLoad('status', (signal) => ask<DataStatus>('/data-status', { signal }));
  return (
    <article class="welcome">
      <h1>Administrative boundaries</h1>
      <p>Search for a place, or click the map. Borders of neighbors fit exactly, at every detail.</p>
      <p class="row">
        {EXAMPLES.map((q) => (
          <a key={q} class="chip" href={href('/', { q })}>
            {q}
          </a>
        ))}
      </p>
      <p>
        Or <a href={href('/select')}>select boundaries in a tree</a>, or <a href={href('/file')}>show a file</a> of
        yours.
      </p>
      {status.state === 'done' && (
        <p class="soft small">
          {plural(status.value.boundaries, 'boundary', 'boundaries')} from{' '}
          {plural(status.value.sources.length, 'source')}.
        </p>
      )}
    </article>
  );
}

interface Containing {
  readonly items: readonly (BoundaryAtPoint | TileBoundary)[];
  /** From the tile only: what is drawn at the point, not everything stored. */
  readonly fromTile: boolean;
}

function PointPanel({
  point,
  atlas,
  onHover,
}: {
  point: { lat: number; lon: number };
  atlas: Atlas | null;
  onHover: (id: string | null) => void;
}): JSX.Element {
  const account = useAccount();
  const { lat, lon } = point;
  const ready = account !== undefined && (account !== null || atlas !== null);
  const found = useLoad<Containing | null>(ready ? `${lat},${lon} ${account?.id ?? ''}` : null, async (signal) => {
    if (account) {
      const { items } = await ask<{ items: BoundaryAtPoint[] }>('/boundaries/reverse', { query: { lat, lon }, signal });
      return { items, fromTile: false };
    }
    const items = (await atlas?.under(lat, lon)) ?? null;
    return items && { items, fromTile: true };
  });
  return (
    <article>
      <p class="crumbs">
        <a href={href('/')}>World</a>
      </p>
      <h1 tabIndex={-1}>
        {lat.toFixed(4)}, {lon.toFixed(4)}
      </h1>
      <Show of={found} lines={4}>
        {(value) =>
          value === null || value.items.length === 0 ? (
            <p class="nothing">No boundary is drawn here.</p>
          ) : (
            <section aria-label="What is at this point">
              <h2>Contained in</h2>
              <BoundaryList items={value.items} onHover={onHover} aside={kindAtPoint} />
            </section>
          )
        }
      </Show>
      {account === null && <SignIn>to list everything that contains this point, exactly on borders too.</SignIn>}
    </article>
  );
}

/** The first page of the subdivisions of a boundary: of a level, or of the next that exists. */
function askChildren(id: string, level: number | undefined, signal: AbortSignal): Promise<Children> {
  return ask<Children>(`/boundaries/${id}/children`, { query: { limit: 200, admin_level: level }, signal });
}

/** The levels of the subdivisions, with the number of each: that of the list first. */
function levelsOf({ items, total, other_levels = [] }: Children): Level[] {
  const own = items[0]?.admin_level ?? null;
  const all = own === null ? other_levels : [{ admin_level: own, count: total }, ...other_levels];
  return all.flatMap(({ admin_level, count }) => (admin_level === null ? [] : [{ admin_level, count }]));
}

function Chosen({
  id,
  atlas,
  onHover,
}: {
  id: string;
  atlas: Atlas | null;
  onHover: (id: string | null) => void;
}): JSX.Element {
  const loaded = useLoad(`place ${id}`, (signal) => fetchPlace(id, signal));
  const real = loaded.state === 'done' ? loaded.value.place.id : null;
  const name = loaded.state === 'done' ? loaded.value.place.name : '';
  const theme = useTheme();
  useMapLegend(name, name === '' ? [] : [{ color: COLORS[theme].chosen, label: name }]);
  /** The shapes as they would be downloaded. */
  const [taken, setTaken] = useState<GeoJSON.FeatureCollection | null>(null);
  const [chosen, setChosen] = useState<{ readonly of: string; readonly level: number } | null>(null);
  const next = useLoad(real && `children ${real}`, (signal) => askChildren(real ?? '', undefined, signal));
  const levels = next.state === 'done' ? levelsOf(next.value) : [];
  // Where nothing of the next level has a shape, the first level that may have one is shown.
  const empty = next.state === 'done' && next.value.items.every((one) => !one.has_geometry);
  const level = chosen?.of === real ? chosen.level : levels[empty && levels.length > 1 ? 1 : 0]?.admin_level;
  const other = level !== undefined && level !== levels[0]?.admin_level;
  const ofLevel = useLoad(other ? `children ${real} ${level}` : null, (signal) =>
    askChildren(real ?? '', level, signal),
  );
  const children = other ? ofLevel : next;
  const drawn = children.state === 'done' && children.value.total > 0 && children.value.total <= MOST_DRAWN;
  const shapes = useLoad(drawn ? `shapes ${real} ${level}` : null, (signal) => {
    const body = children.state === 'done' && real ? collectionOf(real, children.value) : {};
    return ask<GeoJSON.FeatureCollection>('/collections', { method: 'POST', body, signal });
  });
  useEffect(() => {
    if (!atlas || loaded.state !== 'done') return;
    const { shape } = loaded.value;
    atlas.show('chosen', taken ?? shape);
  }, [atlas, loaded.state, id, taken]);
  useEffect(() => {
    if (!atlas || loaded.state !== 'done') return;
    const { place } = loaded.value;
    document.title = `${place.name} · Boundary Lookup`;
    rememberPlace({ id: place.id, name: place.name, where: context(place) });
    const view = readView(currentRoute().query);
    if (view) atlas.look(view);
    else if (place.bbox) atlas.fit(place.bbox, true);
  }, [atlas, loaded.state, id]);
  useEffect(() => {
    atlas?.show('children', shapes.state === 'done' ? shapes.value : null);
  }, [atlas, shapes.state, real, level]);
  useEffect(() => () => atlas?.show('chosen', null), [atlas]);
  useEffect(() => () => atlas?.show('children', null), [atlas]);
  return (
    <>
      <p class="hidden" role="status">
        {loaded.state === 'done' && `${capital(kindName(loaded.value.place.kind))} ${loaded.value.place.name}`}
      </p>
      <Show of={loaded} lines={9}>
        {({ place }) => (
          <PlacePanel
            place={place}
            children={children}
            levels={levels}
            level={level}
            onLevel={(level) => setChosen({ of: place.id, level })}
            onHover={onHover}
            onShape={setTaken}
          />
        )}
      </Show>
      {loaded.state === 'failed' && ['invalid_id', 'not_found'].includes(loaded.failure.code) && (
        <p>
          <a href={href('/', { q: id })}>Search for “{id}”</a>
        </p>
      )}
    </>
  );
}

function Explore({
  route,
  atlas,
  onHover,
}: {
  route: Route;
  atlas: Atlas | null;
  onHover: (id: string | null) => void;
}): JSX.Element {
  const id = route.query.get('id');
  const point = readPoint(route.query);
  const nothing = id === null && point === null;
  useEffect(() => {
    if (nothing) document.title = 'Boundary Lookup';
  }, [nothing]);
  const at = point && `${point.lat},${point.lon}`;
  // A link shows its point; a click on the map does not move the map.
  const [linked] = useState(at !== null && readView(route.query) === null ? at : null);
  useEffect(() => {
    if (point && at === linked) atlas?.look({ ...point, zoom: POINT_ZOOM });
  }, [atlas, linked]);
  useEffect(() => {
    atlas?.mark(point);
    if (point) document.title = `${at} · Boundary Lookup`;
  }, [atlas, at]);
  return (
    <>
      <Search
        label={t('search.places')}
        autoFocus
        initial={route.query.get('q') ?? ''}
        onPick={(hit) => go(href('/', { id: hit.id }))}
        onQuery={(q) => setQueryParameter('q', q || null)}
      />
      <div class="scroll">
        {id !== null ? (
          <Chosen id={id} atlas={atlas} onHover={onHover} />
        ) : point ? (
          <PointPanel point={point} atlas={atlas} onHover={onHover} />
        ) : (
          <Welcome />
        )}
      </div>
    </>
  );
}

/** What each panel beside the map gets. */
export interface PanelProps {
  readonly route: Route;
  readonly atlas: Atlas | null;
  readonly click: { current: (place: { lat: number; lon: number }) => void };
}

/** Panels loaded on demand, by path. */
export const PANELS: Readonly<Record<string, () => Promise<{ default: ComponentType<PanelProps> }>>> = {
  '/file': () => import('./file.tsx'),
  '/select': () => import('./select.tsx'),
  '/union': () => import('./union.tsx'),
  '/area': () => import('./area.tsx'),
  '/figures': () => import('./figures.tsx'),
  '/map': () => import('./time.tsx'),
  '/sets': () => import('./sets.tsx'),
};

/** The panel of a path: that of its first part; null for a path without one. */
export function panelOf(path: string): string | null {
  const first = /^\/sets\/[^/]+$/.test(path) ? '/sets' : path;
  return Object.hasOwn(PANELS, first) ? first : null;
}

function Panel({ path, ...props }: PanelProps & { path: string }): JSX.Element {
  const panel = useLoad(path, async () => {
    const open = PANELS[path];
    if (!open) throw new Error(`There is no panel at ${path}.`);
    return { View: (await open()).default };
  });
  return <Show of={panel}>{({ View }) => <View {...props} />}</Show>;
}

/** The map with a panel beside it. */
export function MapPage({ path }: { path: string }): JSX.Element {
  const route = useRoute();
  const [hovered, setHovered] = useState<string | null>(null);
  const { container, atlas, drawn, problem, attribution, click } = useAtlas(setHovered);
  useEffect(() => atlas?.highlight(hovered), [atlas, hovered]);
  const panel = panelOf(path);
  // The other panels set their own handler.
  if (panel === null) {
    click.current = ({ lat, lon }) =>
      go(href('/', { at: `${lat},${lon}`, map: currentRoute().query.get('map') ?? undefined }));
  }
  return (
    <main class="split">
      <div class="panel" lang="en">
        {panel !== null ? (
          <Panel key={panel} path={panel} route={route} atlas={atlas} click={click} />
        ) : (
          <Explore route={route} atlas={atlas} onHover={setHovered} />
        )}
      </div>
      <section class="map" aria-label={t('shell.map')}>
        <div class="canvas" ref={container} />
        {!drawn && !problem && <p class="loading">{t('shell.loadingMap')}</p>}
        {problem && (
          <p class="loading" role="alert">
            {problem}
          </p>
        )}
        {atlas && <Toolbar atlas={atlas} attribution={attribution} />}
        {attribution && (
          <a class="attribution" href={href('/coverage')} title={attribution}>
            {t('shell.data', { names: attribution })}
          </a>
        )}
      </section>
    </main>
  );
}
