import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
const KEY = 'boundary-theme';

function chosen(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    // Storage may be switched off.
    return null;
  }
}

const listeners = new Set<() => void>();
let choice = chosen();

const theme = (): Theme => choice ?? (dark.matches ? 'dark' : 'light');

function apply(): void {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
  for (const listener of listeners) listener();
}
apply();
dark.addEventListener('change', apply);

/** Shows the other theme from now on; back at that of the system, the choice is forgotten. */
export function toggleTheme(): void {
  const next: Theme = theme() === 'dark' ? 'light' : 'dark';
  choice = next === (dark.matches ? 'dark' : 'light') ? null : next;
  try {
    if (choice) localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch {
    // It then holds for this page.
  }
  apply();
}

/** The theme that is shown. */
export function useTheme(): Theme {
  const [shown, set] = useState(theme);
  useEffect(() => {
    const listener = (): void => set(theme());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}
