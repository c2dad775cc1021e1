import type { Context } from 'koa';
import { type Language, wordingIn } from '../../common/languages.ts';
import { type Key, TABLES } from '../../common/texts/tables.ts';
import { acceptedLanguages } from '../../domain/names/languages.ts';
import { readCookie } from '../credentials.ts';
import { type Html, html } from './html.ts';

/** What stands for `{name}` in a text, or what makes an element of the words in `[words](name)`. */
type Value = Html | string | number | ((words: Html) => Html);

/** The texts of pages in one language. */
export interface Words {
  /** A text with its values, escaped unless they are Html. Numbers are written as the language does. */
  (key: Key, values?: Readonly<Record<string, Value>>): Html;
  readonly language: Language;
}

const PLACE = /\[([^[\]]*)\]\((\w+)\)|\{(\w+)\}/g;

/** The texts of a language. */
export function wordsIn(language: Language): Words {
  const say = (key: Key, values: Readonly<Record<string, Value>> = {}): Html => {
    const text = TABLES[language][key];
    const pieces: (Html | string)[] = [];
    let end = 0;
    for (const { 0: place, 1: words = '', 2: wrapper = '', 3: name = wrapper, index } of text.matchAll(PLACE)) {
      const value = values[name];
      pieces.push(text.slice(end, index));
      if (typeof value === 'function') pieces.push(value(html`${words}`));
      else pieces.push(typeof value === 'number' ? value.toLocaleString(language) : (value ?? place));
      end = index + place.length;
    }
    return html`${[...pieces, text.slice(end)]}`;
  };
  return Object.assign(say, { language });
}

/** The language that the reader chose on the dashboard, else the first of Accept-Language that pages have, else English. */
export function languageFor(ctx: Context, baseUrl: string): Language {
  const chosen = readCookie(ctx, 'boundary_language', baseUrl);
  return wordingIn([...(chosen === null ? [] : [chosen]), ...acceptedLanguages(ctx.get('Accept-Language'))]);
}

/** The texts of the language of the reader. */
export const wordsFor = (ctx: Context, baseUrl: string): Words => wordsIn(languageFor(ctx, baseUrl));

/** Makes links to an address: a value for a text. */
export const linkTo =
  (href: string) =>
  (words: Html): Html =>
    html`<a href="${href}">${words}</a>`;

/** A value that a text sets off, such as an address or a name. */
export const strong = (value: string | Html): Html => html`<strong>${value}</strong>`;

/** A text that the server has in English only, on a page in any language. */
export const inEnglish = (text: string, { language }: Words): Html =>
  language === 'en' ? html`${text}` : html`<span lang="en">${text}</span>`;
