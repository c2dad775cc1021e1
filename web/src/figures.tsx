import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from './actions.tsx';
import { ask, Failure } from './api.ts';
import { areasOf, type Legend, legendOf } from './figures/classed.ts';
import { type Matching, matchTable } from './figures/matching.ts';
import { Columns, Notes } from './figures/notes.tsx';
import { figureColumns, numeralsOf } from './figures/numerals.ts';
import { Settle } from './figures/settle.tsx';
import { type Figures, figuresIn, fragmentOf, PLAIN, readFigures } from './figures/state.ts';
import { classText, LegendList, StyleForm } from './figures/style_form.tsx';
import { MOST_CHARACTERS, readTable, type Table } from './figures/table.ts';
import { Take } from './figures/take.tsx';
import { onDropped } from './file/dropped.ts';
import { number, pageTitle } from './format.ts';
import { t } from './language.ts';
import { type LegendEntry, useMapLegend } from './legend.ts';
import type { PanelProps } from './panel.ts';
import { currentRoute, go } from './route.ts';
import { useAccount } from './session.ts';
import { asFailure, Problem, SignIn, useLoad } from './ui.tsx';

/** Time without a change after which the address is written, in milliseconds. */
const WAIT_MS = 300;
/** Most areas that are drawn without an account, each ten of which count as a request. */
const MOST_DRAWN = 100;
/** Characters from which the page inserts what is pasted by itself: a browser takes seconds for thousands of lines. */
const LONG_PASTE = 4000;

type Shapes = GeoJSON.FeatureCollection<GeoJSON.Polygon | GeoJSON.MultiPolygon, { id: string; name: string }>;

/** The table of figures, or null for one that cannot be read. */
function tableOf(text: string | undefined): Table | null {
  try {
    return text === undefined ? null : readTable(text);
  } catch {
    return null;
  }
}

/** The figures of the address; later ones are written to it. */
function useFigures(fragment: string): {
  readonly figures: Figures | null;
  readonly set: (figures: Figures | null) => void;
  readonly isTooLong: boolean;
  readonly failure: Failure | null;
} {
  const [figures, setFigures] = useState<Figures | null>(null);
  const [isTooLong, setTooLong] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** The fragment that was written last, or read. */
  const own = useRef('');
  useEffect(() => {
    if (fragment === own.current.slice(1)) return;
    own.current = fragment === '' ? '' : `#${fragment}`;
    figuresIn(fragment).then(
      (found) => {
        setFailure(null);
        setFigures(found);
      },
      (error: unknown) => setFailure(asFailure(error)),
    );
  }, [fragment]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const written = figures === null ? '' : await fragmentOf(figures);
      if (isOver || (figures === null && own.current === '')) return;
      setTooLong(written === null);
      own.current = written ?? '';
      const { path } = currentRoute();
      if (path === '/figures') go(location.pathname + location.search + own.current, true);
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [figures]);
  return { figures, set: setFigures, isTooLong, failure };
}

