import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import { t } from '../language.ts';
import { within, withinOutline } from '../union/within.ts';
import type { PathDrawing } from './path.ts';
import { type DrawingState, PathControls } from './path_controls.tsx';

const LEVELS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

type Drawing =
  | { readonly kind: 'rectangle'; readonly stop: AbortController }
  | ({ readonly kind: 'polygon' } & DrawingState);

/**
 * Chooses the admin level that a click on the map takes, and adds all boundaries of it in a rectangle or a polygon that
 * is drawn there. `onFound` gets their ids, `onFailure` why there are none; null when another is drawn.
 */
export function LevelTools({
  label,
  level,
  onLevel,
  atlas,
  onFound,
  onFailure,
}: {
  label: string;
  level: number;
  onLevel: (level: number) => void;
  atlas: Atlas | null;
  onFound: (ids: readonly string[]) => void;
  onFailure: (error: unknown) => void;
}): JSX.Element {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const polygon = useRef<HTMLButtonElement>(null);
  const path = useRef<PathDrawing | null>(null);
  useEffect(() => () => path.current?.cancel(), []);
  // It may be chosen while something is drawn.
  const chosen = useRef(level);
  chosen.current = level;
  const find = async (work: (level: number) => Promise<readonly { readonly id: string }[]>): Promise<void> => {
    onFailure(null);
    const nothing = new Failure(t('draw.noneInside', { level: chosen.current }), {
      code: 'nothing_there',
    });
    try {
      const found = await work(chosen.current);
      if (found.length === 0) throw nothing;
      onFound(found.map(({ id }) => id));
    } catch (error) {
      // The box of what was drawn has none either.
      onFailure(error instanceof Failure && error.code === 'not_found' ? nothing : error);
    }
  };
  const cancel = (): void => {
    if (drawing?.kind === 'rectangle') drawing.stop.abort();
    path.current?.cancel();
  };
  const drawRectangle = async (): Promise<void> => {
    if (drawing?.kind === 'rectangle') return drawing.stop.abort();
    cancel();
    const stop = new AbortController();
    setDrawing({ kind: 'rectangle', stop });
    const box = (await atlas?.rectangle(stop.signal)) ?? null;
    setDrawing((now) => (now?.kind === 'rectangle' && now.stop === stop ? null : now));
    if (box) await find((of) => within(box, of));
  };
  const drawPolygon = async (): Promise<void> => {
    cancel();
    if (drawing?.kind === 'polygon' || !atlas) return;
    const made = atlas.path({
      closed: true,
      onChange: (corners, problem) => setDrawing({ kind: 'polygon', corners: corners.length, problem }),
    });
    path.current = made;
    const corners = await made.done;
    if (path.current !== made) return;
    path.current = null;
    setDrawing((now) => (now?.kind === 'polygon' ? null : now));
    atlas.clearPath();
    polygon.current?.focus();
    if (corners) await find((of) => withinOutline(corners, of));
  };
  return (
    <>
      <div class="fields">
        <label>
          {label}
          <select value={level} onChange={(event) => onLevel(Number(event.currentTarget.value))}>
            {LEVELS.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          aria-pressed={drawing?.kind === 'rectangle'}
          disabled={!atlas}
          onClick={drawRectangle}
        >
          {drawing?.kind === 'rectangle' ? t('draw.drawOnTheMap') : t('draw.addAllInA')}
        </button>
        <button
          ref={polygon}
          type="button"
          class="quiet"
          aria-pressed={drawing?.kind === 'polygon'}
          disabled={!atlas}
          onClick={drawPolygon}
        >
          {t('draw.addAllInAPolygon')}
        </button>
      </div>
      {drawing?.kind === 'polygon' && <PathControls drawing={drawing} path={path} />}
    </>
  );
}
