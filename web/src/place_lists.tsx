import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ask, type Boundary, type Children, type Neighbors } from './api.ts';
import { area, count, kindName, length, percent } from './format.ts';
import { t } from './language.ts';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import { asFailure, type Loaded, Problem, Show, SignIn, useLoad } from './ui.tsx';

/** A level of subdivisions, and their number. */
export interface Level {
  readonly admin_level: number;
  readonly count: number;
}

/** Links to boundaries; the map highlights the one that is hovered or focused. */
export function BoundaryList<T extends Pick<Boundary, 'id' | 'name'> & { readonly kind: string }>({
  items,
  onHover,
  aside,
}: {
  items: readonly T[];
  onHover: (id: string | null) => void;
  aside?: (one: T) => string;
}): JSX.Element {
  return (
    <ul class="places" onMouseLeave={() => onHover(null)}>
      {items.map((one) => (
        <li key={one.id}>
          <a
            href={href('/', { id: one.id })}
            onMouseEnter={() => onHover(one.id)}
            onFocus={() => onHover(one.id)}
            onBlur={() => onHover(null)}
          >
            <span>{one.name}</span>
            <span class="soft">{aside ? aside(one) : kindName(one.kind)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Lists longer than this get a filter field. */
const LONG = 12;

/** The subdivisions of a boundary, page by page. */
export function ChildList({
  id,
  first,
  onHover,
}: {
  id: string;
  first: Children;
  onHover: (id: string | null) => void;
}): JSX.Element {
  const [more, setMore] = useState<readonly Boundary[]>([]);
  const [next, setNext] = useState(first.next);
  const [filter, setFilter] = useState('');
  const [state, setState] = useState<Loaded<null>>({ state: 'done', value: null });
  const items = useMemo(() => [...first.items, ...more], [first, more]);
  const wanted = filter.trim().toLocaleLowerCase();
  const shown = wanted ? items.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)) : items;
  const kinds = [...new Set(first.items.map(({ kind }) => kind))];
  const load = async (): Promise<void> => {
    if (state.state === 'loading') return;
    setState({ state: 'loading' });
    try {
      const page = await ask<Children>(`/boundaries/${id}/children`, { query: { cursor: next ?? undefined } });
      setMore((before) => [...before, ...page.items]);
      setNext(page.next);
      setState({ state: 'done', value: null });
    } catch (error) {
      setState({ state: 'failed', failure: asFailure(error), again: load });
    }
  };
  return (
    <>
      {items.length > LONG && (
        <input
          class="filter"
          type="search"
          placeholder={t('place.filter')}
          aria-label={t('place.filterTheList')}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <BoundaryList
        items={shown}
        onHover={onHover}
        aside={({ kind, has_geometry }) =>
          [kinds.length > 1 && kindName(kind), !has_geometry && t('word.noShape')].filter(Boolean).join(', ')
        }
      />
      {shown.length === 0 && <p class="nothing">{t('place.noneCalled', { filter })}</p>}
      {state.state === 'failed' && <Problem failure={state.failure} again={state.again} />}
      {next && state.state !== 'failed' && (
        <button type="button" class="quiet" onClick={load} aria-disabled={state.state === 'loading'}>
          {t('place.showMore', { n: first.total })}
        </button>
      )}
    </>
  );
}

/** What a boundary borders on. */
export function NeighborList({ id, onHover }: { id: string; onHover: (id: string | null) => void }): JSX.Element {
  const account = useAccount();
  const neighbors = useLoad(account ? `neighbors ${id}` : null, (signal) =>
    ask<Neighbors>(`/boundaries/${id}/neighbors`, { query: { limit: 100 }, signal }),
  );
  if (account === null) return <SignIn>{t('place.signInNeighbors')}</SignIn>;
  return (
    <Show of={neighbors}>
      {({ items, border_km, overlaid }) => (
        <>
          {items.length === 0 && <p class="nothing">{t('place.itSharesNoBorder')}</p>}
          <BoundaryList
            items={items}
            onHover={onHover}
            aside={(one) => {
              const found = items.find((item) => item.id === one.id);
              return found?.contact === 'line' ? length(found.shared_km) : t('place.aPoint');
            }}
          />
          {items.length > 0 && <p class="soft small">{t('place.border', { length: length(border_km) })}</p>}
          {overlaid && <OverlaidList of={overlaid} onHover={onHover} />}
        </>
      )}
    </Show>
  );
}

/** Most boundaries that an area overlaps or touches that are listed: the largest common areas come first. */
const MOST_OVERLAID = 100;

/** For an area of one's own: the official boundaries that it overlaps or touches, with what they have in common. */
function OverlaidList({
  of: { items, not_compared },
  onHover,
}: {
  of: NonNullable<Neighbors['overlaid']>;
  onHover: (id: string | null) => void;
}): JSX.Element {
  const aside = (id: string): string => {
    const found = items.find((one) => one.id === id);
    if (found?.relation !== 'overlaps') return t('place.touches');
    const [n, other] = [found.share, found.share_of_other].map(percent);
    return t('place.overlap', { area: area(found.common_km2), share: n ?? '', other: other ?? '' });
  };
  return (
    <>
      <h3>{t('place.overlaid')}</h3>
      {items.length === 0 && <p class="nothing">{t('place.overlaysNothing')}</p>}
      <BoundaryList items={items.slice(0, MOST_OVERLAID)} onHover={onHover} aside={({ id }) => aside(id)} />
      {items.length > MOST_OVERLAID && (
        <p class="soft small">{t('word.firstOf', { shown: MOST_OVERLAID, total: items.length })}</p>
      )}
      {not_compared > 0 && <p class="soft small">{t('place.notCompared', { n: not_compared })}</p>}
    </>
  );
}

/** The levels of the subdivisions, of which one is shown. */
export function LevelChoice({
  levels,
  level,
  onLevel,
}: {
  levels: readonly Level[];
  level: number | undefined;
  onLevel: (level: number) => void;
}): JSX.Element | null {
  if (levels.length < 2) return null;
  return (
    <fieldset class="row groups">
      <legend class="soft small">{t('place.byAdminLevel')}</legend>
      {levels.map((one) => (
        <button
          key={one.admin_level}
          type="button"
          class="quiet small"
          aria-pressed={one.admin_level === level}
          onClick={() => onLevel(one.admin_level)}
        >
          {t('word.level', { level: String(one.admin_level) })} <span class="soft">{count(one.count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
