import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import { given } from '../download/offer.ts';
import { DownloadPanel } from '../download/panel.tsx';
import { area } from '../format.ts';
import { t } from '../language.ts';
import { href, useRoute } from '../route.ts';
import { useAccount } from '../session.ts';
import { asFailure, Copy, type Loaded, Problem, Show } from '../ui.tsx';
import { goToGroups, groupsHere, groupsText, MOST_CHARACTERS } from './address.ts';
import { DrawGroups, type Picking } from './draw_groups.tsx';
import { rowsOf, tableOf } from './groups.ts';
import { KeepGroups } from './keep_groups.tsx';
import type { Sides } from './sides.ts';

interface Areas {
  readonly type: 'FeatureCollection';
  readonly features: readonly GeoJSON.Feature<
    GeoJSON.MultiPolygon | GeoJSON.Polygon,
    { group: string; members: number; area_km2: number; exact: boolean }
  >[];
  readonly assigned_twice: { readonly total: number };
}

/** Most groups in the name of a file. */
const MOST_NAMED = 4;

/** The table of groups, kept in sync with the address. */
function useGroups(): {
  readonly csv: string;
  /** A group drawn by a click adds a history entry; typing replaces the current one. */
  readonly setCsv: (csv: string, typed?: boolean) => void;
  /** Whether the groups in the address cannot be parsed, or these do not fit in an address. */
  readonly fault: 'unreadable' | 'too_long' | null;
} {
  const { fragment } = useRoute();
  const [csv, set] = useState(() => groupsHere() ?? '');
  const [fault, setFault] = useState<'unreadable' | 'too_long' | null>(null);
  // Set while the table is too long for the address, so that the empty address does not overwrite it.
  const isTooLong = useRef(false);
  useEffect(() => {
    const here = groupsHere();
    if (here === null) setFault('unreadable');
    else if (here !== '' || !isTooLong.current) {
      isTooLong.current = false;
      setFault(null);
      if (groupsText(here) !== groupsText(csv)) set(here);
    }
  }, [fragment]);
  const setCsv = (next: string, typed = false): void => {
    set(next);
    const fits = goToGroups(next, typed);
    isTooLong.current = !fits;
    setFault(fits ? null : 'too_long');
  };
  return { csv, setCsv, fault };
}

