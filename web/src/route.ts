import { useEffect, useState } from 'preact/hooks';

/** The current page below the base path of the service, with its query. */
export interface Route {
  /** Starts with `/`, without a trailing slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The part after `#`. The server never receives it, so it may be long. */
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

/** The address of a page for a link. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return `${base}${path.replace(/^\//, '')}${search === '' ? '' : `?${search}`}`;
}

/** Navigates to an address of the dashboard. `replace` overwrites the current history entry. */
export function go(address: string, replace = false): void {
  if (address === location.pathname + location.search + location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  changed();
}

/** Updates the address without notifying listeners, for example with the map position. */
export function setQueryParameter(name: string, value: string | null): void {
  const query = new URLSearchParams(location.search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  const search = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  history.replaceState(null, '', location.pathname + (search === '' ? '' : `?${search}`) + location.hash);
  current = read();
}

/** The current route, including values set by `setQueryParameter`. */
export const currentRoute = (): Route => current;

/** Longest address that sign-in remembers, in characters. */
const MOST_NEXT = 2000;

/** The sign-in address that returns to this page. Drops the fragment if it makes the address too long. */
export function signInAddress(): string {
  const next = `/${(location.pathname + location.search).slice(base.length)}`;
  const whole = next + location.hash;
  return href('/sign-in', { next: whole.length <= MOST_NEXT ? whole : next });
}

/** The current route; re-renders the component when it changes. */
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

/** Handles clicks on our own links without a page load; clicks with a modifier key keep their default. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.dataset.plain !== undefined) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(base) || !isOurs(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

const PAGES =
  /^(?:|select|file|union|area|figures|map|sets(?:\/[^/]+)?|pricing|coverage|feedback(?:\/[^/]+)?|reviews|library|jobs|account(?:\/[^/]+)?)$/;
const isOurs = (path: string): boolean => PAGES.test(path.slice(base.length));
