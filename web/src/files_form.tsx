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
/** The details of an area, as they are offered. */
export const DETAILS = ['low', 'medium', 'high', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** How a file is to be. */
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
 * Downloads the area that a POST to `path` makes, as `stem.format`: GeoJSON is the answer itself, other formats are files
 * that the answer names. Throws what ask() throws.
 */
export async function downloadMade(path: string, input: object, choice: Choice, stem: string): Promise<void> {
  const body = { ...input, ...choice };
  const name = `${stem}.${choice.format}`;
  if (choice.format === 'geojson') return save(path, { method: 'POST', body }, name);
  const { url } = await ask<{ url: string }>(path, { method: 'POST', body });
  const link = document.createElement('a');
  // Below our own address, whatever the service is called elsewhere.
  link.href = at(`v1/exports/${url.split('/').at(-1)}`);
  link.download = name;
  link.click();
}

/** The files of an area, folded: downloads them in a format and detail, or keeps them in the library. */
export function FilesForm({
  label = 'Download',
  download,
  keep,
  full = true,
  children,
}: {
  label?: string;
  download: (choice: Choice) => Promise<void>;
  /** What the library keeps (save_file), beside the format and the detail. */
  keep: object;
  /** Whether there is a choice, and the library, to offer: both need an account. */
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
