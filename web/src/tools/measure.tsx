import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Atlas } from '../atlas.ts';
import type { Corner } from '../drawing/inside.ts';
import type { PathDrawing } from '../drawing/path.ts';
import { type DrawingState, PathControls } from '../drawing/path_controls.tsx';
import { area, count, length } from '../format.ts';
import { t } from '../language.ts';
import { areaOf, curved, lengthOf } from './geodesic.ts';

type What = 'distance' | 'area';

const lengthText = (meters: number): string =>
  meters < 1000 ? `${count(Math.round(meters))} m` : length(meters / 1000);
const areaText = (m2: number): string => (m2 < 100_000 ? `${count(Math.round(m2))} m²` : area(m2 / 1e6));

/** What was measured, in words; null with too few points. */
function measured(what: What, corners: readonly Corner[]): string | null {
  if (what === 'distance')
    return corners.length < 2 ? null : t('tools.distanceIs', { length: lengthText(lengthOf(corners)) });
  if (corners.length < 3) return null;
  const { m2, perimeter } = areaOf(corners);
  return t('tools.areaIs', { area: areaText(m2), perimeter: lengthText(perimeter) });
}

/** Measures what is drawn on the map by its corners: a distance or an area, on the ellipsoid. */
export default function Measure({ atlas, close }: { atlas: Atlas; close: () => void }): JSX.Element {
  const [what, setWhat] = useState<What>('distance');
  const [corners, setCorners] = useState<readonly Corner[]>([]);
  const [drawing, setDrawing] = useState<DrawingState | null>(null);
  const path = useRef<PathDrawing | null>(null);
  const again = useRef<HTMLButtonElement>(null);
  const start = async (next: What): Promise<void> => {
    setWhat(next);
    const made = atlas.path({
      closed: next === 'area',
      edges: curved,
      onChange(drawn, problem) {
        setCorners(drawn);
        setDrawing({ corners: drawn.length, problem });
      },
    });
    path.current = made;
    const result = await made.done;
    if (path.current !== made) return;
    path.current = null;
    setDrawing(null);
    setCorners(result ?? []);
  };
  useEffect(() => {
    void start('distance');
    return () => {
      path.current = null;
      atlas.clearPath();
    };
  }, []);
  const wasDrawing = useRef(false);
  useEffect(() => {
    if (wasDrawing.current && !drawing) again.current?.focus();
    wasDrawing.current = drawing !== null;
  }, [drawing]);
  const text = corners.length > 0 ? (measured(what, corners) ?? '') : '';
  return (
    <section class="measuring" aria-label={t('tools.measure')}>
      <p class="row">
        {(['distance', 'area'] as const).map((one) => (
          <button key={one} type="button" class="quiet small" aria-pressed={what === one} onClick={() => start(one)}>
            {one === 'distance' ? t('tools.distance') : t('word.area')}
          </button>
        ))}
        <button type="button" class="quiet small" onClick={close}>
          {t('word.close')}
        </button>
      </p>
      {drawing ? (
        <PathControls drawing={drawing} path={path}>
          <b>{text}</b>
        </PathControls>
      ) : (
        <>
          <p role="status">{text === '' ? t('tools.nothingIsMeasured') : <b>{text}</b>}</p>
          <p class="row">
            <button ref={again} type="button" class="small" onClick={() => start(what)}>
              {t('tools.measureAgain')}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
