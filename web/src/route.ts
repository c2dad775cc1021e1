import { useEffect, useState } from 'preact/hooks';

/** Where the visitor is: a page below the base of the service, and what its query says. */
export interface Route {
  /** From `/` on, without a slash at the end. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stands behind the `#`, without it: it never goes to the server, so it may be long. */
  readonly fragment: string;
}

const base = new URL(document.baseURI).pathname;

function read(): Route {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : '';
  return {
    path: `/${path.replace(/\/+$/, '')}`,
    query: new URLSearchParams(location.search),
    fragment: location.hash.slice(1),
  };
}

const listeners = new Set<() => void>();
let current = read();

function changed(): void {
  current = read();
  for (const listener of listeners) listener();
}
addEventListener('popstate', changed);
addEventListener('hashchange', changed);

/** The address of a page as a link has it. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return `${base}${path.replace(/^\//, '')}${search === '' ? '' : `?${search}`}`;
}

/** Goes to an address of the dashboard. `replace`: the one before is left out of the history. */
export function go(address: string, replace = false): void {
  if (address === location.pathname + location.search + location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  changed();
}

/** Notes something in the address without anyone being told, such as where the map was moved to. */
export function note(name: string, value: string | null): void {
  const query = new URLSearchParams(location.search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  const search = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  history.replaceState(null, '', location.pathname + (search === '' ? '' : `?${search}`) + location.hash);
  current = read();
}

/** The address as it is now, `note`s included. */
export const now = (): Route => current;

/** What sign-in remembers of an address at most. */
const MOST_NEXT = 2000;

/** Where sign-in leads back to: a fragment that is too long for it is left out. */
export function signInAddress(): string {
  const next = `/${(location.pathname + location.search).slice(base.length)}`;
  const whole = next + location.hash;
  return href('/sign-in', { next: whole.length <= MOST_NEXT ? whole : next });
}

/** The current route; the component is drawn again when it changes. */
export function useRoute(): Route {
  const [route, set] = useState(current);
  useEffect(() => {
    const listener = (): void => set(current);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return route;
}

/** Links of ours change the page without loading it again; with a modifier key they do what links do. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.dataset.plain !== undefined) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(base) || !isOurs(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

const PAGES = /^(?:|union|area|pricing|coverage|feedback(?:\/[^/]+)?|reviews|library|jobs|account(?:\/[^/]+)?)$/;
const isOurs = (path: string): boolean => PAGES.test(path.slice(base.length));
