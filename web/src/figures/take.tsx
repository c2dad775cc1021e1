import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask } from '../api.ts';
import { type Made, make, saveMade } from '../download/made.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';
import { useAccount } from '../session.ts';
import { Copy, Problem, SignIn, useLoad } from '../ui.tsx';
import type { Areas } from './classed.ts';
import type { How } from './matching.ts';
import { plainly } from './numerals.ts';
import type { Figures } from './state.ts';
import { csvOf, type Table } from './table.ts';

/** Boundaries of a map per unit. */
const FOR_A_UNIT = 10;

const PICTURES = ['svg', 'png', 'pdf'] as const;

/** A name of a file: the title without what a file's name cannot have everywhere. */
const fileName = (title: string, extension: string): string => {
  const words = title.split(/[^\p{L}\p{N}.,_-]/u).filter((word) => word !== '');
  return `${words.join(' ').slice(0, 100) || 'figures'}.${extension}`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The markup that shows a picture on another page. */
function embedOf(url: string, svg: string, title: string): string {
  const [, width = '960', height = '640'] = /^<svg[^>]*? width="(\d+)"[^>]*? height="(\d+)"/.exec(svg) ?? [];
  return `<iframe src="${escaped(url)}" title="${escaped(title)}" width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%;height:auto;aspect-ratio:${width}/${height}"></iframe>`;
}

/** The downloads of a map of figures, and the markup to embed it. */
export function Take({
  figures,
  table,
  areas,
  how,
}: {
  figures: Figures;
  table: Table;
  areas: Areas['areas'];
  how: readonly How[] | null;
}): JSX.Element {
  const account = useAccount();
  const usage = useLoad(account ? 'usage' : null, (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const isLimited = usage.state === 'done' && usage.value.limit !== null;
  const [said, say] = useState('');
  const [embed, setEmbed] = useState('');
  const { busy, failure, run } = useAction(() => undefined);
  const stop = useRef(new AbortController());
  const { text: _, ids: _ids, decimal: _sign, value, ...style } = figures;
  const title = figures.title.trim() || value;

  const picture = (format: (typeof PICTURES)[number]): Promise<Made> => {
    const rows = areas.map((area) => ({ id: area.id, value: area.value }));
    return make({ op: 'draw_map', input: { ...style, title, rows, format } }, stop.current.signal);
  };
  const save = (made: Made, extension: string): void => {
    const name = fileName(title, extension);
    saveMade(made, name);
    say(`${name}, ${size(made.bytes)}.`);
  };
  const saveText = (text: string, type: string, extension: string): void => {
    const blob = new Blob([text], { type });
    save({ blob, bytes: blob.size, href: null, leftOut: 0 }, extension);
  };
  /** The rows that are drawn, with their ids, and figures as numbers. */
  const joined = (): string => {
    const at = table.columns.indexOf(value);
    const kept = [...table.columns.keys()].filter((i) => !/^match(?:_|$)/.test(table.columns[i] ?? ''));
    const plain = table.columns.map((name) => plainly(table, name));
    const rows = areas.map(({ id, value: figure, row }) => {
      const cells = table.rows[row]?.cells ?? [];
      return [...kept.map((i) => (i === at ? String(figure ?? '') : (plain[i]?.(cells[i] ?? '') ?? ''))), id];
    });
    return csvOf([[...kept.map((i) => table.columns[i] ?? ''), 'match_id'], ...rows]);
  };
  const geojson = async (): Promise<void> => {
    const input = { csv: joined(), id_column: 'match_id', format: 'geojson' };
    save(await make({ op: 'join', input }, stop.current.signal), 'geojson');
  };
  const csv = (): void => {
    const isAdded = (name: string): boolean => name === 'match_id' || name === 'match';
    const kept = [...table.columns.keys()].filter((i) => !isAdded(table.columns[i] ?? ''));
    const rows = table.rows.map(({ cells }, i) => {
      const id = figures.ids[i] ?? '';
      return [...kept.map((at) => cells[at] ?? ''), id, how?.[i] ?? (id ? 'given' : 'not_found')];
    });
    saveText(csvOf([[...kept.map((i) => table.columns[i] ?? ''), 'match_id', 'match'], ...rows]), 'text/csv', 'csv');
  };
  const embedded = async (): Promise<void> => {
    if (areas.some(({ id }) => id.startsWith('set:'))) return say(t('figures.noAddress'));
    const { href } = await picture('svg');
    if (href === null) return;
    setEmbed(embedOf(href, await (await fetch(href)).text(), title));
  };
  const units = (n: number): string => (isLimited ? ` (${t('download.units', { n })})` : '');
  const ofMap = units(Math.ceil(areas.length / FOR_A_UNIT));
  const act = (label: string, work: () => Promise<void> | void): JSX.Element => (
    <button type="button" class="quiet" aria-disabled={busy} onClick={() => run(async () => work())}>
      {label}
    </button>
  );
  return (
    <section aria-label={t('figures.takeItAway')}>
      <h2>{t('figures.takeItAway')}</h2>
      <p class="row">
        {account &&
          PICTURES.map((format) =>
            act(`${format.toUpperCase()}${ofMap}`, async () => save(await picture(format), format)),
          )}
        {act('CSV', csv)}
        {account && act(`GeoJSON${units(areas.length)}`, geojson)}
        {act(t('figures.fileToOpenHere'), () => saveText(JSON.stringify(figures), 'application/json', 'figures.json'))}
      </p>
      <p class="small" role="status">
        {busy ? t('word.working') : said}
      </p>
      {account === null && <SignIn>{t('figures.signInPictures')}</SignIn>}
      {failure && <Problem failure={failure} />}
      {account && (
        <details class="fold">
          <summary>{t('figures.embedItInA')}</summary>
          <p class="small">{t('figures.theServiceKeepsThe')}</p>
          <p class="row">{act(`${t('figures.makeMarkup')}${ofMap}`, embedded)}</p>
          {embed && (
            <dl class="ways">
              <div>
                <dt>{t('figures.markup')}</dt>
                <dd>
                  <code>{embed}</code>
                  <Copy text={embed} />
                </dd>
              </div>
            </dl>
          )}
        </details>
      )}
    </section>
  );
}
