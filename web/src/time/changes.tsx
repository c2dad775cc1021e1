import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLatest } from '../actions.tsx';
import { ask, at, pathOf } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import { area, count } from '../format.ts';
import { t, textOr } from '../language.ts';
import { useMapLegend } from '../legend.ts';
import { Problem } from '../ui.tsx';

/** Changes of a page of the list. */
const PAGE = 100;

interface Link {
  readonly id: string;
  readonly name: string;
}

interface Change {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly predecessors?: readonly Link[];
  readonly successors?: readonly Link[];
  readonly gained_km2?: number;
  readonly lost_km2?: number;
}

interface Changes {
  readonly items: readonly Change[];
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The colors of changes on the map; those that a line alone has are not drawn. */
const COLORS: Readonly<Record<string, string>> = {
  created: '#1d6fb8',
  ended: '#b7791f',
  merged: '#7c3aed',
  split: '#c2410c',
  border_moved: '#0f766e',
  moved_parent: '#be185d',
  renamed: '#64748b',
  recoded: '#64748b',
};
const labelOf = (type: string): string => textOr(`change.${type}`, type);

/** What a change says besides its name. */
function describe({ type, from, to, predecessors, successors, gained_km2, lost_km2 }: Change): string {
  const names = (links: readonly Link[] = []): string => links.map(({ name }) => name).join(', ');
  if (type === 'renamed' || type === 'recoded' || type === 'moved_parent') return `${from ?? '—'} → ${to ?? '—'}`;
  if (predecessors?.length) return t('time.from', { names: names(predecessors) });
  if (successors?.length) return t('time.into', { names: names(successors) });
  if (type === 'border_moved') return `+${area(gained_km2 ?? 0)}, −${area(lost_km2 ?? 0)}`;
  return '';
}

type Shapes = GeoJSON.FeatureCollection<GeoJSON.Geometry, { id: string; color?: string }>;

/** The shapes of changes in the colors of their types: of what ended or was split as of the first date, of all else the second. */
async function shapesOf(
  items: readonly Change[],
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<Shapes> {
  const colors = new Map<string, string>();
  const ids = { [from]: new Set<string>(), [to]: new Set<string>() };
  for (const { type, id } of items) {
    const color = COLORS[type];
    if (color === undefined || colors.has(id)) continue;
    colors.set(id, color);
    ids[type === 'ended' || type === 'split' ? from : to]?.add(id);
  }
  const features: Shapes['features'] = [];
  for (const [as_of, set] of Object.entries(ids)) {
    if (set.size === 0) continue;
    const body = { ids: [...set], as_of, detail: 'low' };
    const found = await ask<Shapes>('/collections', { method: 'POST', body, signal });
    features.push(...found.features);
  }
  return {
    type: 'FeatureCollection',
    features: features.map((one) => ({
      ...one,
      properties: { ...one.properties, color: colors.get(one.properties.id) },
    })),
  };
}

/** The changes between two dates: listed when asked for, as that takes units, and drawn in the colors of their types. */
export function ChangeList({
  from,
  to,
  source,
  level,
  atlas,
}: {
  from: string;
  to: string;
  source: string;
  level: string;
  atlas: Atlas | null;
}): JSX.Element {
  const [found, setFound] = useState<Changes | null>(null);
  const [shapes, setShapes] = useState<Shapes | null>(null);
  const [only, setOnly] = useState('');
  // A type may be chosen while the shapes of the list before are on their way.
  const { busy, failure, run } = useLatest();
  const query = { from, to, source, admin_level: level, types: only };
  const read = (offset: number, types = only): Promise<void> =>
    run(async (signal) => {
      const next = await ask<Changes>('/changes', { query: { ...query, types, limit: PAGE, offset }, signal });
      const items = offset === 0 ? next.items : [...(found?.items ?? []), ...next.items];
      setFound({ ...next, items });
      setShapes(null);
      const shown = await shapesOf(items, { from, to, signal });
      if (!signal.aborted) setShapes(shown);
    });
  useEffect(() => {
    atlas?.show('groups', shapes);
    return () => atlas?.show('groups', null);
  }, [atlas, shapes]);
  const types = [...new Set(shapes ? found?.items.map(({ type }) => type) : [])];
  useMapLegend(
    t('time.changesFromTo', { from, to }),
    types.flatMap((type) => {
      const color = COLORS[type];
      return color === undefined ? [] : [{ color, label: labelOf(type) }];
    }),
  );
  const show = (id: string): void => {
    const [west, south, east, north] = shapes?.features.find(({ properties }) => properties.id === id)?.bbox ?? [];
    if (west === undefined || south === undefined || east === undefined || north === undefined) return;
    atlas?.fit({ west, south, east, north }, true);
  };
  return (
    <section aria-label={t('time.whatChanged')}>
      <h2>
        {t('time.whatChanged')}{' '}
        <span class="soft" role="status">
          {found && t('time.changes', { n: found.total })}
        </span>
      </h2>
      {!found && (
        <p class="row">
          <button type="button" aria-disabled={busy} onClick={() => read(0)}>
            {busy ? t('time.comparing') : t('time.listWhatChanged')}
          </button>
          <span class="soft small">{t('time.aUnitForEvery')}</span>
        </p>
      )}
      {failure && <Problem failure={failure} again={() => read(0)} />}
      {found && (
        <>
          <ul class="legend" aria-label={t('time.changesByType')}>
            {Object.entries(found.counts).map(([type, number]) => (
              <li key={type}>
                <button
                  type="button"
                  class="quiet small"
                  aria-pressed={only === type}
                  onClick={() => {
                    const next = only === type ? '' : type;
                    setOnly(next);
                    void read(0, next);
                  }}
                >
                  <span class="swatch" style={{ background: COLORS[type] ?? 'transparent' }} aria-hidden="true" />
                  {labelOf(type)} {count(number)}
                </button>
              </li>
            ))}
          </ul>
          {found.total === 0 && <p class="nothing">{t('time.nothingChangedBetweenThese')}</p>}
          <ul class="members">
            {found.items.map((one) => (
              <li key={`${one.type} ${one.id}`}>
                <span class="grow">
                  <b>{one.name}</b> <span class="soft">{labelOf(one.type)}</span> {describe(one)}
                </span>
                {COLORS[one.type] && (
                  <button type="button" class="quiet small" onClick={() => show(one.id)}>
                    {t('word.show')}
                    <span class="hidden"> {one.name}</span>
                  </button>
                )}
              </li>
            ))}
          </ul>
          <p class="row">
            {found.items.length < found.total && (
              <button type="button" class="quiet" aria-disabled={busy} onClick={() => read(found.items.length)}>
                {t('time.more')}
              </button>
            )}
            <a
              class="button quiet"
              href={at(pathOf('/changes', { ...query, format: 'csv' }))}
              download={`changes ${from} ${to}.csv`}
            >
              {t('time.allAsCsv')}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
