/** The language of the page: chosen by the visitor, else the first of the browser's that the pages have. */
import { useEffect, useState } from 'preact/hooks';
import { filled, isLanguage, type Language, languageOf, piecesOf } from './text.ts';
import type { Key, Text, Texts } from './texts/en.ts';

const KEY = 'boundary-language';
/** Loaded when they are used; the server names those of the browser's first language in the page, so that they come early. */
const TABLES: Readonly<Record<Language, () => Promise<{ texts: Texts }>>> = {
  en: () => import('./texts/en.ts'),
  es: () => import('./texts/es.ts'),
  de: () => import('./texts/de.ts'),
  fr: () => import('./texts/fr.ts'),
};

function stored(): Language | null {
  try {
    const value = localStorage.getItem(KEY);
    return isLanguage(value) ? value : null;
  } catch {
    // Storage may be disabled.
    return null;
  }
}

let choice: Language | null = null;
let current: Language = 'en';
let table: Partial<Texts> = {};
const listeners = new Set<() => void>();

/** Shows a language once its texts are there. @throws when they cannot be loaded */
async function load(wanted: Language): Promise<void> {
  table = (await TABLES[wanted]()).texts;
  current = wanted;
  for (const listener of listeners) listener();
}

/** Tells the server which language was chosen, for the pages that it writes: a cookie for a year, renewed by each visit. */
function tellServer(language: Language): void {
  // As the server names and reads its cookies.
  const [prefix, secure] = location.protocol.startsWith('https') ? ['__Host-', '; Secure'] : ['', ''];
  // biome-ignore lint/suspicious/noDocumentCookie: Not every browser has the Cookie Store API.
  document.cookie = `${prefix}boundary_language=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/** Loads the texts of the language that the visitor chose, or that their browser prefers; else English. @throws without any */
export async function startLanguage(): Promise<void> {
  choice = stored();
  if (choice) tellServer(choice);
  await load(choice ?? languageOf(navigator.languages)).catch(() => load('en'));
}

/** Shows the pages in a language from now on, also when they are opened again in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  choice = language;
  tellServer(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage, it applies to this page only.
  }
  // Without its texts a language is not shown.
  await load(language).catch(() => undefined);
}

/** The language of the page. */
export const language = (): Language => current;

/** The language in which numbers, dates and names of countries are written: the browser's own form of it, if it has one. */
export function locale(): string {
  const tags = globalThis.navigator?.languages ?? [];
  if (choice === null) return tags[0] ?? 'en';
  return tags.find((tag) => languageOf([tag]) === choice && tag.toLowerCase().startsWith(current)) ?? current;
}

/** A text of the page in its language. A number is written as the language does. */
export const t = (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
  filled(table[key] ?? key, values, current, locale());

/** Makes the texts of one page, which come with it in all languages: those that the first load is too small for. */
export const textsOf =
  <K extends string>(tables: Readonly<Record<Language, Readonly<Record<K, Text>>>>) =>
  (key: K, values: Readonly<Record<string, string | number>> = {}): string =>
    filled(tables[current][key], values, current, locale());

/** The text of a key that is made of data, or something else where the pages have none. */
export const textOr = (key: string, otherwise: string): string =>
  Object.hasOwn(table, key) ? t(key as Key) : otherwise;

/** A text in pieces: numbers and what stands as it is, and the names of the other values, which may be elements. */
export const parts = (
  key: Key,
  values: Readonly<Record<string, unknown>>,
): readonly (string | { readonly name: string })[] =>
  piecesOf(table[key] ?? key, Number(values.n ?? 0), current).map((piece) => {
    const value = typeof piece === 'string' ? piece : values[piece.name];
    return typeof value === 'number' ? new Intl.NumberFormat(locale()).format(value) : piece;
  });

/** Renders the component again when the language changes. */
export function useLanguage(): Language {
  const [shown, set] = useState(current);
  useEffect(() => {
    const listener = (): void => set(current);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}
