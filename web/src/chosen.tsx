import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, type Children, place as fetchPlace } from './api.ts';
import type { Atlas } from './atlas.ts';
import { capital, kindName, pageTitle } from './format.ts';
import { askedFor, useGround } from './ground.tsx';
import { t } from './language.ts';
import { useMapLegend } from './legend.ts';
import { COLORS } from './map_style.ts';
import { collectionOf, PlacePanel } from './place.tsx';
import type { Level } from './place_lists.tsx';
import { rememberPlace } from './recent.ts';
import { currentRoute, href } from './route.ts';
import { context } from './search.tsx';
import { useTheme } from './theme.ts';
import { Show, useLoad } from './ui.tsx';
import { readView } from './use_atlas.ts';

/** Most subdivisions drawn as shapes; if there are more, only the tiles show them. */
const MOST_DRAWN = 400;

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

/** The panel of a boundary, which the map shows with its subdivisions. */
export function Chosen({
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
  const ground = useGround();
  const land = useLoad(ground === 'land' && real ? `land ${real}` : null, (signal) =>
    ask<GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon>>(`/boundaries/${real}`, {
      query: { detail: 'low', area: 'land' },
      signal,
    }),
  );
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
  const shapes = useLoad(drawn ? `shapes ${real} ${level} ${ground}` : null, (signal) => {
    const body =
      children.state === 'done' && real ? { ...collectionOf(real, children.value), ...askedFor(ground) } : {};
    return ask<GeoJSON.FeatureCollection>('/collections', { method: 'POST', body, signal });
  });
  useEffect(() => {
    if (!atlas || loaded.state !== 'done') return;
    // As a collection: the map would draw a boundary from its tiles, which have the whole of it.
    const features = land.state === 'done' ? [land.value] : [];
    const shape = ground === 'all' ? loaded.value.shape : ({ type: 'FeatureCollection', features } as const);
    atlas.show('chosen', taken ?? shape);
  }, [atlas, loaded.state, id, taken, ground, land.state]);
  useEffect(() => {
    if (!atlas || loaded.state !== 'done') return;
    const { place } = loaded.value;
    document.title = pageTitle(place.name);
    rememberPlace({ id: place.id, name: place.name, where: context(place) });
    const view = readView(currentRoute().query);
    if (view) atlas.look(view);
    else if (place.bbox) atlas.fit(place.bbox, true);
  }, [atlas, loaded.state, id]);
  useEffect(() => {
    atlas?.show('children', shapes.state === 'done' ? shapes.value : null);
  }, [atlas, shapes.state, real, level, ground]);
  useEffect(() => () => atlas?.show('chosen', null), [atlas]);
  useEffect(() => () => atlas?.show('children', null), [atlas]);
  return (
    <>
      <p class="hidden" role="status">
        {loaded.state === 'done' && `${capital(kindName(loaded.value.place.kind))} ${loaded.value.place.name}`}
      </p>
      {loaded.state === 'failed' && <h1 class="hidden">{id}</h1>}
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
            unknown={ground === 'land' && land.state === 'failed' ? land.failure : null}
          />
        )}
      </Show>
      {loaded.state === 'failed' && ['invalid_id', 'not_found'].includes(loaded.failure.code) && (
        <p>
          <a href={href('/', { q: id })}>{t('place.searchFor', { id })}</a>
        </p>
      )}
    </>
  );
}
