import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask, at, type Failure, save } from './api.ts';
import { href } from './route.ts';
import { asFailure, Problem } from './ui.tsx';

const FORMATS: Readonly<Record<string, string>> = {
  geojson: 'GeoJSON',
  kml: 'KML',
  wkt: 'WKT',
  svg: 'SVG',
  gml: 'GML',
};
/** The detail levels offered for an area. */
export const DETAILS = ['low', 'medium', 'high', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** Format and detail of a file. */
export interface Choice {
  readonly format: string;
  readonly detail: Detail;
}

/** Selects for the format and the detail of a file. */
export function FileChoice({ choice, set }: { choice: Choice; set: (choice: Choice) => void }): JSX.Element {
  return (
    <>
      <label>
        Format
        <select value={choice.format} onChange={(event) => set({ ...choice, format: event.currentTarget.value })}>
          {Object.entries(FORMATS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Detail
        <select
          value={choice.detail}
          onChange={(event) => set({ ...choice, detail: event.currentTarget.value as Detail })}
        >
          {DETAILS.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      </label>
    </>
  );
}

/**
 * Downloads the area that a POST to `path` creates, as `stem.format`. GeoJSON is the response itself; for other formats
 * the response has the URL of a file.
 * @throws like ask()
 */
export async function downloadMade(path: string, input: object, choice: Choice, stem: string): Promise<unknown> {
  const body = { ...input, ...choice };
  const name = `${stem}.${choice.format}`;
  if (choice.format === 'geojson') return save(path, { method: 'POST', body }, name);
  const { url } = await ask<{ url: string }>(path, { method: 'POST', body });
  const link = document.createElement('a');
  // Use our own base path, whatever public URL the service has.
  link.href = at(`v1/exports/${url.split('/').at(-1)}`);
  link.download = name;
  link.click();
}

/** Forms to download an area in a format and detail, or to save it in the library; folded. */
export function FilesForm({
  label = 'Download',
  download,
  keep,
  full = true,
  children,
}: {
  label?: string;
  download: (choice: Choice) => Promise<unknown>;
  /** The input of save_file, except format and detail. */
  keep: object;
  /** Whether to offer the choice and the library; both need an account. */
  full?: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const [choice, setChoice] = useState<Choice>({ format: 'geojson', detail: 'medium' });
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; again: () => void } | null>(null);
  const run = async (work: () => Promise<unknown>, keeps: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailed(null);
    setSaved(false);
    try {
      await work();
      setSaved(keeps);
    } catch (error) {
      setFailed({ failure: asFailure(error), again: () => void run(work, keeps) });
    }
    setBusy(false);
  };
  const store = (): Promise<unknown> => ask('/files', { method: 'POST', body: { ...keep, ...choice } });
  return (
    <details class="fold">
      <summary>Download</summary>
      <div class="fields">
        {full && <FileChoice choice={choice} set={setChoice} />}
        <button type="button" onClick={() => run(() => download(choice), false)} aria-disabled={busy}>
          {busy ? 'Working…' : label}
        </button>
        {full && (
          <button type="button" class="quiet" onClick={() => run(store, true)} aria-disabled={busy}>
            Save to library
          </button>
        )}
      </div>
      {saved && (
        <p role="status">
          Saved. <a href={href('/library')}>Open the library</a>
        </p>
      )}
      {children}
      {failed && <Problem failure={failed.failure} again={failed.again} />}
    </details>
  );
}
