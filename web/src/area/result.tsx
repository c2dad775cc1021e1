import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, at, type Box } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import { given, type Offer } from '../download/offer.ts';
import { DownloadPanel } from '../download/panel.tsx';
import { area } from '../format.ts';
import { language, t } from '../language.ts';
import { href } from '../route.ts';
import { Share, type Ways } from '../share.tsx';
import { quoted } from '../shell.ts';
import { asFailure, type Loaded, Show, Skeleton, useLoad } from '../ui.tsx';
import { type AreaPlan, type AreaRequest, inputOf } from './plan.ts';

type Area = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon, { area_km2: number; plan: AreaPlan }>;

function waysToDescribe(asked: AreaRequest): Ways {
  const input = inputOf(asked);
  const option = asked.steps
    ? `--plan ${quoted(JSON.stringify({ steps: asked.steps }))}`
    : `--description ${quoted(asked.words)}`;
  return {
    curl: `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(input))} ${quoted(at('v1/areas'))}`,
    command: `boundary create-area ${option}`,
    tool: JSON.stringify({ name: 'create_area', arguments: input }),
  };
}

function boxOf(feature: Area): Box | null {
  const [west, south, east, north] = feature.bbox ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  return { west, south, east, north };
}

/** Units of a call of create_area. */
const UNITS = 5;

/** The area of a description that was understood. It is drawn on request, because that costs units. */
export function Result({
  asked,
  plan,
  atlas,
}: {
  asked: AreaRequest;
  plan: AreaPlan;
  atlas: Atlas | null;
}): JSX.Element {
  const usage = useLoad('usage', (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const [drawn, setDrawn] = useState<Loaded<Area> | null>(null);
  /** The shape as it would be downloaded. */
  const [taken, setTaken] = useState<GeoJSON.FeatureCollection | null>(null);
  const running = useRef<AbortController | null>(null);
  const draw = async (): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setDrawn({ state: 'loading' });
    try {
      const body = { ...inputOf(asked), lang: language(), detail: 'medium' };
      const value = await ask<Area>('/areas', { method: 'POST', body, signal: stop.signal });
      if (!stop.signal.aborted) setDrawn({ state: 'done', value });
    } catch (error) {
      if (!stop.signal.aborted) setDrawn({ state: 'failed', failure: asFailure(error), again: () => void draw() });
    }
  };
  const free = usage.state === 'done' && usage.value.limit === null;
  useEffect(() => {
    if (free) void draw();
    return () => running.current?.abort();
  }, [free]);
  const feature = drawn?.state === 'done' ? drawn.value : null;
  useEffect(() => {
    if (!atlas || !feature) return;
    atlas.show('chosen', taken ?? feature);
    const box = boxOf(feature);
    if (box && !taken) atlas.fit(box, true);
    return () => atlas.show('chosen', null);
  }, [atlas, feature, taken]);
  const offer: Offer = {
    ...{
      key: 'area',
      label: t('area.theArea'),
      name: asked.words || t('area.theArea'),
      op: 'create_area',
      count: 1,
      units: UNITS,
    },
    ...given(inputOf(asked) as Readonly<Record<string, unknown>>),
  };
  return (
    <section aria-label={t('word.result')}>
      <h2>{t('word.result')}</h2>
      <div aria-live="polite">
        {drawn ? (
          <Show of={drawn}>
            {({ properties }) => (
              <p>
                {area(properties.area_km2)}
                {properties.plan.exact ? '' : `, ${t('area.onGrid')}`}
              </p>
            )}
          </Show>
        ) : usage.state === 'loading' || free ? (
          <Skeleton />
        ) : (
          <p class="row">
            <button type="button" onClick={draw}>
              {t('area.draw', { n: UNITS })}
            </button>
          </p>
        )}
      </div>
      <details class="fold">
        <summary>
          {t('area.madeOf', { n: plan.include.length })}
          {plan.exclude.length > 0 && `, ${t('area.without', { n: plan.exclude.length })}`}
        </summary>
        <ul class="places">
          {[
            ...plan.include.map((one) => ({ ...one, out: false })),
            ...plan.exclude.map((one) => ({ ...one, out: true })),
          ]
            .slice(0, 400)
            .map(({ id, name, out }) => (
              <li key={id}>
                <a href={href('/', { id })}>
                  <span>{name}</span>
                  {out && <span class="soft">{t('area.isCutOut')}</span>}
                </a>
              </li>
            ))}
        </ul>
      </details>
      <DownloadPanel offers={[offer]} onShape={setTaken} />
      <Share ways={waysToDescribe(asked)} />
    </section>
  );
}
