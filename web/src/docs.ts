/**
 * The program of the pages under /docs, which work without it: buttons that copy, a search over the operations, and
 * calls that are tried in place. It is served as /docs.js and imports nothing.
 */

/** Characters of an answer that are shown. */
const MOST_SHOWN = 20_000;
const SAID_MS = 2000;

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'small second';
  made.textContent = label;
  return made;
}

/** Puts a button that copies into each block of lines. */
function addCopies(): void {
  for (const block of document.querySelectorAll('pre')) {
    const text = block.textContent ?? '';
    const copy = button('Copy');
    copy.setAttribute('aria-live', 'polite');
    copy.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      );
      copy.textContent = copied ? 'Copied' : 'Select and copy';
      setTimeout(() => {
        copy.textContent = 'Copy';
      }, SAID_MS);
    });
    block.before(copy);
  }
}

/** Adds a field that leaves the operations with all its words in the list at the side; empty, the list is as it was. */
function addSearch(nav: HTMLElement): void {
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'Search operations';
  field.setAttribute('aria-label', 'Search operations');
  const none = document.createElement('p');
  none.className = 'hint';
  none.setAttribute('role', 'status');
  const entries = [...nav.querySelectorAll<HTMLElement>('.ops li')];
  field.addEventListener('input', () => {
    const words = field.value
      .toLowerCase()
      .split(/[\s_]+/)
      .filter(Boolean);
    nav.classList.toggle('searching', words.length > 0);
    let found = 0;
    for (const entry of entries) {
      const text = `${entry.textContent} ${entry.dataset.about}`.toLowerCase();
      const fits = words.every((word) => text.includes(word));
      entry.classList.toggle('found', fits);
      if (fits) found++;
    }
    none.textContent = words.length > 0 ? `${found} ${found === 1 ? 'operation' : 'operations'}` : '';
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') nav.querySelector<HTMLAnchorElement>('.ops li.found a')?.click();
  });
  nav.prepend(field, none);
}

/** The answer of a call as text to show: its status, and its body where that is text. */
async function answerOf(address: URL): Promise<string> {
  const began = performance.now();
  const response = await fetch(address, { headers: { Accept: 'application/json, */*;q=0.5' } });
  const type = response.headers.get('Content-Type') ?? '';
  const isText = /json|^text\/|xml/.test(type);
  const body = isText ? await response.text() : `${(await response.arrayBuffer()).byteLength} bytes of ${type}`;
  const ms = Math.round(performance.now() - began);
  let shown = body;
  if (/json/.test(type)) {
    try {
      shown = JSON.stringify(JSON.parse(body), null, 2);
    } catch {
      // A line for each item is shown as it is.
    }
  }
  const rest = shown.length > MOST_SHOWN ? `\n… ${shown.length - MOST_SHOWN} characters more` : '';
  return `${response.status} in ${ms} ms\n${shown.slice(0, MOST_SHOWN)}${rest}`;
}

/** Below the example of a GET: its path to change, and a button that calls it with the session of this browser. */
function addTrial(place: HTMLElement): void {
  const { path = '' } = place.dataset;
  const base = new URL(place.dataset.base || '/', location.origin).href.replace(/\/$/, '');
  const form = document.createElement('form');
  const field = document.createElement('input');
  field.value = path;
  field.spellcheck = false;
  field.setAttribute('aria-label', 'Path to call');
  const call = button('Try it');
  call.type = 'submit';
  const answer = document.createElement('pre');
  answer.setAttribute('role', 'status');
  answer.tabIndex = 0;
  answer.hidden = true;
  form.append(field, call);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // A button that is disabled would lose the focus.
    if (call.getAttribute('aria-disabled') === 'true') return;
    answer.hidden = false;
    const address = new URL(base + field.value);
    // Nothing but reads of the service: `/v1/../` leads out of it.
    if (!address.href.startsWith(`${base}/v1/`)) {
      answer.textContent = 'The path must begin with /v1/.';
      return;
    }
    call.setAttribute('aria-disabled', 'true');
    answer.textContent = 'Calling…';
    answer.textContent = await answerOf(address).catch(() => 'The server does not answer.');
    call.removeAttribute('aria-disabled');
  });
  place.append(form, answer);
}

/** Where the way that a reader chose last is kept. */
const CHOSEN = 'docs-way';

function remembered(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** Chooses a way for every example of the page that has it. */
type Choose = (name: string) => void;

/** Makes tabs of the ways of one example: the chosen one is shown. Returns what chooses one by its name. */
function addTabs(place: HTMLElement, number: number, chooseAll: Choose): Choose {
  const panels = [...place.querySelectorAll<HTMLElement>('[data-way]')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Ways to call');
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
      // Examples above may have become longer or shorter: the one that was chosen in stays where it is.
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

/** Makes tabs of all examples: one choice for the page, remembered for the next ones. */
function addWays(): void {
  const chooses: Choose[] = [];
  const chooseAll: Choose = (name) => {
    for (const choose of chooses) choose(name);
    try {
      localStorage.setItem(CHOSEN, name);
    } catch {
      // It is chosen for this page alone.
    }
  };
  for (const [i, place] of [...document.querySelectorAll<HTMLElement>('.ways')].entries()) {
    const choose = addTabs(place, i, chooseAll);
    choose(remembered() ?? 'curl');
    chooses.push(choose);
  }
}

addWays();
addCopies();
const nav = document.querySelector<HTMLElement>('nav');
if (nav) addSearch(nav);
for (const place of document.querySelectorAll<HTMLElement>('.try')) addTrial(place);
