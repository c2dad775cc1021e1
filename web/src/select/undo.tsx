import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../language.ts';
import { currentRoute, go } from '../route.ts';
import { codesIn, readSelection } from './chosen.ts';

/** Most changes that can be undone. */
const MOST = 100;

/** The states before and after the current one. */
interface Steps {
  readonly past: readonly string[];
  readonly now: string;
  readonly future: readonly string[];
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, input:not([type=checkbox], [type=range])');

/** Goes to the address of the page with another fragment. */
function goToFragment(fragment: string): void {
  const search = currentRoute().query.size > 0 ? location.search : '';
  go(location.pathname + search + (fragment === '' ? '' : `#${fragment}`));
}

/**
 * Undo and redo of every change of a selection in the address, by buttons and by Ctrl+Z and Ctrl+Y.
 * @param state the selection as a text, by default the fragment of the address; `goTo` shows another
 * @param held whether nothing can be undone for now; `onStep` gets what was done, as a text
 */
export function UndoRedo({
  state,
  goTo = goToFragment,
  held = false,
  onStep = () => undefined,
}: {
  state: string;
  goTo?: (state: string) => void;
  held?: boolean;
  onStep?: (said: string) => void;
}): JSX.Element {
  const [{ past, now, future }, setSteps] = useState<Steps>({ past: [], now: state, future: [] });
  useEffect(() => {
    if (state === now) return;
    // Codes become the ids of their boundaries: the selection does not change.
    const isSame = codesIn(readSelection(now)).length > 0;
    setSteps({ past: isSame ? past : [...past, now].slice(-MOST), now: state, future: [] });
  }, [state]);
  const show = (steps: Steps, said: string): void => {
    setSteps(steps);
    goTo(steps.now);
    onStep(said);
  };
  const undo = (): void => {
    const before = past.at(-1);
    if (before !== undefined && !held) {
      show({ past: past.slice(0, -1), now: before, future: [now, ...future] }, t('select.undone'));
    }
  };
  const redo = (): void => {
    const [after, ...rest] = future;
    if (after !== undefined && !held) show({ past: [...past, now], now: after, future: rest }, t('select.redone'));
  };
  // Before the page is painted, which may take a while: a key that follows at once is of the steps that are shown.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isTextField(event.target)) return;
      const key = event.key.toLowerCase();
      const act = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return (
    <>
      <button
        type="button"
        class="quiet small"
        aria-disabled={held || past.length === 0}
        aria-keyshortcuts="Control+Z"
        onClick={undo}
      >
        {t('select.undo')}
      </button>
      <button
        type="button"
        class="quiet small"
        aria-disabled={held || future.length === 0}
        aria-keyshortcuts="Control+Y"
        onClick={redo}
      >
        {t('select.redo')}
      </button>
    </>
  );
}
