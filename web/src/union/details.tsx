import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { DETAILS, type Detail } from '../download/formats.ts';
import { pointsIn } from '../download/made.ts';
import { area, count } from '../format.ts';
import { askedFor, type Ground, useGround } from '../ground.tsx';
import { t } from '../language.ts';
import { asFailure, type Loaded, Problem, useLoad } from '../ui.tsx';
import type { Sides } from './sides.ts';

/** Changes closer together than this, in milliseconds, cause a single union. */
const WAIT_MS = 350;

/** A union as the service returns it. */
export type Union = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon, { area_km2: number }>;

/** The union of the sides, or of their land, at a detail. Each costs units, so only those requested are computed. */
function merge({ include, exclude }: Sides, detail: Detail, of: Ground, signal?: AbortSignal): Promise<Union> {
  const body = { include, exclude, detail, ...askedFor(of) };
  return ask<Union>('/boundaries/union', { method: 'POST', body, signal });
}

/** The area and the number of points of a union at each detail: computed by itself only where no units are counted. */
export function UnionDetails({
  sides,
  busy,
  onMerged,
}: {
  sides: Sides;
  busy: boolean;
  onMerged: (union: Union | null) => void;
}): JSX.Element {
  const units = new Set([...sides.include, ...sides.exclude]).size;
  const ground = useGround();
  const key = JSON.stringify([sides, ground]);
  const usage = useLoad('usage', (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const free = usage.state === 'done' && usage.value.limit === null;
  const [results, setResults] = useState<ReadonlyMap<Detail, Loaded<Union>>>(new Map());
  const running = useRef<AbortController | null>(null);
  const run = async (details: readonly Detail[], fresh: boolean): Promise<void> => {
    if (fresh) running.current?.abort();
    const stop = fresh || !running.current ? new AbortController() : running.current;
    running.current = stop;
    const set = (detail: Detail, value: Loaded<Union>): void => {
      if (!stop.signal.aborted) setResults((before) => new Map(before).set(detail, value));
    };
    if (fresh) setResults(new Map());
    for (const detail of details) {
      set(detail, { state: 'loading' });
      try {
        const value = await merge(sides, detail, ground, stop.signal);
        set(detail, { state: 'done', value });
      } catch (error) {
        set(detail, { state: 'failed', failure: asFailure(error), again: () => void run([detail], false) });
      }
    }
  };
  useEffect(() => {
    if (busy || usage.state === 'loading') return;
    // Where units are limited, none is spent while the list is still being made.
    const timer = setTimeout(() => void run(free ? ['medium', 'low', 'high', 'full'] : [], true), WAIT_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [key, busy, free, usage.state]);
  // The map shows the medium one, or else the first that was asked for.
  const made = ['medium' as const, ...DETAILS].map((detail) => results.get(detail));
  const merged = made.flatMap((one) => (one?.state === 'done' ? [one.value] : []))[0] ?? null;
  useEffect(() => {
    onMerged(merged);
    return () => onMerged(null);
  }, [merged]);
  const failed = DETAILS.map((detail) => results.get(detail)).find((one) => one?.state === 'failed');
  return (
    <>
      <table class="figures">
        <caption class="hidden">{t('union.theMergedAreaAt')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('download.detail')}</th>
            <th scope="col">{t('word.area')}</th>
            <th scope="col">{t('union.points')}</th>
          </tr>
        </thead>
        <tbody aria-live="polite">
          {DETAILS.map((detail) => {
            const result = results.get(detail);
            return (
              <tr key={detail}>
                <th scope="row">{t(`download.${detail}`)}</th>
                {result?.state === 'done' ? (
                  <>
                    <td>{area(result.value.properties.area_km2)}</td>
                    <td>{count(pointsIn(result.value.geometry))}</td>
                  </>
                ) : result?.state === 'loading' || busy ? (
                  <td colSpan={2} class="soft">
                    …
                  </td>
                ) : (
                  <td colSpan={2}>
                    {result?.state !== 'failed' && (
                      <button type="button" class="quiet small" onClick={() => run([detail], false)}>
                        {t('union.mergeFor', { n: units })}
                      </button>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {failed?.state === 'failed' && <Problem failure={failed.failure} again={failed.again} />}
    </>
  );
}
