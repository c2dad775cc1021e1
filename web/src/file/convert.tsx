import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Converted } from '../../reading/preview.ts';
import { useAction } from '../actions.tsx';
import { saveBlob } from '../api.ts';
import { extensionOf, FORMATS, isCollection } from '../download/formats.ts';
import { size } from '../format.ts';
import { t, textOr } from '../language.ts';
import { Copied } from '../share.tsx';
import { quoted } from '../shell.ts';
import { Problem } from '../ui.tsx';
import { convertFiles, flagsOf, NOT_VALID, nameOf, type Unsaid } from './dropped.ts';

/** Tiles take kernels that a page does not load. */
const NOT_HERE = 'pmtiles';

interface Made extends Pick<Converted, 'features' | 'empty' | 'left' | 'collapsed' | 'changes' | 'repairs'> {
  readonly name: string;
  readonly bytes: number;
}

/** Converts the file in the browser, saves the result, and says what of the file is not in it. */
export function Convert({
  files,
  features,
  options,
}: {
  files: readonly File[];
  features: number;
  options: Unsaid;
}): JSX.Element {
  const file = nameOf(files);
  const [format, setFormat] = useState(/\.gpkg$/i.test(file) ? 'geojson' : 'geopackage');
  const [merge, setMerge] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    // What was saved, or is being made, is of the file before.
    return () => {
      stop.current?.abort();
      setMade(null);
    };
  }, [files, options]);
  const isOne = merge || features === 1;
  const formats = Object.keys(FORMATS).filter((one) => one !== NOT_HERE && (isOne || isCollection(one)));
  const chosen = formats.includes(format) ? format : 'geojson';
  const stem = file.replace(/\.[^.]*$/, '');
  const name = `${stem}.${extensionOf(chosen)}`;
  const convert = (repair: boolean): Promise<boolean> =>
    run(async () => {
      setMade(null);
      const stopping = new AbortController();
      stop.current = stopping;
      const wanted = { format: chosen, merge, repair };
      const converted = await convertFiles(files, { ...options, wanted }, stopping.signal).catch((error: unknown) => {
        if (stopping.signal.aborted) return null;
        throw error;
      });
      if (converted === null) return;
      const { bytes, ...about } = converted;
      saveBlob(new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      setMade({ ...about, name, bytes: bytes.byteLength });
    });
  const input = quoted(file);
  const command = `boundary convert ${input} ${quoted(name)}${merge ? ' --dissolve' : ''}${flagsOf(options)}`;
  return (
    <section aria-label={t('file.convert')}>
      <h2>{t('file.convert')}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void convert(false);
        }}
      >
        <label>
          {t('download.format')}
          <select value={chosen} onChange={(event) => setFormat(event.currentTarget.value)}>
            {formats.map((one) => (
              <option key={one} value={one}>
                {textOr(`format.${one}`, FORMATS[one]?.label ?? one)}
              </option>
            ))}
          </select>
        </label>
        {features > 1 && (
          <label class="checked">
            <input type="checkbox" checked={merge} onChange={(event) => setMerge(event.currentTarget.checked)} />
            {t('file.mergeAll')}
          </label>
        )}
        <button type="submit" aria-disabled={busy}>
          {busy ? t('file.converting') : t('file.convertAndDownload')}
        </button>
      </form>
      {failure && <Problem failure={failure} />}
      {failure?.code === NOT_VALID && (
        <p class="row">
          <button type="button" aria-disabled={busy} onClick={() => convert(true)}>
            {t('file.repair')}
          </button>
          <span class="soft small">{t('file.repairMeans')}</span>
        </p>
      )}
      <div role="status">{made && <Result made={made} />}</div>
      <Copied rows={[[t('file.asCommand'), command]]} />
    </section>
  );
}

/** What was saved, and what of the file is not in it. */
function Result({ made }: { made: Made }): JSX.Element {
  const { name, bytes, features, empty, left, collapsed, changes, repairs } = made;
  const lost = [
    ...(empty > 0 ? [t('file.withoutArea', { n: empty })] : []),
    ...(left > 0 ? [t('file.pointsAndLines', { n: left })] : []),
    ...(collapsed > 0 ? [t('file.collapsed', { n: collapsed })] : []),
  ];
  const others = [...changes, ...repairs];
  return (
    <>
      <p>
        {t('file.savedAs', { name })} {t('file.features', { n: features })}, {size(bytes)}.
      </p>
      {lost.length + others.length === 0 ? (
        <p class="soft small">{t('file.nothingLost')}</p>
      ) : (
        <ul class="small">
          {lost.map((text) => (
            <li key={text}>{text}</li>
          ))}
          {others.map((text) => (
            <li key={text} lang="en">
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
