import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ask } from './api.ts';
import type { Atlas } from './atlas.ts';
import { count, countryName } from './format.ts';
import { go, href } from './route.ts';
import { useTheme } from './theme.ts';
import { Copy, Wide } from './ui.tsx';

/** Number of stored boundaries of a country, by level. */
export type Country = NonNullable<Answer<'get_data_status'>['countries']>[number];

/** Labels and colors by the deepest stored admin level of a country. */
const DEPTHS = [
  { to: 2, label: 'the country alone', color: '#b9c0c6' },
  { to: 4, label: 'to level 4', color: '#e3b34f' },
  { to: 6, label: 'to level 6', color: '#d9823b' },
  { to: 8, label: 'to level 8', color: '#b8405e' },
  { to: 99, label: 'to level 9 or deeper', color: '#6b2a7b' },
] as const;

const deepest = ({ levels }: Country): number => Math.max(2, ...levels.map(({ admin_level }) => admin_level ?? 0));
const depthOf = (country: Country): (typeof DEPTHS)[number] =>
  DEPTHS.find(({ to }) => deepest(country) <= to) ?? DEPTHS[0];

type World = GeoJSON.FeatureCollection<GeoJSON.Geometry, { country: string | null }>;

/** A map of the countries, each colored by its deepest stored level; a click opens the country. */
export function CoverageMap({ countries }: { countries: readonly Country[] }): JSX.Element {
  const container = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const first = useRef(theme);
  const [atlas, setAtlas] = useState<Atlas | null>(null);
  const [problem, setProblem] = useState(false);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let gone = false;
    let made: Atlas | null = null;
    const make = async (): Promise<void> => {
      const body = { within: [-180, -90, 180, 90], kind: 'country', detail: 'low' };
      const [world, { createAtlas }] = await Promise.all([
        ask<World>('/collections', { method: 'POST', body }),
        import('./map.ts'),
      ]);
      if (gone || !container.current) return;
      made = await createAtlas(container.current, {
        theme: first.current,
        view: null,
        onClick: ({ lat, lon }) => go(href('/', { at: `${lat},${lon}` })),
        onView: () => undefined,
        onHover: () => undefined,
        onAttribution: () => undefined,
        onDrawn: () => setDrawn(true),
      });
      if (gone) return made.remove();
      const byCode = new Map(countries.map((one) => [one.country, one]));
      const features = world.features.flatMap((feature) => {
        const country = byCode.get(feature.properties.country);
        return country ? [{ ...feature, properties: { color: depthOf(country).color } }] : [];
      });
      made.show('groups', { type: 'FeatureCollection', features });
      setAtlas(made);
    };
    make().catch(() => setProblem(true));
    return () => {
      gone = true;
      made?.remove();
    };
  }, [countries]);
  useEffect(() => void atlas?.setTheme(theme), [atlas, theme]);
  return (
    <>
      <section class="map small-map" aria-label="Map of the levels by country">
        <div class="canvas" ref={container} />
        {!drawn && !problem && <p class="loading">Loading the map…</p>}
        {problem && (
          <p class="loading" role="alert">
            The map cannot be shown. The table below has the same data.
          </p>
        )}
      </section>
      <ul class="legend">
        {DEPTHS.map(({ label, color }) => (
          <li key={label}>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" fill={color} />
            </svg>{' '}
            {label}
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
    .map((one) => ({ ...one, name: one.country === null ? 'In no country' : countryName(one.country) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <details class="fold">
      <summary>Countries: {count(countries.filter(({ country }) => country !== null).length)}</summary>
      <Wide label="Levels by country">
        <table class="table">
          <caption class="hidden">Boundaries of each level by country</caption>
          <thead>
            <tr>
              <th scope="col">Country</th>
              <th scope="col">Boundaries by admin level</th>
              <th scope="col">Postcode areas</th>
              <th scope="col">Sources</th>
              <th scope="col">Ready to import</th>
            </tr>
          </thead>
          <tbody>
            {named.map((one) => (
              <tr key={one.country}>
                <th scope="row">
                  {one.country ? <a href={href('/', { id: `iso:${one.country}` })}>{one.name}</a> : one.name}
                </th>
                <td>
                  {one.levels.length === 0 && 'nothing is stored'}
                  {one.levels
                    .map(({ admin_level, boundaries }) => `${admin_level ?? 'without a level'}: ${count(boundaries)}`)
                    .join(', ')}
                </td>
                <td>{count(one.postal_codes)}</td>
                <td>{one.sources.map((id) => [id, editions.get(id)].filter(Boolean).join(' ')).join(', ')}</td>
                <td>
                  {one.recipes.map((name) => (
                    <span key={name} class="row">
                      @{name} <Copy text={`boundary import @${name}`} label="Copy command" />
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
