import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ask } from './api.ts';
import { Bring, isFirst, SeedNote } from './coverage/bring.tsx';
import { Countries, CoverageMap } from './coverage_map.tsx';
import { count, day, pageTitle } from './format.ts';
import { t } from './language.ts';
import { useAccount } from './session.ts';
import { Copied } from './share.tsx';
import { Show, said, useLoad, Wide } from './ui.tsx';

type Status = Required<Answer<'get_data_status'>>;

const isWeb = (url: string): boolean => /^https?:\/\//.test(url);

/** The reference system of a source's file, and how far its places may be off. */
function systemText({ reference_system, accuracy_m }: Status['sources'][number]): string {
  if (reference_system === null) return t('data.notStated');
  if (accuracy_m === 0) return reference_system;
  return `${reference_system}, ${accuracy_m === null ? t('data.noAccuracy') : t('data.accuracy', { m: accuracy_m })}`;
}

/** The stored data: its sources, completeness and age. */
export default function CoveragePage(): JSX.Element {
  const status = useLoad('countries', (signal) => ask<Status>('/data-status', { query: { countries: true }, signal }));
  /** The country whose sources are shown. */
  const [chosen, choose] = useState('');
  const bring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = pageTitle(t('page.data'));
  }, []);
  const chooseOnMap = (country: string): void => {
    choose(country);
    bring.current?.querySelector('select')?.focus();
  };
  return (
    <main class="page">
      <h1>{t('page.data')}</h1>
      <Show of={status} lines={8}>
        {({ boundaries, stale, sources, countries, catalog }) => (
          <>
            {countries.length > 0 && boundaries > 0 && (
              <CoverageMap countries={countries.filter(({ levels }) => levels.length > 0)} onChoose={chooseOnMap} />
            )}
            <p>
              {said('data.boundaries', { count: <b class="figure">{count(boundaries)}</b>, n: boundaries })}{' '}
              {stale > 0 && t('data.stale', { n: stale })}
            </p>
            {sources.length === 0 && <p class="nothing">{t('data.nothingIsImportedYet')}</p>}
            {sources.length > 0 && isFirst(sources) && <SeedNote />}
            <div ref={bring}>
              <Bring
                countries={countries}
                catalog={catalog}
                open={isFirst(sources) || chosen !== ''}
                chosen={chosen}
                onChoose={choose}
              />
            </div>
            {countries.length > 0 && (
              <>
                <h2>{t('data.levelsByCountry')}</h2>
                <Countries countries={countries} editions={new Map(sources.map((one) => [one.id, one.edition]))} />
                {sources.length > 0 && <h2>{t('data.sources')}</h2>}
              </>
            )}
            {sources.length > 0 && <Sources sources={sources} />}
            {!isFirst(sources) && <RemoveNote sources={sources} />}
          </>
        )}
      </Show>
    </main>
  );
}

/** The command by which operators remove what they imported last; over HTTP it is remove_source. */
function RemoveNote({ sources }: Pick<Status, 'sources'>): JSX.Element | null {
  const account = useAccount();
  const last = sources.filter((one) => !isFirst([one])).toSorted((a, b) => (a.imported_at < b.imported_at ? 1 : -1))[0];
  if (!account?.operator || !last) return null;
  return <Copied rows={[[t('data.removeSource'), `boundary sources remove ${last.id}`]]} />;
}

/** A table of the sources. */
function Sources({ sources }: Pick<Status, 'sources'>): JSX.Element {
  return (
    <Wide label={t('data.sources')}>
      <table class="table">
        <caption class="hidden">{t('data.sources')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('word.source')}</th>
            <th scope="col">{t('data.edition')}</th>
            <th scope="col">{t('word.boundaries')}</th>
            <th scope="col">{t('data.withoutShape')}</th>
            <th scope="col">{t('data.dataOf')}</th>
            <th scope="col">{t('word.referenceSystem')}</th>
            <th scope="col">{t('data.license')}</th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.id}>
              <th scope="row">
                {source.url && isWeb(source.url) ? (
                  <a href={source.url} rel="noreferrer" target="_blank">
                    {source.name}
                  </a>
                ) : (
                  source.name
                )}
              </th>
              <td>{source.edition ?? t('data.notStated')}</td>
              <td>{count(source.boundaries)}</td>
              <td>{count(source.boundaries - source.with_geometry)}</td>
              <td>
                {source.data_at === null ? t('data.imported', { day: day(source.imported_at) }) : day(source.data_at)}
              </td>
              <td>{systemText(source)}</td>
              <td>{source.license}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
