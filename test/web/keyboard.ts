import type { Page } from 'playwright-core';

/** Presses of Tab after which something counts as not to be reached. */
const MOST_STOPS = 150;

/** What has the focus: its name, and what covers its middle. Null for the page itself. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  const over = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + Math.min(height, innerHeight / 2) / 2);
  const labels = [...(one.labels ?? [])];
  const own = over && (one.contains(over) || over.contains(one) || labels.some((label) => label.contains(over)));
  const name = one.getAttribute('aria-label') || labels[0]?.textContent || one.textContent || one.title || one.tagName;
  return { name: name.trim().replace(/\\s+/g, ' ').slice(0, 80), covered: own ? null : (over?.outerHTML.slice(0, 80) ?? 'nothing') };
})()`;

/** A page that is used by its keyboard alone. */
export interface Keys {
  /** Presses Tab, or Shift+Tab, until what has the focus has the name. @throws with all that was passed */
  reach(name: string | RegExp, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Replaces the text of the field that has the focus. */
  write(text: string): Promise<void>;
  /** What had the focus while something else was over its middle, or while it was out of view. */
  readonly covered: readonly string[];
}

export function keysOf(page: Page): Keys {
  const covered: string[] = [];
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    covered,
    press,
    async reach(name, key = 'Tab') {
      const passed: string[] = [];
      while (passed.length < MOST_STOPS) {
        await page.keyboard.press(key);
        const focused = await page.evaluate<{ name: string; covered: string | null } | null>(FOCUSED);
        passed.push(focused?.name ?? 'the page');
        if (focused?.covered) covered.push(`${focused.name}: ${focused.covered}`);
        if (focused && (typeof name === 'string' ? focused.name.startsWith(name) : name.test(focused.name))) return;
      }
      throw new Error(`${name} is not reached by ${key}: ${[...new Set(passed)].join(' | ')}`);
    },
    async write(text) {
      await press('Control+a');
      await page.keyboard.type(text);
    },
  };
}
