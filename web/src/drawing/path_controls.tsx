import type { ComponentChildren, JSX } from 'preact';
import { t } from '../language.ts';

import type { PathDrawing } from './path.ts';

/** How far a drawing is. */
export interface DrawingState {
  readonly corners: number;
  /** Why it cannot be finished. */
  readonly problem: string | null;
}

/** How to draw by corners, how far that is, and the buttons for what has keys. `children`: what is known of it. */
export function PathControls({
  drawing: { corners, problem },
  path,
  children,
}: {
  drawing: DrawingState;
  path: { readonly current: PathDrawing | null };
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="drawing">
      <p class="soft small">{t('draw.aDoubleClickEnds')}</p>
      <p role="status">
        {corners === 0 ? t('draw.clickTheMapFor') : `${t('draw.points', { n: corners })} ${problem ?? ''}`} {children}
      </p>
      <p class="row">
        <button type="button" class="small" aria-disabled={problem !== null} onClick={() => path.current?.finish()}>
          {t('draw.finish')}
        </button>
        <button
          type="button"
          class="quiet small"
          aria-disabled={corners === 0}
          onClick={() => path.current?.removeLast()}
        >
          {t('draw.removeLastPoint')}
        </button>
        <button type="button" class="quiet small" onClick={() => path.current?.cancel()}>
          {t('word.cancel')}
        </button>
      </p>
    </div>
  );
}
