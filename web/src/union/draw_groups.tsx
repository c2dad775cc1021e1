import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Failure } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import type { Point } from '../choose.tsx';
import { t } from '../language.ts';
import { useMapLegend } from '../legend.ts';
import { currentRoute } from '../route.ts';
import { asFailure, type Loaded, Problem, useLoad } from '../ui.tsx';
import { groupsHere } from './address.ts';
import { boundaryAt, colorsOf, csvOf, groupsOf, MOST_DRAWN, nextGroup } from './groups.ts';

/** The handler of clicks on the map while groups are drawn, or null. */
export type Picking = { current: ((point: Point) => void) | null };

interface Member {
  readonly id: string;
  readonly name: string;
}

type Members = GeoJSON.FeatureCollection<GeoJSON.Geometry, Member>;

/** Draws groups in their colors while they are visible; with `fit`, the map first goes there unless the address says where. */
function useShownGroups({
  groups,
  names,
  atlas,
  visible,
  fit,
}: {
  groups: ReadonlyMap<string, string>;
  names: readonly string[];
  atlas: Atlas | null;
  visible: boolean;
  fit: boolean;
}): { readonly shown: readonly string[]; readonly members: Loaded<Members> } {
  const shown = [...groups.keys()].slice(0, MOST_DRAWN);
  const used = new Set(groups.values());
  const color = colorsOf(names);
  useMapLegend(
    '',
    visible ? names.filter((name) => used.has(name)).map((name) => ({ color: color(name), label: name })) : [],
  );
  const members = useLoad(visible && shown.length > 0 ? `groups ${shown}` : null, (signal) =>
    ask<Members>('/collections', { method: 'POST', body: { ids: shown, detail: 'low' }, signal }),
  );
  const moved = useRef(!fit || currentRoute().query.get('map') !== null);
  useEffect(() => {
    if (!visible) return atlas?.show('groups', null);
    if (members.state !== 'done' && shown.length > 0) return;
    const found = members.state === 'done' ? members.value : null;
    const colorOf = colorsOf(names);
    const features = (found?.features ?? []).map((one, i) => {
      const color = colorOf(groups.get(shown[i] ?? '') ?? '');
      return { ...one, properties: { ...one.properties, color } };
    });
    atlas?.show('groups', { type: 'FeatureCollection', features });
    if (!atlas || moved.current || found?.bbox === undefined) return;
    moved.current = true;
    const [west, south, east, north] = found.bbox;
    atlas.fit({ west, south, east, north }, true);
  }, [atlas, visible, members.state, [...groups].join()]);
  useEffect(() => () => atlas?.show('groups', null), [atlas]);
  return { shown, members };
}

/** Draws the groups of the address for those who cannot change them. */
export function LinkedGroups({ atlas }: { atlas: Atlas | null }): null {
  const groups = groupsOf(groupsHere() ?? '');
  useShownGroups({ groups, names: [...new Set(groups.values())].sort(), atlas, visible: true, fit: true });
  return null;
}

/** Assigns boundaries to groups by clicks on the map; a second click removes one. The caller keeps the table. */
export function DrawGroups({
  csv,
  setCsv,
  level,
  atlas,
  picking,
}: {
  csv: string;
  setCsv: (csv: string) => void;
  level: number;
  atlas: Atlas | null;
  picking: Picking;
}): JSX.Element {
  const [drawing, setDrawing] = useState(false);
  const [group, setGroup] = useState('A');
  const [failure, setFailure] = useState<Failure | null>(null);
  const groups = groupsOf(csv);
  const names = [...new Set([...groups.values(), group])].sort();
  const colorOf = colorsOf(names);
  // The groups of a link are on the map before anything is drawn.
  const [linked] = useState(groups.size > 0);
  const { shown, members } = useShownGroups({ groups, names, atlas, visible: drawing || linked, fit: linked });
  const features = members.state === 'done' ? members.value.features : [];
  // The features are in the order of the ids.
  const nameOf = new Map(features.map(({ properties }, i) => [shown[i], properties.name]));

  const assign = (id: string, to: string): void => {
    const next = new Map(groups);
    if (next.get(id) === to) next.delete(id);
    else next.set(id, to);
    setCsv(csvOf(next));
  };
  const pick = async (point: Point): Promise<void> => {
    if (!atlas) return;
    setFailure(null);
    try {
      assign(await boundaryAt(point, level, atlas), group);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  useEffect(() => {
    picking.current = drawing ? pick : null;
    return () => {
      picking.current = null;
    };
  });
  return (
    <>
      <p class="row">
        <button
          type="button"
          class="quiet"
          aria-pressed={drawing}
          disabled={!atlas}
          onClick={() => setDrawing(!drawing)}
        >
          {drawing ? t('union.stopDrawing') : t('union.drawGroupsOnThe')}
        </button>
      </p>
      {drawing && (
        <>
          <fieldset class="row groups">
            <legend class="soft small">{t('union.clickPuts', { level: String(level) })}</legend>
            {names.map((name) => (
              <button
                key={name}
                type="button"
                class="quiet small"
                aria-pressed={name === group}
                onClick={() => setGroup(name)}
              >
                <svg width="10" height="10" aria-hidden="true">
                  <rect width="10" height="10" fill={colorOf(name)} />
                </svg>{' '}
                {name}
              </button>
            ))}
            <button type="button" class="quiet small" onClick={() => setGroup(nextGroup(names))}>
              {t('union.newGroup')}
            </button>
          </fieldset>
          {failure && <Problem failure={failure} />}
          {members.state === 'failed' && shown.length > 0 && (
            <Problem failure={members.failure} again={members.again} />
          )}
          <ul class="members" aria-live="polite" aria-label={t('union.membersOfTheGroups')}>
            {shown.map((id) => (
              <li key={id}>
                <span class="grow">
                  {nameOf.get(id) ?? id} <span class="soft">{groups.get(id)}</span>
                </span>
                <button type="button" class="quiet small" onClick={() => assign(id, groups.get(id) ?? '')}>
                  ×
                  <span class="hidden">
                    {' '}
                    {t('word.remove')} {nameOf.get(id) ?? id}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {groups.size > shown.length && (
            <p class="soft small">{t('word.firstOf', { shown: shown.length, total: groups.size })}</p>
          )}
        </>
      )}
    </>
  );
}
