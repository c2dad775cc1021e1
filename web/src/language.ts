/** The language of the page: chosen by the visitor, else the first of the browser's that the pages have. */
import { useEffect, useState } from 'preact/hooks';
import { en, type Key, type Text, type Texts } from './texts/en.ts';

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'boundary-language';
/** Loaded when they are used; English is always there. */
const TABLES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ texts: Texts }>>> = {
  es: () => import('./texts/es.ts'),
  de: () => import('./texts/de.ts'),
  fr: () => import('./texts/fr.ts'),
};

const isLanguage = (value: string | null): value is Language => value !== null && Object.hasOwn(LANGUAGES, value);

function stored(): Language | null {
  try {
    const value = localStorage.getItem(KEY);
    return isLanguage(value) ? value : null;
  } catch {
    // Storage may be disabled.
    return null;
  }
}

/** The first of some language tags, such as those of Accept-Language, that the pages have; else English. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary = ''] = tag.toLowerCase().split('-');
    if (isLanguage(primary)) return primary;
  }
  return 'en';
}

let choice: Language | null = null;
let current: Language = 'en';
let table: Texts = en;
const listeners = new Set<() => void>();

async function load(wanted: Language): Promise<void> {
  // Without its texts a language is not shown.
  const loaded =
    wanted === 'en'
      ? en
      : await TABLES[wanted]().then(
          ({ texts }) => texts,
          () => null,
        );
  if (loaded === null) return;
  table = loaded;
  current = wanted;
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

/** Loads the texts of the language that the visitor chose, or that their browser prefers. */
export async function startLanguage(): Promise<void> {
  choice = stored();
  await load(choice ?? languageOf(navigator.languages));
}

/** Shows the pages in a language from now on, also when they are opened again in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  choice = language;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage, it applies to this page only.
  }
  await load(language);
}

/** The language of the page. */
export const language = (): Language => current;

/** The language in which numbers, dates and names of countries are written: the browser's own form of it, if it has one. */
export function locale(): string {
  const tags = globalThis.navigator?.languages ?? [];
  if (choice === null) return tags[0] ?? 'en';
  return tags.find((tag) => languageOf([tag]) === choice && tag.toLowerCase().startsWith(current)) ?? current;
}

/** A text with its values; one with plurals takes the form of `n`. */
export function filled(text: Text, values: Readonly<Record<string, string | number>>, tag: string): string {
  const n = values.n;
  const chosen =
    typeof text === 'string' ? text : (text[new Intl.PluralRules(tag).select(Number(n ?? 0))] ?? text.other);
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? new Intl.NumberFormat(locale()).format(value) : value;
  });
}

/** A text of the page in its language. A number is written as the language does. */
export const t = (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
  filled(table[key], values, current);

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
