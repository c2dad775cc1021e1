import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Preview } from '../../reading/preview.ts';
import { useAction } from '../actions.tsx';
import { ask, type Hit } from '../api.ts';
import { t } from '../language.ts';
import { Problem } from '../ui.tsx';
import { readFiles, type Unsaid } from './dropped.ts';
import { namesIn, systemByPlaces } from './names.ts';

/** The systems that a message proposes: `EPSG:25830? EPSG:25831?` */
export const systemsIn = (message: string): string[] => [...new Set(message.match(/EPSG:\d{4,6}/g) ?? [])];

/** The likely reference systems of a file that names none, to read it in; on request its names say which. */
export function Systems({
  files,
  options,
  codes,
  onChoose,
}: {
  files: readonly File[];
  options: Unsaid;
  codes: readonly string[];
  onChoose: (code: string) => void;
}): JSX.Element {
  const [said, say] = useState('');
  const { busy, failure, run } = useAction(() => undefined);
  const find = (): Promise<boolean> =>
    run(async () => {
      say('');
      const { signal } = new AbortController();
      const boxes = new Map<string, Preview['box']>();
      let names: readonly string[] = [];
      for (const crs of codes) {
        const read = await readFiles(files, { ...options, crs }, signal).catch(() => null);
        boxes.set(crs, read?.box ?? null);
        if (read && names.length === 0) names = namesIn(read);
      }
      const places = await Promise.all(
        names.map(async (q) => {
          const { items } = await ask<{ items: Hit[] }>('/boundaries/search', { query: { q, limit: 10 }, signal });
          return items.flatMap(({ centroid }) => centroid ?? []);
        }),
      );
      const code = systemByPlaces(boxes, places);
      if (code === null) say(t('file.namesDoNotSay'));
      else onChoose(code);
    });
  return (
    <>
      <p>{t('file.readIn')}</p>
      <p class="row">
        {codes.map((code) => (
          <button key={code} type="button" class="quiet" onClick={() => onChoose(code)}>
            {code}
          </button>
        ))}
      </p>
      <p class="row">
        <button type="button" class="quiet" aria-disabled={busy} onClick={() => busy || find()}>
          {busy ? t('word.working') : t('file.chooseByNames')}
        </button>
        <span class="soft small">{t('file.namesAreSent')}</span>
      </p>
      <p role="status">{said}</p>
      {failure && <Problem failure={failure} />}
    </>
  );
}
