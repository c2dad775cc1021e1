import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Answer, ask } from './api.ts';
import { Bring, isFirst, SeedNote } from './coverage/bring.tsx';
import { Countries, CoverageMap } from './coverage_map.tsx';
import { count, day } from './format.ts';
import { Show, useLoad, Wide } from './ui.tsx';

type Status = Required<Answer<'get_data_status'>>;

const isWeb = (url: string): boolean => /^https?:\/\//.test(url);

/** The reference system of a source's file, and how far its places may be off. */
function systemText({ reference_system, accuracy_m }: Status['sources'][number]): string {
  if (reference_system === null) return 'not stated';
  if (accuracy_m === 0) return reference_system;
  return `${reference_system}, ${accuracy_m === null ? 'accuracy not known' : `within ${accuracy_m} m`}`;
}

/** The stored data: its sources, completeness and age. */
export default function CoveragePage(): JSX.Element {
  const status = useLoad('countries', (signal) => ask<Status>('/data-status', { query: { countries: true }, signal }));
  useEffect(() => {
    document.title = 'Data · Boundary Lookup';
  }, []);
  return (
    <main class="page">
      <h1>Data</h1>
      <Show of={status} lines={8}>
        {({ boundaries, stale, sources, countries }) => (
          <>
            {countries.length > 0 && <CoverageMap countries={countries.filter(({ levels }) => levels.length > 0)} />}
            <p>
              <b class="figure">{count(boundaries)}</b> boundaries.{' '}
              {stale > 0 && `${count(stale)} keep their last good shape because the newest cannot be used.`}
            </p>
            {sources.length === 0 && <p class="nothing">Nothing is imported yet.</p>}
            {sources.length > 0 && isFirst(sources) && <SeedNote />}
            <Bring countries={countries} open={isFirst(sources)} />
            {countries.length > 0 && (
              <>
                <h2>Levels by country</h2>
                <Countries countries={countries} editions={new Map(sources.map((one) => [one.id, one.edition]))} />
                <h2>Sources</h2>
              </>
            )}
            <Wide label="Sources">
              <table class="table">
                <caption class="hidden">Sources</caption>
                <thead>
                  <tr>
                    <th scope="col">Source</th>
                    <th scope="col">Edition</th>
                    <th scope="col">Boundaries</th>
                    <th scope="col">Without shape</th>
                    <th scope="col">Data of</th>
                    <th scope="col">Reference system</th>
                    <th scope="col">License</th>
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
                      <td>{source.edition ?? 'not stated'}</td>
                      <td>{count(source.boundaries)}</td>
                      <td>{count(source.boundaries - source.with_geometry)}</td>
                      <td>{source.data_at === null ? `imported ${day(source.imported_at)}` : day(source.data_at)}</td>
                      <td>{systemText(source)}</td>
                      <td>{source.license}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Wide>
          </>
        )}
      </Show>
    </main>
  );
}
