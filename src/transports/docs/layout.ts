import { type Html, html, type Page, page } from '../pages/page.ts';
import type { Group } from './groups.ts';
import { FOLDERS, titleOf } from './text_files.ts';

const STYLE = `
main.wide { max-width: 54rem; display: flow-root; }
nav { margin: 0 0 1.5rem; padding: 0 0 .8rem; border-bottom: 1px solid var(--line); }
nav > ul { display: flex; flex-wrap: wrap; gap: .2rem 1rem; } nav ul { list-style: none; padding: 0; margin: 0; }
nav a { display: inline-block; padding: .3rem 0; } nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
nav .ops { display: none; font-size: .85rem; } nav .ops a { padding: .15rem 0; }
nav.searching > ul { display: block; } nav.searching > ul > li > a, nav.searching .ops li { display: none; }
nav.searching .ops, nav.searching .ops li.found { display: block; }
.found { list-style: none; padding: 0; } .found li { margin: 0 0 1rem; } form[role=search] { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 0 0 1rem; }
form[role=search] input { flex: 1 1 12rem; width: auto !important; } form[role=search] label { margin: 0; } form[role=search] button { width: auto; margin: 0; }
label.key { font-size: .85rem; font-weight: 500; color: var(--soft); margin: 0 0 1rem; }
input.key { width: 16rem !important; max-width: 100%; padding: .2rem .5rem !important; font: .82rem/1.5 ui-monospace, monospace !important; } input.key[aria-invalid=true] { border-color: var(--bad); }
nav .hint { margin: .3rem 0; }
@media (min-width: 62rem) {
  main.wide { max-width: 70rem; padding-left: 19rem; }
  nav { float: left; position: sticky; top: 1rem; width: 15rem; margin-left: -17rem; max-height: calc(100vh - 2rem); overflow-y: auto;
    padding: 0 .5rem 0 .2rem; border-bottom: 0; border-right: 1px solid var(--line); }
  nav > ul { display: block; } nav .here .ops { display: block; padding-left: .8rem; }
}
button.small { width: auto; min-height: 0; margin: 0 0 .3rem; padding: .1rem .6rem; font-size: .85rem; }
.try form { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 .8rem; } .try form input { flex: 1 1 16rem; width: auto !important; padding: .3rem .6rem;
  font: .82rem/1.5 ui-monospace, monospace; } .try pre { max-height: 24rem; overflow: auto; } .try pre[hidden] { display: none; }
.ways [role=tablist] { display: flex; flex-wrap: wrap; gap: .1rem .4rem; margin: 0 0 .4rem; border-bottom: 1px solid var(--line); }
.ways [role=tab] { width: auto; min-height: 0; margin: 0; padding: .3rem .6rem; font-size: .85rem; font-weight: 500; color: var(--soft);
  background: none; border: 0; border-bottom: 2px solid transparent; border-radius: 0; }
.ways [role=tab][aria-selected=true] { color: var(--ink); font-weight: 700; border-bottom-color: var(--action); }
.ways.tabbed .label { display: none; } .ways [hidden] { display: none; }
h2, h3 { scroll-margin-top: 1rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; } h3 a { color: inherit; }
section + section { border-top: 1px solid var(--line); margin-top: 2.5rem; }
pre { margin: 0 0 1rem; padding: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border-radius: .3rem;
  font: .82rem/1.5 ui-monospace, monospace; }
code { font-weight: 500; font-size: .92em; }
.route { font-size: 1rem; } .route code { font-weight: 700; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; }
dl.facts dd { margin: 0; font-weight: 400; }
dl.fields { border-left: 3px solid var(--line); padding-left: .9rem; }
dl.fields dt { color: inherit; font-size: 1rem; } dl.fields dd { font-weight: 400; margin: 0 0 .6rem; }
.label { margin: 0; } .type { color: var(--soft); font-size: .9rem; } details { margin: .3rem 0 .6rem; } summary { cursor: pointer; color: var(--action); }
table { border-collapse: collapse; margin: 0 0 1rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; } th:last-child, td:last-child { padding-right: 0; }
.codes { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
`;

/** What every page of the documentation needs to know about the service. */
export interface Site {
  readonly baseUrl: string;
  /** Path prefix of all pages, without a trailing slash. */
  readonly base: string;
  readonly groups: readonly Group[];
}

/** Builds a page of the documentation with its navigation. `path` is the path of the page, from /docs on. */
export function docsPage({ base, groups }: Site, path: string, title: string, body: Html): Page {
  const entry = (to: string, name: string, about = ''): Html =>
    html`<li data-about="${about}"><a href="${base}${to}"${to === path && html` aria-current="page"`}>${name}</a></li>\n`;
  const part = (to: string, name: string, below: readonly Html[] = []): Html => {
    const isHere = to === path || (below.length > 0 && path.startsWith(`${to}/`));
    return html`<li${isHere && html` class="here"`}><a href="${base}${to}"${to === path && html` aria-current="page"`}>${name}</a>
${below.length > 0 && html`<ul class="ops">${below}</ul>`}</li>\n`;
  };
  const nav = html`<nav aria-label="Documentation" data-search="${base}/docs/search"><ul>
${part('/docs/search', 'Search')}${part('/docs', 'Start')}
${FOLDERS.map((folder) => {
  const below = folder.texts.map((text) => entry(text.path, titleOf(text)));
  return part(folder.path, folder.title, below);
})}
${part('/docs/guide', 'Guide')}
${groups.map(({ slug, title: name, ops }) => {
  const below = ops.map((op) => entry(`/docs/${slug}#${op.name}`, op.name, op.summary));
  return part(`/docs/${slug}`, name, below);
})}
${part('/docs/errors', 'Errors')}${part('/tiles/boundaries', 'Tiles')}${part('/ogc', 'OGC API - Features')}${part('/openapi.json', 'OpenAPI')}</ul></nav>`;
  return page(title, body, { wide: true, style: STYLE, nav, script: `${base}/docs.js`, home: base });
}

/** A labeled code block that can be copied. */
export function lines(label: string, text: string): Html {
  return html`<p class="type label">${label}</p>\n<pre>${text}</pre>\n`;
}

/** The same call in several languages, each under its name. The page's script shows them as tabs. */
export function ways(all: readonly (readonly [name: string, text: string])[]): Html {
  return html`<div class="ways">\n${all.map(([name, text]) => html`<div data-way="${name}">${lines(name, text)}</div>\n`)}</div>`;
}

/** Links to problem codes on the page of errors. */
export function codeLinks(base: string, codes: readonly string[]): Html {
  return html`<ul class="codes">${codes.map((code) => html`<li><a href="${base}/docs/errors#${code}"><code>${code}</code></a></li>\n`)}</ul>`;
}
