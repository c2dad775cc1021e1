import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
const KEY = 'boundary-theme';

function chosen(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    // Storage may be disabled.
    return null;
  }
}

const listeners = new Set<() => void>();
let choice = chosen();

/** The theme of the page. */
export const currentTheme = (): Theme => choice ?? (dark.matches ? 'dark' : 'light');

function apply(): void {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
  for (const listener of listeners) listener();
}
apply();
dark.addEventListener('change', apply);

/** Switches to the other theme; forgets the choice when it equals the system theme. */
export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  choice = next === (dark.matches ? 'dark' : 'light') ? null : next;
  try {
    if (choice) localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, it applies to this page only.
  }
  apply();
}

/** The current theme. */
export function useTheme(): Theme {
  const [shown, set] = useState(currentTheme);
  useEffect(() => {
    const listener = (): void => set(currentTheme());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}
