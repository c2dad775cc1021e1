import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const STOPS = 'a[href], button, input, select, textarea, summary';

/**
 * Keeps the keyboard's place in an element. When what had the focus in it is replaced, its first control gets the focus.
 * When the element itself goes, the row after it gets the focus, else the row before it, else the heading of the page:
 * without that the next Tab would begin at the top of the page.
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