/** A table of figures by place as a map: matched, settled, classed, drawn, and taken away. */
export default function FiguresPanel({ route, atlas, click }: PanelProps): JSX.Element {
  const account = useAccount();
  const { figures, set, isTooLong, failure: unread } = useFigures(route.fragment);
  const [text, setText] = useState('');
  const [matching, setMatching] = useState<Matching | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  const [picked, setPicked] = useState<string | null>(null);
  const table = useMemo(() => tableOf(figures?.text), [figures?.text]);
  const numerals = useMemo(
    () => (table && figures ? numeralsOf(table, figures.value, figures.decimal) : null),
    [table, figures?.value, figures?.decimal],
  );
  const areas = useMemo(
    () => (table && figures && numerals ? areasOf(table, figures.ids, figures.value, numerals) : null),
    [table, figures?.ids, numerals],
  );
  const legend = useMemo<Legend | Failure | null>(() => {
    try {
      return areas && figures ? legendOf(areas.areas, figures) : null;
    } catch (error) {
      return asFailure(error);
    }
  }, [areas, figures?.classes, figures?.colors, figures?.reverse]);

  const entries: LegendEntry[] =
    legend === null || legend instanceof Failure
      ? []
      : legend.classes.map((one) => ({ color: one.color, label: classText(one) }));
  const hatched = entries.length > 0 && areas?.areas.some(({ value }) => value === null);
  useMapLegend(figures?.title ?? '', hatched ? [...entries, { color: null, label: t('figures.none') }] : entries);

  const ids = areas?.areas.map(({ id }) => id) ?? [];
  const isDrawn = ids.length > 0 && account !== undefined && (account !== null || ids.length <= MOST_DRAWN);
  const shapes = useLoad(isDrawn ? `figures ${[...ids].sort().join()}` : null, (signal) =>
    ask<Shapes>('/collections', { method: 'POST', body: { ids, detail: 'low' }, signal }),
  );
  const found = isDrawn && shapes.state === 'done' ? shapes.value : null;
  useEffect(() => {
    if (!atlas) return;
    if (!found || !areas || !legend || legend instanceof Failure) return atlas.show('figures', null);
    const values = new Map(areas.areas.map(({ id, value }) => [id, value]));
    const features = found.features.map((feature) => {
      const value = values.get(feature.properties.id) ?? null;
      const { id, name } = feature.properties;
      return { ...feature, properties: { id, name, ...(value === null ? {} : { color: legend.colorOf(value) }) } };
    });
    atlas.show('figures', { type: 'FeatureCollection', features });
  }, [atlas, found, areas, legend]);
  useEffect(() => () => atlas?.show('figures', null), [atlas]);
  useEffect(() => {
    const [west, south, east, north] = found?.bbox ?? [];
    if (west === undefined || south === undefined || east === undefined || north === undefined) return;
    if (currentRoute().query.get('map') === null) atlas?.fit({ west, south, east, north }, true);
  }, [atlas, found]);
  click.current = async ({ lat, lon }) => {
    const under = (await atlas?.under(lat, lon)) ?? [];
    setPicked(under.map(({ id }) => id).findLast((id) => ids.includes(id)) ?? null);
  };

  const start = (given: string, name: string | null = null): Promise<boolean> =>
    run(async () => {
      setText(given);
      const read = readTable(given);
      const made = await matchTable(given, name, new AbortController().signal);
      const columns = figureColumns(read).filter(
        (column) => ![made.columns.name, made.columns.code, ...made.columns.within].includes(column),
      );
      const value = columns.find((column) => !/^match|^id$/.test(column)) ?? columns[0];
      if (value === undefined) {
        const message = t('figures.noColumnBesidesThe');
        throw new Failure(message, { code: 'invalid_input' });
      }
      setMatching(made);
      setPicked(null);
      set({ ...PLAIN, text: given, ids: made.ids, value, title: value });
    });
  const open = (file: File): Promise<boolean> =>
    run(async () => {
      if (file.size > 3 * MOST_CHARACTERS) {
        throw new Failure(t('figures.fileTooLarge', { name: file.name }), { code: 'too_large' });
      }
      const content = await file.text();
      if (!file.name.endsWith('.json')) return setText(content);
      const json: unknown = await Promise.resolve(content)
        .then(JSON.parse)
        .catch(() => null);
      setMatching(null);
      set(readFigures(json));
    });
  const opened = useRef(open);
  opened.current = open;
  useEffect(() => {
    document.title = pageTitle(t('figures.title'));
    return onDropped(([file]) => {
      if (file) void opened.current(file);
    });
  }, []);
  const change = (of: Partial<Figures>): void => {
    if (figures) set({ ...figures, ...of });
  };
  const choose = (rows: readonly number[], id: string): void => {
    if (!figures) return;
    const next = [...figures.ids];
    for (const row of rows) next[row] = id;
    set({ ...figures, ids: next });
  };
  const shown = areas?.areas.find(({ id }) => id === picked);
  const pickedName = found?.features.find(({ properties }) => properties.id === picked)?.properties.name;
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>{t('figures.title')}</h1>
      {unread && <Problem failure={unread} />}
      {!figures && (
        <>
          <p>{t('figures.aTableWithA')}</p>
          {/* Before the table: who signs in by the link of a mail comes back to an empty page. */}
          {account === null && <SignIn>{t('figures.signIn')}</SignIn>}
          <label class="wide">
            {t('figures.pasteTheTableWith')}
            <textarea
              rows={8}
              spellcheck={false}
              value={text}
              placeholder={'province,density\nSevilla,140.5\nHuelva,52.1'}
              onPaste={(event) => {
                const pasted = event.clipboardData?.getData('text/plain') ?? '';
                const { selectionStart, selectionEnd } = event.currentTarget;
                if (pasted.length < LONG_PASTE) return;
                event.preventDefault();
                event.currentTarget.setRangeText(pasted, selectionStart, selectionEnd, 'end');
                setText(event.currentTarget.value);
              }}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <label class="wide">
            {t('figures.orChooseAFile')}
            <input
              type="file"
              accept=".csv,.tsv,.txt,.json,text/csv,text/plain"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void open(file);
              }}
            />
          </label>
          {account && (
            <p class="row">
              <button
                type="button"
                aria-disabled={busy || text.trim() === ''}
                onClick={() => text.trim() && start(text)}
              >
                {busy ? t('figures.matching') : t('figures.findThePlaces')}
              </button>
            </p>
          )}
        </>
      )}
      {failure && <Problem failure={failure} />}
      {figures && !table && <Problem failure={new Failure(t('figures.theTableInThis'), { code: 'invalid_input' })} />}
      {figures && table && areas && (
        <>
          <p role="status">
            {t('word.rows', { n: table.rows.length })}, {t('figures.onMap', { n: ids.length })}
          </p>
          <Notes table={table} figures={figures} areas={areas} doubt={numerals?.doubt ?? null} />
          {legend instanceof Failure ? (
            <Problem failure={legend} />
          ) : (
            legend && <LegendList legend={legend} none={areas.areas.filter(({ value }) => value === null).length} />
          )}
          {shown && (
            <p class="flag" role="status">
              <b>{pickedName ?? shown.id}</b>: {shown.value === null ? t('figures.none') : number(shown.value)}{' '}
              {figures.unit}
            </p>
          )}
          {shapes.state === 'failed' && isDrawn && <Problem failure={shapes.failure} again={shapes.again} />}
          {account === null && ids.length > MOST_DRAWN && <SignIn>{t('figures.signInMore', { n: MOST_DRAWN })}</SignIn>}
          {matching && (
            <Columns table={table} matching={matching} busy={busy} again={(name) => start(figures.text, name)} />
          )}
          {matching && (
            <Settle key={figures.text} table={table} matching={matching} ids={figures.ids} onChoose={choose} />
          )}
          <section aria-label={t('figures.howItIsDrawn')}>
            <h2>{t('figures.howItIsDrawn')}</h2>
            <StyleForm figures={figures} columns={figureColumns(table)} doubt={numerals?.doubt ?? null} set={change} />
          </section>
          <Take figures={figures} table={table} areas={areas.areas} how={matching?.how ?? null} />
          {isTooLong && (
            <p class="soft small" role="status">
              {t('figures.thisTableIsToo')}
            </p>
          )}
          <p class="row">
            <button
              type="button"
              class="quiet"
              onClick={() => {
                setMatching(null);
                set(null);
              }}
            >
              {t('figures.anotherTable')}
            </button>
          </p>
        </>
      )}
    </div>
  );
}
