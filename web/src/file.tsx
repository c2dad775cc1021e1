import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Preview } from '../reading/preview.ts';
import type { Failure } from './api.ts';
import type { Atlas } from './atlas.ts';
import { Compare } from './file/compare.tsx';
import { Convert } from './file/convert.tsx';
import { drop, nameOf, onDropped, readFiles, SeveralLayers, type Unsaid } from './file/dropped.ts';
import { Import, importCommand } from './file/import.tsx';
import { Keep } from './file/keep.tsx';
import { sayImport } from './file/say_import.ts';
import { Systems, systemsIn } from './file/systems.tsx';
import { pageTitle, size } from './format.ts';
import { t } from './language.ts';
import type { PanelProps } from './panel.ts';
import { href, useRoute } from './route.ts';
import { useAccount } from './session.ts';
import { Copied } from './share.tsx';
import { asFailure, Problem, Wide } from './ui.tsx';

type State =
  | { readonly state: 'none' }
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'read'; readonly name: string; readonly bytes: number; readonly preview: Preview }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Shows a file of any format on the map, with its table and what is wrong with it. Nothing leaves the browser. */
export default function FilePanel({ atlas, click }: PanelProps): JSX.Element {
  const account = useAccount();
  const recipe = useRoute().query.get('recipe');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [options, setOptions] = useState<Unsaid>({});
  const [state, setState] = useState<State>({ state: 'none' });
  /** The layers to choose from; empty where none was asked for. */
  const [layers, setLayers] = useState<readonly string[]>([]);
  const running = useRef<AbortController | null>(null);
  click.current = () => undefined;
  useEffect(() => {
    document.title = pageTitle(t('file.aFileOnThe'));
    return onDropped((dropped) => {
      setOptions({});
      setLayers([]);
      setFiles(dropped);
    });
  }, []);
  useEffect(() => {
    if (files.length === 0) return;
    const file = nameOf(files);
    const stop = new AbortController();
    running.current = stop;
    setState({ state: 'reading', name: file });
    readFiles(files, options, stop.signal).then(
      (preview) => {
        const bytes = files.reduce((sum, file) => sum + file.size, 0);
        if (!stop.signal.aborted) setState({ state: 'read', name: file, bytes, preview });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (error instanceof SeveralLayers) setLayers(error.layers);
        setState({ state: 'failed', failure: asFailure(error) });
      },
    );
    return () => stop.abort();
  }, [files, options]);
  useDrawn(atlas, state.state === 'read' ? state.preview : null);
  const name = nameOf(files);
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>{t('file.aFileOnThe')}</h1>
      <p>{t('file.dropAFileAnywhere')}</p>
      {recipe !== null && <p class="flag">{sayImport('import.forRecipe', { recipe })}</p>}
      <label class="wide">
        {t('file.orChooseOne')}
        <input type="file" multiple onChange={(event) => drop([...(event.currentTarget.files ?? [])])} />
      </label>
      {files.length > 0 && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget);
            const text = (field: string): string | undefined => String(given.get(field) ?? '').trim() || undefined;
            setOptions({ layer: text('layer'), crs: text('crs') });
          }}
        >
          <label for="file-layer">
            {t('file.layer')}
            {layers.length > 1 ? (
              <select id="file-layer" name="layer" value={options.layer ?? ''}>
                <option value="">…</option>
                {layers.map((layer) => (
                  <option key={layer} value={layer}>
                    {layer}
                  </option>
                ))}
              </select>
            ) : (
              <input id="file-layer" name="layer" size={10} maxLength={200} />
            )}
          </label>
          <label>
            {t('word.referenceSystem')}
            <input
              key={options.crs}
              name="crs"
              size={10}
              maxLength={200}
              placeholder="EPSG:25830"
              defaultValue={options.crs}
            />
          </label>
          <button type="submit" class="quiet">
            {t('file.readAgain')}
          </button>
        </form>
      )}
      <div role="status">
        {state.state === 'reading' && <p>{t('file.reading', { name: state.name })}</p>}
        {state.state === 'read' && (
          <p>
            <b>{state.name}</b>: {t('file.features', { n: state.preview.features })},{' '}
            {t('download.points', { n: state.preview.points })}, {size(state.bytes)},{' '}
            {t('file.readAs', { format: state.preview.format })}
          </p>
        )}
      </div>
      {state.state === 'failed' &&
        (state.failure instanceof SeveralLayers ? (
          <div class="flag" role="alert">
            <p>{state.failure.message}</p>
            <p class="row">
              {state.failure.layers.map((layer) => (
                <button key={layer} type="button" class="quiet" onClick={() => setOptions({ ...options, layer })}>
                  {layer}
                </button>
              ))}
            </p>
          </div>
        ) : (
          <>
            <Problem failure={state.failure} />
            {state.failure.message.includes('--crs') && (
              <p>{t('file.nameSystem', { field: t('word.referenceSystem') })}</p>
            )}
            {state.failure.message.includes('--crs') && systemsIn(state.failure.message).length > 0 && (
              <Systems
                files={files}
                options={options}
                codes={systemsIn(state.failure.message)}
                onChoose={(crs) => setOptions({ ...options, crs })}
              />
            )}
            {/\.(?:csv|tsv)$/i.test(name) && (
              <p>
                {t('file.tableAsFigures')} <a href={href('/figures')}>{t('page.figures')}</a>
              </p>
            )}
          </>
        ))}
      {state.state === 'read' && (
        <>
          <Read preview={state.preview} />
          <Compare
            key={`compare ${name}`}
            files={files}
            format={state.preview.format}
            columns={state.preview.columns}
            options={options}
          />
          <Convert key={`convert ${name}`} files={files} features={state.preview.features} options={options} />
          <Keep
            key={name}
            files={files}
            format={state.preview.format}
            columns={state.preview.columns}
            options={options}
          />
          {account?.operator ? (
            <Import
              key={`import ${name}`}
              files={files}
              format={state.preview.format}
              options={options}
              recipe={recipe ?? ''}
            />
          ) : (
            <section aria-label={t('file.useIt')}>
              <h2>{t('file.useIt')}</h2>
              <Copied rows={[[t('file.importAsOperator'), importCommand(name, recipe ?? '', options)]]} />
            </section>
          )}
        </>
      )}
    </div>
  );
}