/** Dissolves boundaries into groups, drawn on the map or pasted as a table. */
export function Dissolve({
  sides,
  atlas,
  level,
  picking,
}: {
  sides: Sides;
  atlas: Atlas | null;
  level: number;
  picking: Picking;
}): JSX.Element {
  const { csv, setCsv, fault } = useGroups();
  const { fragment, query } = useRoute();
  const account = useAccount();
  const [open] = useState(fragment !== '' || query.has('groups'));
  const [areas, setAreas] = useState<Loaded<Areas> | null>(null);
  const [job, setJob] = useState<Loaded<{ id: string }> | null>(null);
  const run = async (): Promise<void> => {
    if (areas?.state === 'loading') return;
    setAreas({ state: 'loading' });
    try {
      const value = await ask<Areas>('/dissolve', { method: 'POST', body: { csv: tableOf(csv) } });
      setAreas({ state: 'done', value });
      const features = value.features.map((one) => ({
        ...one,
        properties: { ...one.properties, id: one.properties.group },
      }));
      atlas?.show('children', { type: 'FeatureCollection', features: features as unknown as GeoJSON.Feature[] });
      const boxes = value.features.flatMap(({ bbox }) => {
        if (bbox?.length !== 4) return [];
        const [west, south, east, north] = bbox;
        return [{ west, south, east, north }];
      });
      // Areas on both sides of the antimeridian have no useful common box.
      if (boxes.length > 0 && boxes.every(({ west, east }) => west <= east)) {
        const west = Math.min(...boxes.map((box) => box.west));
        const south = Math.min(...boxes.map((box) => box.south));
        const east = Math.max(...boxes.map((box) => box.east));
        const north = Math.max(...boxes.map((box) => box.north));
        atlas?.fit({ west, south, east, north }, true);
      }
    } catch (error) {
      setAreas({ state: 'failed', failure: asFailure(error), again: run });
    }
  };
  const rows = rowsOf(csv);
  const keep = async (): Promise<void> => {
    if (job?.state === 'loading') return;
    setJob({ state: 'loading' });
    try {
      const value = await ask<{ id: string }>('/jobs', {
        method: 'POST',
        body: { op: 'dissolve', input: { csv: tableOf(csv) } },
      });
      setJob({ state: 'done', value });
    } catch (error) {
      setJob({ state: 'failed', failure: asFailure(error), again: keep });
    }
  };
  return (
    <details class="fold" open={open}>
      <summary>{t('word.dissolveByGroups')}</summary>
      <p class="soft small">{t('union.aLineForEach')}</p>
      <DrawGroups csv={csv} setCsv={setCsv} level={level} atlas={atlas} picking={picking} />
      <label class="wide">
        {t('word.members')}
        <textarea
          rows={6}
          spellcheck={false}
          value={csv}
          placeholder={'id,group\nr349044,south\nr349045,south'}
          onInput={(event) => setCsv(event.currentTarget.value, true)}
        />
      </label>
      <p class="row">
        <button type="button" onClick={run} disabled={csv.trim() === ''} aria-disabled={areas?.state === 'loading'}>
          {t('union.dissolve')}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={sides.include.length === 0}
          onClick={() => setCsv(`id,group\n${sides.include.map((id) => `${id},A`).join('\n')}`)}
        >
          {t('union.startFromTheList')}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={keep}
          disabled={csv.trim() === ''}
          aria-disabled={job?.state === 'loading'}
        >
          {t('download.save')}
        </button>
      </p>
      {fault === 'unreadable' && (
        <p class="flag" role="status">
          {t('union.theGroupsInThe')}
        </p>
      )}
      {fault === 'too_long' && (
        <p class="flag" role="status">
          {t('union.tooLong', { n: MOST_CHARACTERS })}
        </p>
      )}
      {fault === null && fragment !== '' && (
        <p class="row">
          <Copy text={location.href} label={t('union.copyTheLinkTo')} />
        </p>
      )}
      {rows.length > 0 && (
        <DownloadPanel
          offers={[
            {
              ...{
                key: 'areas',
                label: t('union.theAreas'),
                op: 'dissolve',
                count: rows.length,
                units: rows.length,
              },
              name: `${t('union.areasNamed')} ${[...new Set(rows.map(([, group]) => group))].slice(0, MOST_NAMED).join(', ')}`,
              ...given({ csv: tableOf(csv) }),
            },
          ]}
        />
      )}
      {rows.length > 0 && account && <KeepGroups rows={rows} />}
      {job?.state === 'failed' && <Problem failure={job.failure} again={job.again} />}
      {job?.state === 'done' && (
        <p role="status">
          {t('union.job')} <a href={href('/library')}>{t('union.seeItsProgress')}</a>
        </p>
      )}
      {areas && (
        <Show of={areas}>
          {({ features, assigned_twice }) => (
            <>
              <ul class="places">
                {features.map(({ properties }) => (
                  <li
                    key={properties.group}
                    class="line"
                    onMouseEnter={() => atlas?.highlight(properties.group)}
                    onMouseLeave={() => atlas?.highlight(null)}
                  >
                    <span>
                      {properties.group} <span class="soft">{t('union.members', { n: properties.members })}</span>
                    </span>
                    <span class="soft">{area(properties.area_km2)}</span>
                  </li>
                ))}
              </ul>
              {assigned_twice.total > 0 && <p class="flag">{t('union.twice', { n: assigned_twice.total })}</p>}
            </>
          )}
        </Show>
      )}
    </details>
  );
}
