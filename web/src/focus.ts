import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const STOPS = 'a[href], button, input, select, textarea, summary';

/**
 * Keeps the keyboard focus near an element. If the focused control in it is replaced, its first control gets the focus.
 * If the element itself is removed, the next row gets the focus, else the previous row, else the heading of the page.
 * Otherwise the next Tab would start at the top of the page.
 */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const root = useRef<T>(null);
  const had = root.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (had && document.activeElement === document.body) root.current?.querySelector<HTMLElement>(STOPS)?.focus();
  });
  useLayoutEffect(() => {
    const element = root.current;
    return () => {
      if (element?.contains(document.activeElement)) focusNear(element);
    };
  }, []);
  return root;
}

function focusNear(element: HTMLElement): void {
  const row = element.closest('li, section');
  const rows = [row?.nextElementSibling, row?.previousElementSibling].filter((one) => one?.matches('li, section'));
  const stop = rows.map((one) => one?.querySelector<HTMLElement>(STOPS)).find(Boolean);
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!stop && heading) heading.tabIndex = -1;
  (stop ?? heading)?.focus();
}