/** Draws the shapes of a file, and shows where they are. */
function useDrawn(atlas: Atlas | null, preview: Preview | null): void {
  useEffect(() => {
    if (!atlas || !preview) return;
    atlas.show('chosen', preview.shapes);
    const [west, south, east, north] = preview.box ?? [];
    if (west !== undefined && south !== undefined && east !== undefined && north !== undefined)
      atlas.fit({ west, south, east, north }, true);
    return () => atlas.show('chosen', null);
  }, [atlas, preview]);
}

/** What is left out of a file, or is not on the map. */
function leftOut({ features, areas, misplaced, left, heights, layers, shapes }: Preview): string[] {
  const drawn = shapes.features.length;
  return [
    ...(left > 0 ? [t('file.pointsAndLines', { n: left })] : []),
    ...(heights ? [t('file.heights')] : []),
    ...(layers.length > 1 ? [t('file.layers', { names: layers.join(', ') })] : []),
    ...(areas === 0 ? [t('file.noArea')] : []),
    ...(areas > 0 && areas < features ? [t('file.haveNoArea', { n: features - areas })] : []),
    ...(misplaced > 0 ? [t('file.misplaced', { n: misplaced })] : []),
    ...(drawn < areas ? [t('file.mapShows', { n: areas, drawn })] : []),
  ];
}

function Read({ preview }: { preview: Preview }): JSX.Element {
  const { notices, columns, moreColumns, rows, features } = preview;
  const own = leftOut(preview);
  return (
    <>
      <section aria-label={t('file.whatIsToBe')}>
        <h2>{t('file.whatIsToBe')}</h2>
        {notices.length + own.length === 0 ? (
          <p class="soft">{t('file.itsCoordinatesAreDegrees')}</p>
        ) : (
          <ul>
            {own.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {notices.map((notice) => (
              <li key={notice} lang="en">
                {notice}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label={t('file.itsTable')}>
        <h2>
          {t('file.itsTable')} <span class="soft">{t('word.rows', { n: features })}</span>
        </h2>
        {columns.length === 0 ? (
          <p class="nothing">{t('file.itHasNoAttributes')}</p>
        ) : (
          <Wide label={t('file.attributesOfTheFile')}>
            <table class="table">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, i) => (
                  <tr key={i}>
                    {row.map((value, k) => (
                      <td key={columns[k]}>{value}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
        )}
        {rows.length < features && columns.length > 0 && (
          <p class="soft small">{t('word.firstOf', { shown: rows.length, total: features })}</p>
        )}
        {moreColumns > 0 && <p class="soft small">{t('file.moreColumns', { n: moreColumns })}</p>}
      </section>
    </>
  );
}
