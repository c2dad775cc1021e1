import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import type { Failure } from '../api.ts';
import type { Corner } from '../drawing/inside.ts';
import type { PathDrawing } from '../drawing/path.ts';
import { type DrawingState, PathControls } from '../drawing/path_controls.tsx';
import { day } from '../format.ts';
import { t } from '../language.ts';
import type { PanelProps } from '../panel.ts';
import { asFailure, Problem, Show, useLoad } from '../ui.tsx';
import { colorsOf } from '../union/groups.ts';
import type { Opened } from './area_set.ts';
import { type Drawn, drawnOf, MOST_EDITED, saveAreas, withArea, withSplit } from './edits.ts';

/** What was drawn, and what the areas were before. */
interface History {
  readonly past: readonly (readonly Drawn[])[];
  readonly now: readonly Drawn[];
  readonly future: readonly (readonly Drawn[])[];
}

/** Draws areas, and splits them by lines, in a set that was not made from groups. */
export function Editor({
  opened,
  atlas,
  again,
}: {
  opened: Opened;
  atlas: PanelProps['atlas'];
  again: (said?: string) => void;
}): JSX.Element {
  const isFew = opened.areas.length <= MOST_EDITED;
  const shapes = useLoad(
    isFew ? `shapes ${opened.set.name} ${opened.newest} ${opened.version.valid_from}` : null,
    (signal) => drawnOf(opened, signal),
  );
  if (!isFew) {
    return <p class="soft small">{t('sets.mostEdited', { n: MOST_EDITED })}</p>;
  }
  return (
    <Show of={shapes} lines={3}>
      {(areas) => <Tools opened={opened} areas={areas} atlas={atlas} again={again} />}
    </Show>
  );
}

/** Draws a path, with its controls. */
export function usePath(atlas: PanelProps['atlas']) {
  const [drawing, setDrawing] = useState<DrawingState | null>(null);
  const path = useRef<PathDrawing | null>(null);
  useEffect(() => () => path.current?.cancel(), []);
  const draw = async (closed: boolean, use: (corners: readonly Corner[]) => void): Promise<void> => {
    path.current?.cancel();
    if (!atlas) return;
    const made = atlas.path({
      closed,
      onChange: (corners, problem) => setDrawing({ corners: corners.length, problem }),
    });
    path.current = made;
    const corners = await made.done;
    if (path.current !== made) return;
    path.current = null;
    setDrawing(null);
    atlas.clearPath();
    if (corners) use(corners);
  };
  return { draw, controls: drawing && <PathControls drawing={drawing} path={path} /> };
}

function Tools({
  opened: { set, version, newest },
  areas,
  atlas,
  again,
}: {
  opened: Opened;
  areas: readonly Drawn[];
  atlas: PanelProps['atlas'];
  again: (said?: string) => void;
}): JSX.Element {
  const [history, setHistory] = useState<History>({ past: [], now: areas, future: [] });
  const [chosen, setChosen] = useState(areas[0]?.code ?? '');
  const [name, setName] = useState('');
  const [said, say] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const [from, setFrom] = useState(version.valid_from);
  const { busy, failure, run } = useAction(() => undefined);
  const { draw, controls } = usePath(atlas);
  const { past, now, future } = history;
  const edit = (work: (areas: readonly Drawn[]) => readonly Drawn[], what: string): void => {
    setProblem(null);
    try {
      const next = work(now);
      setHistory({ past: [...past, now], now: next, future: [] });
      say(what);
    } catch (error) {
      setProblem(asFailure(error));
    }
  };
  const step = (next: History, what: string): void => {
    setHistory(next);
    say(what);
  };
  useEffect(() => {
    if (past.length === 0 && future.length === 0) return atlas?.show('groups', null);
    const color = colorsOf(now.map((one) => one.name));
    const features = now.map(({ code, name: label, geometry }) => ({
      ...{ type: 'Feature' as const, geometry },
      properties: { id: code, name: label, color: color(label) },
    }));
    atlas?.show('groups', { type: 'FeatureCollection', features });
  }, [atlas, now]);
  const save = (): Promise<boolean> =>
    run(async () => {
      const replace = set.versions.some(({ valid_from }) => valid_from === from);
      await saveAreas(now, { name: set.name, from, replace, base: newest, made: version });
      again(t('sets.savedFrom', { day: day(from) }));
    });
  const before = past.at(-1);
  const [after] = future;
  return (
    <section aria-label={t('sets.drawAndSplit')}>
      <h2>{t('sets.drawAndSplit')}</h2>
      <div class="fields">
        <label>
          {t('sets.nameOfNewArea')}
          <input
            value={name}
            maxLength={100}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button
          type="button"
          class="quiet"
          disabled={!atlas}
          onClick={() => {
            const label = name.trim() || t('word.area');
            void draw(true, (corners) =>
              edit((all) => withArea(all, label, corners), t('sets.wasDrawn', { name: label })),
            );
          }}
        >
          {t('sets.drawArea')}
        </button>
      </div>
      <div class="fields">
        <label class="grow">
          {t('sets.areaToSplit')}
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            {now.map(({ code, name: label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          disabled={!atlas}
          onClick={() => {
            const label = now.find(({ code }) => code === chosen)?.name ?? '';
            void draw(false, (corners) =>
              edit((all) => withSplit(all, chosen, corners), t('sets.wasSplit', { name: label })),
            );
          }}
        >
          {t('sets.splitByLine')}
        </button>
      </div>
      {controls}
      {problem && <Problem failure={problem} />}
      <p class="row">
        <button
          type="button"
          class="quiet small"
          aria-disabled={before === undefined || busy}
          onClick={() =>
            before &&
            !busy &&
            step({ past: past.slice(0, -1), now: before, future: [now, ...future] }, t('sets.undone'))
          }
        >
          {t('sets.undoDrawing')}
        </button>
        <button
          type="button"
          class="quiet small"
          aria-disabled={after === undefined || busy}
          onClick={() =>
            after && !busy && step({ past: [...past, now], now: after, future: future.slice(1) }, t('sets.doneAgain'))
          }
        >
          {t('sets.redoDrawing')}
        </button>
        <span class="soft small" role="status">
          {said} {t('sets.areas', { n: now.length })} {t('sets.changesNotSaved', { n: past.length })}
        </span>
      </p>
      {past.length > 0 && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void save();
          }}
        >
          <label>
            {t('word.validFrom')}
            <input type="date" required value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
          </label>
          <button type="submit" aria-disabled={busy}>
            {t('sets.saveDrawn')}
          </button>
        </form>
      )}
      {failure && <Problem failure={failure} again={save} />}
    </section>
  );
}
