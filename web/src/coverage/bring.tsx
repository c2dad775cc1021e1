import type { JSX } from 'preact';
import type { Country } from '../coverage_map.tsx';
import { countryName } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../route.ts';
import { useAccount } from '../session.ts';
import { Copy, said } from '../ui.tsx';
import { type Catalog, publishedAs } from './publisher.ts';

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

/**
 * How whoever runs the service brings a country, in three steps, with the commands for the chosen one. Only the command
 * line fetches files: a server that did so for a visitor would reach what its network reaches.
 */
export function Bring({
  countries,
  catalog,
  open,
  chosen,
  onChoose,
}: {
  countries: readonly Country[];
  catalog: Catalog;
  open: boolean;
  chosen: string;
  onChoose: (country: string) => void;
}): JSX.Element {
  const account = useAccount();
  const named = countries
    .flatMap((one) => (one.country === null ? [] : [{ ...one, code: one.country, name: countryName(one.country) }]))
    .sort((a, b) => a.name.localeCompare(b.name));
  const country = named.find(({ code }) => code === chosen);
  const [recipe] = country?.recipes ?? [];
  return (
    <details class="fold" open={open}>
      <summary>{t('data.bringACountryIn')}</summary>
      <ol>
        <li>
          <label>
            {t('data.chooseCountry')}{' '}
            <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
              <option value="">…</option>
              {named.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {country && (
            <p class="soft">{recipe === undefined ? t('data.noSourceOfThe') : t('data.theCatalogHasThese')}</p>
          )}
        </li>
        <li>
          {t('data.runThis')}{' '}
          {recipe === undefined ? (
            <Command text={country ? `boundary import ${chosen.toLowerCase()}.osm.pbf` : 'boundary sources'} />
          ) : (
            <>
              <Command text={`boundary sources show ${recipe.split('/', 1)[0]}`} />
              {country?.recipes.map((name) => (
                <div key={name}>
                  <Command text={`boundary import @${name}`} />
                  <File recipe={name} catalog={catalog} isOperator={account?.operator === true} />
                </div>
              ))}
            </>
          )}
          {country && recipe !== undefined && account && !account.operator && (
            <p class="soft">
              {said('data.asOperator', { command: <code>boundary admin operator add {account.email}</code> })}
            </p>
          )}
          {country && recipe === undefined && (
            <p class="soft">{said('data.extract', { link: <a href="https://download.geofabrik.de/">Geofabrik</a> })}</p>
          )}
        </li>
        <li>
          {t('data.reload')}{' '}
          {country && <a href={href('/', { id: `iso:${chosen}` })}>{t('data.lookAt', { country: country.name })}</a>}
        </li>
      </ol>
    </details>
  );
}

/** Where the publisher of a recipe has its file, and where operators import it. */
function File({
  recipe,
  catalog,
  isOperator,
}: {
  recipe: string;
  catalog: Catalog;
  isOperator: boolean;
}): JSX.Element | null {
  const published = publishedAs(recipe, catalog);
  if (!published) return null;
  const { publisher, license, homepage, address } = published;
  const outside = { rel: 'noreferrer', target: '_blank' };
  return (
    <p class="small">
      <a href={homepage} title={license} {...outside}>
        {publisher}
      </a>
      {address !== null && (
        <>
          {' · '}
          <a href={address} aria-label={`${t('data.file')}: ${recipe}`} {...outside}>
            {t('data.file')}
          </a>
        </>
      )}
      {isOperator && (
        <>
          {' · '}
          <a href={href('/file', { recipe })} aria-label={`${t('data.importHere')}: ${recipe}`}>
            {t('data.importHere')}
          </a>
        </>
      )}
    </p>
  );
}

/** What the data that came with the service is, and is not. */
export function SeedNote(): JSX.Element {
  return <p class="nothing">{t('data.soFarThisIs')}</p>;
}
