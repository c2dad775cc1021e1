import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ask, Failure } from './api.ts';
import type { Atlas } from './atlas.ts';
import { count, countryName } from './format.ts';
import { t } from './language.ts';
import { href } from './route.ts';
import { useTheme } from './theme.ts';
import { Copy, Wide } from './ui.tsx';

/** Number of stored boundaries of a country, by level. */
export type Country = NonNullable<Answer<'get_data_status'>['countries']>[number];

/** Labels and colors by the deepest stored admin level of a country. */
const DEPTHS = [
  { to: 2, label: 'data.alone', color: '#b9c0c6' },
  { to: 4, label: 'data.toLevel', color: '#e3b34f' },
  { to: 6, label: 'data.toLevel', color: '#d9823b' },
  { to: 8, label: 'data.toLevel', color: '#b8405e' },
  { to: 99, label: 'data.deeper', color: '#6b2a7b' },
] as const;

const deepest = ({ levels }: Country): number => Math.max(2, ...levels.map(({ admin_level }) => admin_level ?? 0));
const depthOf = (country: Country): (typeof DEPTHS)[number] =>
  DEPTHS.find(({ to }) => deepest(country) <= to) ?? DEPTHS[0];

type World = GeoJSON.FeatureCollection<GeoJSON.Geometry, { id: string; country: string | null }>;

/** A map of the countries, each colored by its deepest stored level; a click chooses the country. */
export function CoverageMap({
  countries,
  onChoose,
}: {
  countries: readonly Country[];
  onChoose: (country: string) => void;
}): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const first = useRef(theme);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const [atlas, setAtlas] = useState<Atlas | null>(null);
  const [problem, setProblem] = useState<'absent' | 'failed' | null>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let unmounted = false;
    let made: Atlas | null = null;
    const make = async (): Promise<void> => {
      const body = { within: [-180, -90, 180, 90], kind: 'country', detail: 'low' };
      const [world, { createAtlas }] = await Promise.all([
        ask<World>('/collections', { method: 'POST', body }),
        import('./map.ts'),
      ]);
      if (unmounted || !container.current) return;
      made = await createAtlas(container.current, {
        theme: first.current,
        view: null,
        onClick: async ({ lat, lon }) => {
          const ids = new Set(((await made?.under(lat, lon)) ?? []).map(({ id }) => id));
          const country = world.features.find(({ properties: { id } }) => ids.has(id))?.properties.country;
          if (country) choose.current(country);
        },
        onView: () => undefined,
        onHover: () => undefined,
        onAttribution: () => undefined,
        onDrawn: () => setDrawn(true),
      });
      if (unmounted) return made.remove();
      const byCode = new Map(countries.map((one) => [one.country, one]));
      const features = world.features.flatMap((feature) => {
        const country = byCode.get(feature.properties.country);
        return country ? [{ ...feature, properties: { color: depthOf(country).color } }] : [];
      });
      made.show('groups', { type: 'FeatureCollection', features });
      setAtlas(made);
    };
    make().catch((error: unknown) => {
      setProblem(error instanceof Failure && error.code === 'not_found' ? 'absent' : 'failed');
    });
    return () => {
      unmounted = true;
      made?.remove();
    };
  }, [countries]);
  useEffect(() => void atlas?.setTheme(theme), [atlas, theme]);
  if (problem === 'absent') return <p class="nothing">{t('data.noCountryIsStored')}</p>;
  return (
    <>
      <section class="map small-map" aria-label={t('data.mapOfTheLevels')}>
        <div class="canvas" ref={container} />
        {!drawn && !problem && <p class="loading">{t('shell.loadingMap')}</p>}
        {problem && (
          <p class="loading" role="alert">
            {t('data.theMapCannotBe')}
          </p>
        )}
      </section>
      <ul class="legend">
        {DEPTHS.map(({ to, label, color }) => (
          <li key={to}>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" fill={color} />
            </svg>{' '}
            {t(label, { level: to })}
          </li>
        ))}
      </ul>
    </>
  );
}

interface CountriesProps {
  readonly countries: readonly Country[];
  /** By id of a source; null where its import stated none. */
  readonly editions: ReadonlyMap<string, string | null>;
}

/** The stored levels of each country with their sources, folded. */
export function Countries({ countries, editions }: CountriesProps): JSX.Element {
  const named = countries
    .map((one) => ({ ...one, name: one.country === null ? t('data.inNoCountry') : countryName(one.country) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <details class="fold">
      <summary>{t('data.countries', { n: countries.filter(({ country }) => country !== null).length })}</summary>
      <Wide label={t('data.levelsByCountry')}>
        <table class="table">
          <caption class="hidden">{t('data.boundariesOfEachLevel')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('word.country')}</th>
              <th scope="col">{t('data.boundariesByAdminLevel')}</th>
              <th scope="col">{t('data.postcodeAreas')}</th>
              <th scope="col">{t('data.sources')}</th>
              <th scope="col">{t('data.readyToImport')}</th>
            </tr>
          </thead>
          <tbody>
            {named.map((one) => (
              <tr key={one.country}>
                <th scope="row">
                  {one.country ? <a href={href('/', { id: `iso:${one.country}` })}>{one.name}</a> : one.name}
                </th>
                <td>
                  {one.levels.length === 0 && t('data.nothing')}
                  {one.levels
                    .map(({ admin_level, boundaries }) => `${admin_level ?? t('data.noLevel')}: ${count(boundaries)}`)
                    .join(', ')}
                </td>
                <td>{count(one.postal_codes)}</td>
                <td>{one.sources.map((id) => [id, editions.get(id)].filter(Boolean).join(' ')).join(', ')}</td>
                <td>
                  {one.recipes.map((name) => (
                    <span key={name} class="row">
                      @{name} <Copy text={`boundary import @${name}`} label={t('data.copyCommand')} />
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </details>
  );
}
