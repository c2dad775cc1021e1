import type { ComponentChildren, JSX } from 'preact';
import { plural } from '../format.ts';
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
      <p class="soft small">
        A double click ends. With keys: arrows move the map, Space adds its middle, Backspace takes a point back, Enter
        ends, Escape cancels.
      </p>
      <p role="status">
        {corners === 0 ? 'Click the map for each point.' : `${plural(corners, 'point')}. ${problem ?? ''}`} {children}
      </p>
      <p class="row">
        <button type="button" class="small" aria-disabled={problem !== null} onClick={() => path.current?.finish()}>
          Finish
        </button>
        <button
          type="button"
          class="quiet small"
          aria-disabled={corners === 0}
          onClick={() => path.current?.removeLast()}
        >
          Remove last point
        </button>
        <button type="button" class="quiet small" onClick={() => path.current?.cancel()}>
          Cancel
        </button>
      </p>
    </div>
  );
}
