/** The ways to call of the examples on a page of the documentation, as tabs. */
import { language, t } from './language.ts';

/** Storage key of the way that the reader chose last. */
const CHOSEN = 'docs-way';

function remembered(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** Selects a way in every example of the page that has it. */
type Choose = (name: string) => void;

/** Turns the ways of one example into tabs. Returns a function that selects one by name. */
function addTabs(place: HTMLElement, number: number, chooseAll: Choose): Choose {
  const panels = [...place.querySelectorAll<HTMLElement>('[data-way]')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', t('docs.ways'));
  list.lang = language();
  const tabs = panels.map((panel, i) => {
    const name = panel.dataset.way ?? '';
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `way-${number}-${i}`;
    tab.textContent = name;
    tab.setAttribute('role', 'tab');
    panel.id = `${tab.id}-panel`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => {
      const before = tab.getBoundingClientRect().top;
      chooseAll(name);
      // Examples above may have changed their height: keep the clicked tab where it is on the screen.
      scrollBy(0, tab.getBoundingClientRect().top - before);
    });
    list.append(tab);
    return tab;
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next?.focus();
    next?.click();
  });
  place.prepend(list);
  place.classList.add('tabbed');
  return (name) => {
    const names = panels.map((panel) => panel.dataset.way);
    const chosen = Math.max(0, names.indexOf(name));
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
    for (const [i, panel] of panels.entries()) panel.hidden = i !== chosen;
  };
}

/** Turns all examples into tabs: one choice for the page, remembered for other pages. */
export function addWays(): void {
  const chooses: Choose[] = [];
  const chooseAll: Choose = (name) => {
    for (const choose of chooses) choose(name);
    try {
      localStorage.setItem(CHOSEN, name);
    } catch {
      // Without storage, the choice applies to this page only.
    }
  };
  for (const [i, place] of [...document.querySelectorAll<HTMLElement>('.ways')].entries()) {
    const choose = addTabs(place, i, chooseAll);
    choose(remembered() ?? 'curl');
    chooses.push(choose);
  }
}
