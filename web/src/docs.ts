/**
 * The script of the pages under /docs, which work without it: copy buttons, a search over the operations, and calls to
 * try in place. It is served as /docs.js and imports nothing.
 */

/** Most characters of a response that are shown. */
const MOST_SHOWN = 20_000;
const CONFIRMATION_MS = 2000;

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'small second';
  made.textContent = label;
  return made;
}

/** Adds a copy button to each code block. */
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
      }, CONFIRMATION_MS);
    });
    block.before(copy);
  }
}

/** Adds a search field that filters the operations in the sidebar to those that contain all its words. */
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

/** The response of a call as text: its status, and its body if that is text. */
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
      // Not one JSON document (JSON lines, for example): show it as it is.
    }
  }
  const rest = shown.length > MOST_SHOWN ? `\n… ${shown.length - MOST_SHOWN} characters more` : '';
  return `${response.status} in ${ms} ms\n${shown.slice(0, MOST_SHOWN)}${rest}`;
}

/** Adds, below the example of a GET, an editable path and a button that calls it with the session of this browser. */
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
    // Not `disabled`: that would lose the focus.
    if (call.getAttribute('aria-disabled') === 'true') return;
    answer.hidden = false;
    const address = new URL(base + field.value);
    // Allow only reads of the service: `/v1/../` leads outside it.
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
function addWays(): void {
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

addWays();
addCopies();
const nav = document.querySelector<HTMLElement>('nav');
if (nav) addSearch(nav);
for (const place of document.querySelectorAll<HTMLElement>('.try')) addTrial(place);
