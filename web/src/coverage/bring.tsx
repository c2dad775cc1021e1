import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Country } from '../coverage_map.tsx';
import { countryName } from '../format.ts';
import { href } from '../route.ts';
import { Copy } from '../ui.tsx';

/** Ids of the sources that every service has before anything is imported. */
const SEED: readonly string[] = ['world-atlas', 'geo-maps', 'us-atlas', 'es-atlas'];

/** Whether nothing was imported yet. */
export const isFirst = (sources: readonly { readonly id: string }[]): boolean =>
  sources.every(({ id }) => SEED.includes(id));

function Command({ text }: { text: string }): JSX.Element {
  return (
    <p class="row command">
      <code class="grow">{text}</code>
      <Copy text={text} />
    </p>
  );
}

/** How whoever runs the service brings a country, in three steps, with the commands for the chosen one. */
export function Bring({ countries, open }: { countries: readonly Country[]; open: boolean }): JSX.Element {
  const [chosen, choose] = useState('');
  const named = countries
    .flatMap((one) => (one.country === null ? [] : [{ ...one, code: one.country, name: countryName(one.country) }]))
    .sort((a, b) => a.name.localeCompare(b.name));
  const country = named.find(({ code }) => code === chosen);
  const [recipe] = country?.recipes ?? [];
  return (
    <details class="fold" open={open}>
      <summary>Bring a country in three steps</summary>
      <ol>
        <li>
          <label>
            Choose a country{' '}
            <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">…</option>
              {named.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {country && (
            <p class="soft">
              {recipe === undefined
                ? 'No source of the catalog is of this country: take the extract of OpenStreetMap.'
                : 'The catalog has these files of it; each is of one level, or of several.'}
            </p>
          )}
        </li>
        <li>
          Run this, or one of these, where the service runs. It shows what it would store, and asks.
          {recipe === undefined ? (
            <Command text={country ? `boundary import ${chosen.toLowerCase()}.osm.pbf` : 'boundary sources'} />
          ) : (
            <>
              <Command text={`boundary sources show ${recipe.split('/', 1)[0]}`} />
              {country?.recipes.map((name) => (
                <Command key={name} text={`boundary import @${name}`} />
              ))}
            </>
          )}
          {country && recipe === undefined && (
            <p class="soft">
              The file is an extract, of <a href="https://download.geofabrik.de/">Geofabrik</a> for example; any other
              format works too.
            </p>
          )}
        </li>
        <li>
          Reload this page: the map shows its levels.{' '}
          {country && <a href={href('/', { id: `iso:${chosen}` })}>Look at {country.name}</a>}
        </li>
      </ol>
    </details>
  );
}

/** What the data that came with the service is, and is not. */
export function SeedNote(): JSX.Element {
  return (
    <p class="nothing">
      So far this is the data that came with the service: all countries, the counties of the United States and the
      municipalities of Spain, simplified to some 200 meters or more. It is for trying things out and for maps of the
      world. It has no subdivisions of other countries, and its borders are not for survey or legal use.
    </p>
  );
}
