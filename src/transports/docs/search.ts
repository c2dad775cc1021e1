import { type Html, html, type Page } from '../pages/page.ts';
import { docsPage, type Site } from './layout.ts';

/** A part of a page under a heading. */
export interface Section {
  readonly path: string;
  readonly page: string;
  readonly title: string;
  readonly anchor: string | null;
  readonly text: string;
  /** Its heading, that with the title of the page, and all of it, folded for comparison. */
  readonly foldedHeading: string;
  readonly foldedTitle: string;
  readonly folded: string;
}

/** Most characters and words of a query, and most results of it that are shown. */
const MOST_CHARACTERS = 100;
const MOST_WORDS = 8;
const MOST_RESULTS = 30;
const EXCERPT = 220;

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

/** The text of trusted HTML, without its tags. */
function textOf(markup: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return markup
    .replace(/<wbr>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Divides a page of the documentation into its sections: what stands before the first anchored heading is one, too. */
export function sectionsOf(path: string, { html: document }: Page): Section[] {
  const [, title = ''] = /<h1>([^<]*)<\/h1>/.exec(document) ?? [];
  const page = textOf(title);
  const [, body = ''] = document.split('</h1>');
  const parts = body.split(/(?=<h[23] id=")/);
  return parts.map((part) => {
    const [, anchor = null, heading = ''] = /^<h[23] id="([^"]*)">(.*?)<\/h[23]>/s.exec(part) ?? [];
    const text = textOf(part.replace(/^<h[23].*?<\/h[23]>/s, ''));
    const own = heading === '' ? page : textOf(heading);
    const foldedHeading = fold(own.replaceAll('_', ' '));
    const foldedTitle = `${fold(page)} ${foldedHeading}`;
    return {
      ...{ path, page, title: own, anchor, text },
      ...{ foldedHeading, foldedTitle, folded: fold(`${page} ${own} ${text}`) },
    };
  });
}

/** The first words of a query, folded, each once. */
function wordsOf(query: string): string[] {
  const words = fold(query)
    .split(/[\s_]+/)
    .filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/**
 * The sections that have all words of a query: those with more of them in their heading first, then in the title of
 * their page; then the reference before the texts in detail, then the shorter ones.
 */
function findSections(sections: readonly Section[], query: string): Section[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const wordsIn = (text: string): number => words.filter((word) => text.includes(word)).length;
  return sections
    .filter(({ folded, foldedTitle }) => words.every((word) => folded.includes(word) || foldedTitle.includes(word)))
    .map((section) => ({ section, score: 2 * wordsIn(section.foldedHeading) + wordsIn(section.foldedTitle) }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        Number(isInDetail(a.section)) - Number(isInDetail(b.section)) ||
        a.section.text.length - b.section.text.length,
    )
    .map(({ section }) => section);
}

const isInDetail = ({ path }: Section): boolean => path.startsWith('/docs/topics/');

/** The text around the first word that a section has of a query. */
function excerpt({ text }: Section, query: string): string {
  const folded = fold(text);
  const at = fold(query)
    .split(/\s+/)
    .map((word) => folded.indexOf(word))
    .filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...at, text.length) - EXCERPT / 3);
  const start = from < EXCERPT / 3 || at.length === 0 ? 0 : text.indexOf(' ', from) + 1;
  const cut = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT < text.length ? ' …' : ''}`;
}

const queryOf = (q: string): string => new URLSearchParams({ q }).toString();

/** What to try when no section has all words: each word that some have, and where to look without words. */
function adviceFor({ base }: Site, sections: readonly Section[], asked: string): Html {
  const words = wordsOf(asked);
  const counted = words.map((word) => ({ word, n: findSections(sections, word).length })).filter(({ n }) => n > 0);
  return html`
${
  counted.length > 0 &&
  html`<p>Sections with one of the words: ${counted.map(
    ({ word, n }, i) => html`${i > 0 && ', '}<a href="${base}/docs/search?${queryOf(word)}">${word}</a> (${n})`,
  )}.</p>`
}
<p>${words.length > 1 ? 'Try fewer or other words' : 'Try another word'}; the documentation is in English. This page searches
the documentation: to find a place, <a href="${base}/?${queryOf(asked)}">search the map for
“${asked}”</a>. Or look through <a href="${base}/docs">all pages</a> and <a href="${base}/docs/errors">the errors</a>.</p>`;
}

/** Builds the page of results for a query, which is cut to 100 characters. Without a query it is the empty form. */
export function searchPage(site: Site, sections: readonly Section[], query: string): Page {
  const asked = query.slice(0, MOST_CHARACTERS).trim();
  const found = findSections(sections, asked);
  const said =
    found.length > MOST_RESULTS
      ? `The first ${MOST_RESULTS} of ${found.length} sections with all these words`
      : `${found.length === 1 ? '1 section' : `${found.length} sections`} with all these words`;
  const body = html`
<form action="${site.base}/docs/search" role="search"><label for="q">Words</label>
<input id="q" name="q" type="search" value="${asked}" maxlength="${MOST_CHARACTERS}"><button>Search</button></form>
${asked !== '' && html`<p role="status">${said}</p>`}
${asked !== '' && found.length === 0 && adviceFor(site, sections, asked)}
<ul class="found">${found.slice(0, MOST_RESULTS).map(
    (
      section,
    ) => html`<li><a href="${site.base}${section.path}${section.anchor !== null && html`#${section.anchor}`}">${section.title}</a>
${section.title !== section.page && html` <span class="type">${section.page}</span>`}<br>${excerpt(section, asked)}</li>\n`,
  )}</ul>`;
  return docsPage(site, '/docs/search', 'Search the documentation', body);
}
