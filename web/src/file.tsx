import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Preview } from '../reading/model.ts';
import type { Failure } from './api.ts';
import type { Atlas } from './atlas.ts';
import { drop, onDropped, readFiles } from './file/dropped.ts';
import { Keep } from './file/keep.tsx';
import { count, plural, size } from './format.ts';
import type { PanelProps } from './map_page.tsx';
import { Copied, quoted } from './share.tsx';
import { asFailure, Problem, Wide } from './ui.tsx';

type State =
  | { readonly state: 'none' }
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'read'; readonly name: string; readonly bytes: number; readonly preview: Preview }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Shows a file of any format on the map, with its table and what is wrong with it. Nothing leaves the browser. */
export default function FilePanel({ atlas, click }: PanelProps): JSX.Element {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [options, setOptions] = useState<{ readonly layer?: string; readonly crs?: string }>({});
  const [state, setState] = useState<State>({ state: 'none' });
  const running = useRef<AbortController | null>(null);
  click.current = () => undefined;
  useEffect(() => {
    document.title = 'A file on the map · Boundary Lookup';
    return onDropped((dropped) => {
      setOptions({});
      setFiles(dropped);
    });
  }, []);
  useEffect(() => {
    const [first] = files;
    if (!first) return;
    const stop = new AbortController();
    running.current = stop;
    setState({ state: 'reading', name: first.name });
    readFiles(files, options, stop.signal).then(
      (preview) => {
        const bytes = files.reduce((sum, file) => sum + file.size, 0);
        if (!stop.signal.aborted) setState({ state: 'read', name: first.name, bytes, preview });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ state: 'failed', failure: asFailure(error) });
      },
    );
    return () => stop.abort();
  }, [files, options]);
  useDrawn(atlas, state.state === 'read' ? state.preview : null);
  const name = files[0]?.name ?? '';
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>A file on the map</h1>
      <p>
        Drop a file anywhere on this page: GeoJSON, TopoJSON, Shapefile (as a zip, or its files together), GeoPackage,
        FlatGeobuf, GeoParquet, KML, GML, WKT or CSV with WKT. It is read in your browser and is not sent anywhere
        unless you save it.
      </p>
      <label class="wide">
        Or choose one
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
          <label>
            Layer
            <input name="layer" size={10} maxLength={200} />
          </label>
          <label>
            Reference system
            <input name="crs" size={10} maxLength={200} placeholder="EPSG:25830" />
          </label>
          <button type="submit" class="quiet">
            Read again
          </button>
        </form>
      )}
      <div role="status">
        {state.state === 'reading' && <p>Reading {state.name}…</p>}
        {state.state === 'read' && (
          <p>
            <b>{state.name}</b>: {plural(state.preview.features, 'feature')}, {plural(state.preview.points, 'point')},{' '}
            {size(state.bytes)}, read as {state.preview.format}.
          </p>
        )}
      </div>
      {state.state === 'failed' && <Problem failure={state.failure} />}
      {state.state === 'read' && (
        <>
          <Read preview={state.preview} name={name} />
          <Keep
            key={name}
            files={files}
            format={state.preview.format}
            columns={state.preview.columns}
            options={options}
          />
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

function Read({ preview, name }: { preview: Preview; name: string }): JSX.Element {
  const { notices, columns, moreColumns, rows, features } = preview;
  const stem = name.replace(/\.[^.]*$/, '');
  const ways: readonly (readonly [string, string])[] = [
    ['Convert', `boundary convert ${quoted(name)} ${quoted(`${stem}.gpkg`)}`],
    ['Import, as operator', `boundary import ${quoted(name)}`],
  ];
  return (
    <>
      <section aria-label="What is to be known of it">
        <h2>What is to be known of it</h2>
        {notices.length === 0 ? (
          <p class="soft">Its coordinates are degrees on WGS 84. Nothing was left out.</p>
        ) : (
          <ul>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Its table">
        <h2>
          Its table <span class="soft">{plural(features, 'row')}</span>
        </h2>
        {columns.length === 0 ? (
          <p class="nothing">It has no attributes.</p>
        ) : (
          <Wide label="Attributes of the file">
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
          <p class="soft small">
            The first {count(rows.length)} of {count(features)} rows.
          </p>
        )}
        {moreColumns > 0 && <p class="soft small">{plural(moreColumns, 'more column')} not shown.</p>}
      </section>
      <section aria-label="Use it">
        <h2>Use it</h2>
        <Copied rows={ways} />
      </section>
    </>
  );
}
