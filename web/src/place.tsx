import type { JSX } from 'preact';
import type { Children, Failure, Place } from './api.ts';
import { given, type Offer } from './download/offer.ts';
import { DownloadPanel } from './download/panel.tsx';
import { area, capital, count, countryName, kindName, languageName } from './format.ts';
import { GroundSwitch } from './ground.tsx';
import { t } from './language.ts';
import { ChildList, type Level, LevelChoice, NeighborList } from './place_lists.tsx';
import { href } from './route.ts';
import { Share, waysToGet } from './share.tsx';
import { type Loaded, Problem, Show, said } from './ui.tsx';

function Names({ names }: { names: Readonly<Record<string, string>> }): JSX.Element | null {
  const all = Object.entries(names);
  if (all.length < 2) return null;
  return (
    <details class="fold">
      <summary>{t('place.names', { n: all.length })}</summary>
      <dl class="names">
        {all
          .map(([tag, name]) => [languageName(tag), tag, name] as const)
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([language, tag, name]) => (
            <div key={tag}>
              <dt>{language}</dt>
              <dd lang={tag}>{name}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

/** The facts of a boundary as table rows. */
function facts(place: Place): readonly (readonly [string, JSX.Element | string])[] {
  const level = place.admin_level === null ? '' : `, ${t('place.adminLevel', { level: String(place.admin_level) })}`;
  const rows: (readonly [string, JSX.Element | string])[] = [
    [t('word.kind'), `${capital(kindName(place.kind))}${level}`],
  ];
  if (place.country && place.kind !== 'country') rows.push([t('word.country'), countryName(place.country)]);
  if (place.population !== null) {
    const from = place.population_source;
    const source = from ? <span class="soft"> {`${from.name}, ${from.year}`}</span> : null;
    rows.push([
      t('word.population'),
      <>
        {count(place.population)}
        {source}
      </>,
    ]);
  }
  const { area_km2, land_km2, includes_water } = place;
  const hasSea = includes_water === true && land_km2 !== null;
  if (area_km2 !== null) {
    const mapped = hasSea ? <span class="soft"> {t('download.all')}</span> : null;
    rows.push([
      t('word.area'),
      <>
        {area(area_km2)}
        {mapped}
      </>,
    ]);
  }
  if (hasSea) rows.push([capital(t('download.land')), area(land_km2)]);
  if (place.iso) rows.push([t('place.isoCode'), <code key="iso">{place.iso}</code>]);
  rows.push([t('place.id'), <code key="id">{place.id}</code>]);
  if (place.wikidata && /^Q\d+$/.test(place.wikidata)) {
    const address = `https://www.wikidata.org/wiki/${place.wikidata}`;
    rows.push([
      'Wikidata',
      <a key="wikidata" href={address} rel="noreferrer" target="_blank">
        {place.wikidata}
      </a>,
    ]);
  }
  return rows;
}

/** The request body for the shapes of listed subdivisions, restricted to their level if they share one. */
export function collectionOf(id: string, { items }: Children): object {
  const levels = new Set(items.map(({ admin_level }) => admin_level));
  const [level] = levels;
  const one = levels.size === 1 && typeof level === 'number';
  return { children_of: id, detail: 'low', ...(one ? { admin_level: level } : {}) };
}

/** What can be downloaded of a place: itself, and its subdivisions of a level. */
function offersOf({ id, name }: Place, children: Loaded<Children>): Offer[] {
  const own: Offer = {
    ...{ key: 'place', label: name, name, op: 'export_boundary', count: 1, units: 1 },
    ...given({ id }),
  };
  if (children.state !== 'done' || children.value.total === 0) return [own];
  const { total, items, next } = children.value;
  if (next === null && items.every((one) => !one.has_geometry)) return [own];
  const { detail: _, ...fields } = collectionOf(id, children.value) as Record<string, unknown>;
  const level = fields.admin_level === undefined ? null : String(fields.admin_level);
  const below: Offer = {
    ...{
      key: 'children',
      label: level === null ? t('place.itsSubdivisions', { n: total }) : t('place.itsLevel', { n: total, level }),
      op: 'export_collection',
    },
    ...{
      name: level === null ? t('place.subdivisionsOf', { name }) : t('place.levelOf', { name, level }),
      count: total,
      units: total,
    },
    ...given(fields),
  };
  return [own, below];
}

/** Everything known about a boundary. */
export function PlacePanel({
  place,
  children,
  levels,
  level,
  onLevel,
  onHover,
  onShape,
  unknown,
}: {
  place: Place;
  children: Loaded<Children>;
  levels: readonly Level[];
  level: number | undefined;
  onLevel: (level: number) => void;
  onHover: (id: string | null) => void;
  /** Draws the shapes as they would be downloaded; null: no longer. */
  onShape: (shapes: GeoJSON.FeatureCollection | null) => void;
  /** Why its land cannot be shown, when that was asked for; null: it is, or was not. */
  unknown: Failure | null;
}): JSX.Element {
  return (
    <article>
      <nav class="crumbs" aria-label={t('place.liesIn')}>
        <ol>
          <li>
            <a href={href('/')}>{t('place.world')}</a>
          </li>
          {place.parents.map((parent) => (
            <li key={parent.id}>
              <a href={href('/', { id: parent.id })}>{parent.name}</a>
            </li>
          ))}
        </ol>
      </nav>
      <h1 tabIndex={-1}>{place.name}</h1>
      {place.local_name !== place.name && <p class="local">{place.local_name}</p>}
      {place.disputed && <p class="flag">{t('place.moreThanOneCountry')}</p>}
      {place.stale && (
        <p class="flag">{said('place.stale', { reason: <span lang="en">{place.stale.reason}</span> })}</p>
      )}
      <dl class="facts">
        {facts(place).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {place.includes_water !== false && <GroundSwitch />}
      {unknown && <Problem failure={unknown} />}
      <Names names={place.names ?? {}} />
      <DownloadPanel key={`d ${place.id}`} offers={offersOf(place, children)} onShape={onShape} />
      <Share ways={waysToGet(place.id)} />
      <p class="row">
        <a class="button quiet" href={href('/union', { include: place.id })}>
          {t('place.mergeWithOthers')}
        </a>
        <a class="button quiet" href={`${href('/select')}#select=${place.id}`}>
          {t('place.selectWithOthers')}
        </a>
      </p>
      <section aria-label={t('place.subdivisions')}>
        <h2>
          {t('place.subdivisions')}
          {children.state === 'done' && <span class="soft"> {count(children.value.total)}</span>}
        </h2>
        <LevelChoice levels={levels} level={level} onLevel={onLevel} />
        <Show of={children}>
          {(value) =>
            value.total === 0 ? (
              <p class="nothing">{t('place.noneAreStored')}</p>
            ) : (
              <>
                {value.next === null && value.items.every((one) => !one.has_geometry) && (
                  <p class="soft small">{t('place.noneOfThemHas')}</p>
                )}
                <ChildList key={`${place.id} ${level}`} id={place.id} first={value} onHover={onHover} />
              </>
            )
          }
        </Show>
      </section>
      <section aria-label={t('place.neighbors')}>
        <h2>{t('place.neighbors')}</h2>
        <NeighborList id={place.id} onHover={onHover} />
      </section>
      <footer class="soft small">{t('place.shapeBy', { attribution: place.attribution, source: place.source })}</footer>
    </article>
  );
}
