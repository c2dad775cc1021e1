import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from './language.ts';

/** Whether boundaries are shown, merged and downloaded as they are mapped, with their sea, or their land only. */
export type Ground = 'all' | 'land';

const KEY = 'boundary-area';

function stored(): Ground {
  try {
    return localStorage.getItem(KEY) === 'land' ? 'land' : 'all';
  } catch {
    // Storage may be disabled.
    return 'all';
  }
}

const listeners = new Set<() => void>();
let choice = stored();

/** What was chosen last. */
export const ground = (): Ground => choice;

/** The parameters of a call for it. */
export const askedFor = (of: Ground): { readonly area?: 'land' } => (of === 'land' ? { area: 'land' } : {});

function choose(next: Ground): void {
  choice = next;
  try {
    if (next === 'land') localStorage.setItem(KEY, next);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, it applies to this page only.
  }
  for (const listener of listeners) listener();
}

/** What is chosen now. */
export function useGround(): Ground {
  const [shown, set] = useState(choice);
  useEffect(() => {
    const listener = (): void => set(choice);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}

const LABELS = { all: 'download.all', land: 'download.land' } as const;

/** Switches between boundaries as they are mapped and their land. */
export function GroundSwitch(): JSX.Element {
  const shown = useGround();
  return (
    <fieldset class="row groups ground">
      <legend class="soft small">{t('download.area')}</legend>
      {(['all', 'land'] as const).map((one) => (
        <button key={one} type="button" class="quiet small" aria-pressed={one === shown} onClick={() => choose(one)}>
          {t(LABELS[one])}
        </button>
      ))}
    </fieldset>
  );
}
