/**
 * The script of the pages under /docs, which work without it: copy buttons, the reader's key in examples, a search over
 * titles, and calls to try in place, in the reader's language. It is served as /docs.js.
 */
import { addWays } from './docs_ways.ts';
import { language, startLanguage, t } from './language.ts';

/** Most characters of a response that are shown. */
const MOST_SHOWN = 20_000;
const CONFIRMATION_MS = 2000;

function button(label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'small second';
  made.textContent = label;
  made.lang = language();
  return made;
}

/** Adds a copy button to each code block. */
function addCopies(): void {
  for (const block of document.querySelectorAll('pre')) {
    const copy = button(t('shell.copy'));
    copy.setAttribute('aria-live', 'polite');
    copy.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(block.textContent ?? '').then(
        () => true,
        () => false,
      );
      copy.textContent = t(copied ? 'shell.copied' : 'shell.selectAndCopy');
      setTimeout(() => {
        copy.textContent = t('shell.copy');
      }, CONFIRMATION_MS);
    });
    block.before(copy);
  }
}

/**
 * Adds a search field that filters the sidebar to the pages and operations that contain all its words. Enter opens the
 * first of them, or, if there is none, searches all texts.
 */
function addSearch(nav: HTMLElement): void {
  const field = document.createElement('input');
  field.type = 'search';
  field.lang = language();
  field.placeholder = t('docs.search');
  field.setAttribute('aria-label', field.placeholder);
  const said = document.createElement('p');
  said.className = 'hint';
  said.lang = language();
  said.setAttribute('role', 'status');
  const entries = [...nav.querySelectorAll<HTMLElement>('.ops li')];
  const everywhere = (): string => `${nav.dataset.search}?${new URLSearchParams({ q: field.value })}`;
  field.addEventListener('input', () => {
    const words = field.value
      .toLowerCase()
      .split(/[\s_]+/)
      .filter(Boolean);
    nav.classList.toggle('searching', words.length > 0);
    let found = 0;
    for (const entry of entries) {
      const text = `${entry.textContent} ${entry.dataset.about}`.toLowerCase().replaceAll('_', ' ');
      const fits = words.every((word) => text.includes(word));
      entry.classList.toggle('found', fits);
      if (fits) found++;
    }
    if (words.length === 0) {
      said.textContent = '';
      return;
    }
    const all = document.createElement('a');
    all.href = everywhere();
    all.textContent = t('docs.searchAll');
    said.replaceChildren(`${t('docs.titles', { n: found })} `, all);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || field.value.trim() === '') return;
    const first = nav.querySelector<HTMLAnchorElement>('.ops li.found a');
    if (first) first.click();
    else location.assign(everywhere());
  });
  nav.prepend(field, said);
}

/** Storage key of the API key that the examples show, in this tab only. */
const SHOWN_KEY = 'docs-key';

/** The value of the storage of this tab; null where there is none or it cannot be used. */
function tabValue(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Adds who is signed in, and a field for an API key that is then written into the examples of this tab in the place of
 * $KEY. The key is sent nowhere.
 */
async function addAccount(line: HTMLElement): Promise<void> {
  const home = line.querySelector('a')?.href ?? '/';
  const reply = await fetch(new URL('v1/account', home)).catch(() => null);
  const account = reply?.ok ? ((await reply.json()) as { email?: string }) : null;
  const link = document.createElement('a');
  link.href = new URL(
    account
      ? 'account'
      : `sign-in?next=${encodeURIComponent(location.pathname.slice(new URL(home).pathname.length - 1))}`,
    home,
  ).href;
  link.textContent = account?.email ?? t('shell.signIn');
  line.append(' · ', link);
}

const KEY_PATTERN = /^bnd_\w{1,100}$/;

function addKey(line: HTMLElement): void {
  const texts: { node: Text; original: string }[] = [];
  for (const block of document.querySelectorAll('pre')) {
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node as Text;
      if (text.data.includes('$KEY')) texts.push({ node: text, original: text.data });
    }
  }
  if (texts.length === 0) return;
  const show = (key: string | null): void => {
    for (const { node, original } of texts) node.data = key ? original.replaceAll('$KEY', key) : original;
  };
  const field = document.createElement('input');
  field.type = 'text';
  field.className = 'key';
  field.autocomplete = 'off';
  field.spellcheck = false;
  field.placeholder = 'bnd_live_…';
  field.setAttribute('aria-label', t('docs.key'));
  const kept = tabValue(SHOWN_KEY);
  field.value = kept ?? '';
  show(kept);
  field.addEventListener('input', () => {
    const key = field.value.trim();
    const isKey = KEY_PATTERN.test(key);
    field.setAttribute('aria-invalid', String(key !== '' && !isKey));
    try {
      if (isKey) sessionStorage.setItem(SHOWN_KEY, key);
      else sessionStorage.removeItem(SHOWN_KEY);
    } catch {
      // Without storage, the key is shown on this page only.
    }
    show(isKey ? key : null);
  });
  const label = document.createElement('label');
  label.className = 'key';
  label.lang = language();
  label.append(`${t('docs.keyIn')} `, field);
  line.after(label);
}

/** The response of a call as text: its status, and its body if that is text. */
async function answerOf(address: URL): Promise<string> {
  const began = performance.now();
  const response = await fetch(address, { headers: { Accept: 'application/json, */*;q=0.5' } });
  const type = response.headers.get('Content-Type') ?? '';
  const isText = /json|^text\/|xml/.test(type);
  const body = isText ? await response.text() : t('docs.bytes', { n: (await response.arrayBuffer()).byteLength, type });
  const ms = Math.round(performance.now() - began);
  let shown = body;
  if (/json/.test(type)) {
    try {
      shown = JSON.stringify(JSON.parse(body), null, 2);
    } catch {
      // Not one JSON document (JSON lines, for example): show it as it is.
    }
  }
  const rest = shown.length > MOST_SHOWN ? `\n… ${t('docs.moreCharacters', { n: shown.length - MOST_SHOWN })}` : '';
  return `${t('docs.answered', { status: String(response.status), ms })}\n${shown.slice(0, MOST_SHOWN)}${rest}`;
}

/** Adds, below the example of a GET, an editable path and a button that calls it with the session of this browser. */
function addTrial(place: HTMLElement): void {
  const { path = '' } = place.dataset;
  const base = new URL(place.dataset.base || '/', location.origin).href.replace(/\/$/, '');
  const form = document.createElement('form');
  const field = document.createElement('input');
  field.value = path;
  field.spellcheck = false;
  field.setAttribute('aria-label', t('docs.path'));
  const call = button(t('docs.try'));
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
      answer.textContent = t('docs.mustBegin');
      return;
    }
    call.setAttribute('aria-disabled', 'true');
    answer.textContent = t('docs.calling');
    answer.textContent = await answerOf(address).catch(() => t('error.unreachable'));
    call.removeAttribute('aria-disabled');
  });
  place.append(form, answer);
}

await startLanguage();
const line = document.querySelector<HTMLElement>('.service');
if (line && language() !== 'en') {
  const note = document.createElement('p');
  Object.assign(note, { className: 'hint', lang: language(), textContent: t('docs.inEnglish') });
  line.after(note);
}
// First the key: code that is copied or made has it.
if (line) addKey(line);
addWays();
addCopies();
if (line) void addAccount(line);
const nav = document.querySelector<HTMLElement>('nav');
if (nav) addSearch(nav);
for (const place of document.querySelectorAll<HTMLElement>('.try')) addTrial(place);
