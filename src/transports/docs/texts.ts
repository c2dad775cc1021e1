import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml, Html, html, type Page } from '../pages/page.ts';
import { docsPage, type Site } from './layout.ts';
import { FOLDERS, type Folder, sourceOf, TEXTS, type Text, titleOf } from './text_files.ts';

/** Addresses that stand for the service in the texts. */
const HERE = /http:\/\/(?:127\.0\.0\.1|localhost):8080/g;
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  py: 'Python',
  r: 'R',
  sql: 'SQL',
  html: 'HTML',
  json: 'JSON',
  csv: 'CSV',
};

/** Builds the page of a text. Addresses of the texts become those of the service, links to other texts links to pages. */
export function textPage(site: Site, text: Text): Page {
  const before = FOLDERS.find(({ texts }) => texts.includes(text))?.before ?? '';
  const body = rendered(site, text, before + sourceOf(text).replace(/^# .+\n/m, ''));
  return docsPage(site, text.path, titleOf(text), new Html(body));
}

function rendered({ base, baseUrl }: Site, text: Text, source: string): string {
  const anchors = new Map<string, number>();
  /** Where a link of the text leads; null if it is not a page of the service. */
  const target = (href: string): string | null => {
    if (/^https?:/.test(href)) return href;
    const [to = '', anchor] = href.split('#');
    const file = to === '' ? text.file : posix.join(posix.dirname(text.file), to).replace(/\.md$/, '');
    const found = TEXTS.find((one) => one.file === file);
    return found ? `${base}${found.path}${anchor === undefined ? '' : `#${anchor}`}` : null;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: words }) {
        const id = anchorOf(words);
        const times = anchors.get(id) ?? 0;
        anchors.set(id, times + 1);
        const own = times === 0 ? id : `${id}-${times}`;
        const level = Math.max(2, depth);
        return `<h${level} id="${own}"><a href="#${own}">${this.parser.parseInline(tokens)}</a></h${level}>\n`;
      },
      code({ text: code, lang = '' }) {
        const [language = '', file] = lang.split(' ');
        const label = file ?? LANGUAGES[language];
        const shown = escapeHtml(code.replace(HERE, baseUrl));
        return `${label ? `<p class="type label">${escapeHtml(label)}</p>\n` : ''}<pre>${shown}</pre>\n`;
      },
      codespan: ({ text: code }) => `<code>${escapeHtml(code.replace(HERE, baseUrl))}</code>`,
      link({ href, tokens }) {
        const to = target(href);
        const words = this.parser.parseInline(tokens);
        return to === null ? words : `<a href="${escapeHtml(to)}">${words}</a>`;
      },
      // Pages of the documentation load nothing: a picture is its description.
      image: ({ text: description }: Tokens.Image) => `<em>${escapeHtml(description)}</em>`,
      html: ({ text: markup }) => escapeHtml(markup),
    },
  });
  return marked.parse(source, { async: false });
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Links to texts, with their titles. */
export function textLinks({ base }: Site, texts: readonly Text[]): Html {
  return html`<ul>${texts.map((text) => html`<li><a href="${base}${text.path}">${titleOf(text)}</a></li>\n`)}</ul>`;
}

/** Builds the page that lists a folder of texts. */
export function folderPage(site: Site, { path, title, about, texts }: Folder): Page {
  return docsPage(site, path, title, html`<p>${about}</p>\n${textLinks(site, texts)}`);
}
