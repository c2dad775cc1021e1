import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Answer, type AtPoint, ask, type BoundaryAtPoint } from './api.ts';
import type { Atlas, TileBoundary } from './atlas.ts';
import { Chosen } from './chosen.tsx';
import { kindAtPoint, pageTitle } from './format.ts';
import { t } from './language.ts';
import { BoundaryList } from './place_lists.tsx';
import { go, href, type Route, setQueryParameter } from './route.ts';
import { Search } from './search.tsx';
import { useAccount } from './session.ts';
import { Show, SignIn, said, useLoad } from './ui.tsx';
import { readView } from './use_atlas.ts';

/** Zoom at which a linked point is shown. */
const POINT_ZOOM = 8;

function readPoint(query: URLSearchParams): { lat: number; lon: number } | null {
  const [lat = NaN, lon = NaN, ...rest] = (query.get('at') ?? '').split(',').map(Number);
  const fine = rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return fine ? { lat, lon } : null;
}

type DataStatus = Answer<'get_data_status'>;

const EXAMPLES = ['Sevilla', 'Chaves, New Mexico', 'Österreich', 'ES-AN', 'Канада'];

function Welcome(): JSX.Element {
  const status = useLoad('status', (signal) => ask<DataStatus>('/data-status', { signal }));
  const isEmpty = status.state === 'done' && status.value.boundaries === 0;
  return (
    <article class="welcome">
      <h1>{t('place.administrativeBoundaries')}</h1>
      {isEmpty ? (
        <p class="nothing">
          {t('data.nothingIsImportedYet')} <a href={href('/coverage')}>{t('data.bringACountryIn')}</a>
        </p>
      ) : (
        <>
          <p>{t('place.searchForAPlace')}</p>
          <p class="row">
            {EXAMPLES.map((q) => (
              <a key={q} class="chip" href={href('/', { q })}>
                {q}
              </a>
            ))}
          </p>
        </>
      )}
      <p>
        {said('place.or', {
          tree: <a href={href('/select')}>{t('place.orTree')}</a>,
          file: <a href={href('/file')}>{t('place.orFile')}</a>,
          figures: <a href={href('/figures')}>{t('place.orFigures')}</a>,
          own: <a href={href('/sets')}>{t('place.orOwn')}</a>,
        })}
      </p>
      {status.state === 'done' && !isEmpty && (
        <p class="soft small">
          {t('word.nBoundaries', { n: status.value.boundaries })},{' '}
          {t('place.sources', { n: status.value.sources.length })}
        </p>
      )}
    </article>
  );
}

interface Containing {
  readonly items: readonly (BoundaryAtPoint | TileBoundary)[];
  /** The country to whose waters the point is assigned. */
  readonly nearby: readonly BoundaryAtPoint[];
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
      const { items, nearby } = await ask<AtPoint>('/boundaries/reverse', { query: { lat, lon }, signal });
      return { items, nearby: nearby ?? [], fromTile: false };
    }
    const items = (await atlas?.under(lat, lon)) ?? null;
    return items && { items, nearby: [], fromTile: true };
  });
  return (
    <article>
      <p class="crumbs">
        <a href={href('/')}>{t('place.world')}</a>
      </p>
      <h1 tabIndex={-1}>
        {lat.toFixed(4)}, {lon.toFixed(4)}
      </h1>
      <Show of={found} lines={4}>
        {(value) =>
          value === null || value.items.length + value.nearby.length === 0 ? (
            <p class="nothing">{t('word.noBoundaryIsDrawn')}</p>
          ) : (
            <section aria-label={t('word.whatIsAtThis')}>
              {value.items.length > 0 && <h2>{t('place.containedIn')}</h2>}
              <BoundaryList items={[...value.items, ...value.nearby]} onHover={onHover} aside={kindAtPoint} />
            </section>
          )
        }
      </Show>
      {account === null && <SignIn>{t('place.signInPoint')}</SignIn>}
    </article>
  );
}

/** The search, with a boundary, a point or a welcome below it. */
export function Explore({
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
    if (point) document.title = pageTitle(String(at));
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
