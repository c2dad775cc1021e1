/** The pages of /ogc for people, in their language: what the JSON says, with a map. */
import type { Context } from 'koa';
import { KINDS } from '../../common/kinds.ts';
import { MAP_STYLE, mapHtml } from '../pages/map.ts';
import { type Html, html, type Page, page } from '../pages/page.ts';
import { linkTo, type Words } from '../pages/words.ts';
import { QUERYABLES, type Queryable } from './filter/expression.ts';
import type { Row } from './items.ts';
import type { LineFeature } from './lines.ts';
import { LINE_QUERYABLES, type LinesQuery } from './lines_query.ts';
import type { OgcGroup } from './own_sets.ts';
import type { ItemsQuery } from './query.ts';

/** Columns of a page of features. */
const COLUMNS = ['name', 'kind', 'admin_level', 'country', 'population', 'area_km2'] as const;

/** Columns of a page of lines. */
const LINE_COLUMNS = ['admin_level', 'maritime', 'length_km', 'left_id', 'right_id'] as const;

const shownOf = (value: string | number | boolean | null | undefined, { language }: Words): string =>
  typeof value === 'number' ? value.toLocaleString(language, { maximumFractionDigits: 2 }) : String(value ?? '');

/** A kind of boundary in the language of a page. */
const kindIn = (words: Words, kind: string | null): string | Html => {
  const known = KINDS.find((one) => one === kind);
  return known ? words(`kind.${known}`) : (kind ?? '');
};

/** The title of a collection in the language of a page. */
const titleIn = (words: Words, { kind, adminLevel, set }: OgcGroup): string | Html => {
  if (set !== undefined) return set.title;
  if (kind === null) return words('ogc.ofLevel', { level: String(adminLevel) });
  return words('ogc.ofKind', { kind: kindIn(words, kind) });
};

const STYLE = `${MAP_STYLE}
nav { margin: 0 0 1rem; font-size: .9rem; } nav ol { display: flex; flex-wrap: wrap; gap: .2rem .9rem; list-style: none; padding: 0; margin: 0; }
table { border-collapse: collapse; width: 100%; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; overflow-wrap: normal; }
.pages { display: flex; gap: 1.2rem; flex-wrap: wrap; }
form { display: grid; grid-template-columns: 1fr auto; gap: .3rem .6rem; align-items: center; margin: 0 0 1rem; }
form label, form .hint { grid-column: 1 / -1; margin: 0; } form button { width: auto; margin: 0; min-height: 2.6rem; }
`;

export type OgcPages = ReturnType<typeof ogcPages>;
/** Makes the pages in the language of a reader. */
export type PagesFor = (ctx: Context) => OgcPages;

/** Builds the pages of a service at a base URL, in a language. */
export function ogcPages(baseUrl: string, words: Words) {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const root = `${base}/ogc`;
  const made = (
    title: string | Html,
    body: Html,
    trail: readonly (readonly [path: string, name: string | Html])[],
    json: string,
  ) => {
    const links = trail.map(([path, name]) => html`<li><a href="${root}${path}">${name}</a></li>`);
    const nav = html`<nav aria-label="${words('ogc.trail')}"><ol>${links}<li><a href="${json}" type="application/json">JSON</a></li></ol></nav>`;
    return page(title, body, {
      wide: true,
      style: STYLE,
      nav,
      script: `${base}/view.js`,
      map: true,
      home: base,
      words,
    });
  };
  const HOME = ['?f=html', words('ogc.features')] as const;
  const LIST = ['/collections?f=html', words('ogc.collections')] as const;
  const map = (items?: string, each?: string): Html =>
    mapHtml(words, {
      style: `${base}/tiles/style.json`,
      ...(items !== undefined && { items }),
      ...(each !== undefined && { each }),
    });
  const listOf = (all: ReadonlyMap<string, OgcGroup>, of: 'level' | 'kind' | 'set'): Html[] =>
    [...all]
      .filter(([, { kind, set }]) => (set !== undefined ? 'set' : kind === null ? 'level' : 'kind') === of)
      .map(
        ([id, group]) => html`
<tr><td><a href="${root}/collections/${id}/items?f=html">${of === 'level' ? `admin_level ${group.adminLevel}` : of === 'kind' ? kindIn(words, group.kind) : titleIn(words, group)}</a></td>
<td class="number">${group.count.toLocaleString(words.language)}</td><td><a href="${root}/collections/${id}?f=html">${words('ogc.about')}</a></td></tr>`,
      );

  const tableOf = (rows: readonly Html[], counted: 'ogc.features' | 'ogc.areas' = 'ogc.features'): Html => html`
<table><thead><tr><th>${words('ogc.collection')}</th><th class="number">${words(counted)}</th><th>${words('ogc.description')}</th></tr></thead><tbody>${rows}</tbody></table>`;
  const pagesOf = (address: string, { after, at }: Pick<ItemsQuery, 'after' | 'at'>, next: string | null): Html => html`
<p class="pages">${after !== '' && html`<a href="${address}${at('', 'html')}">${words('ogc.firstPage')}</a>`}
${next !== null && html`<a href="${address}${at(next, 'html')}">${words('ogc.nextPage')}</a>`}</p>`;

  return {
    landing: (): Page =>
      made(
        words('ogc.title'),
        html`
<p>${words('ogc.intro', { address: html`<code>${baseUrl}/ogc</code>` })}</p>
${map()}
<ul>
<li><a href="${root}/collections?f=html">${words('ogc.collections')}</a></li>
<li><a href="${root}/conformance?f=html">${words('ogc.conformance')}</a></li>
<li><a href="${base}/openapi.json">${words('ogc.openapi')}</a></li>
<li><a href="${base}/docs">${words('ogc.docs')}</a></li>
</ul>`,
        [],
        `${root}?f=json`,
      ),
    conformance: (classes: readonly string[]): Page =>
      made(
        words('ogc.conformance'),
        html`<ul>${classes.map((one) => html`<li>${one}</li>`)}</ul>`,
        [HOME],
        `${root}/conformance?f=json`,
      ),
    collections: (all: ReadonlyMap<string, OgcGroup>): Page =>
      made(
        words('ogc.collections'),
        all.size === 0
          ? html`<p>${words('ogc.none', { coverage: linkTo(`${base}/coverage`) })}</p>`
          : html`
<h2>${words('ogc.byLevel')}</h2>
${tableOf(listOf(all, 'level'))}
<h2>${words('ogc.borders')}</h2>
<p>${words('ogc.everyBorder', { lines: linkTo(`${root}/collections/lines/items?f=html`), about: linkTo(`${root}/collections/lines?f=html`) })}</p>
<h2>${words('ogc.byKind')}</h2>
${tableOf(listOf(all, 'kind'))}
${
  listOf(all, 'set').length > 0 &&
  html`
<h2>${words('ogc.sets')}</h2>
${tableOf(listOf(all, 'set'), 'ogc.areas')}`
}`,
        [HOME],
        `${root}/collections?f=json`,
      ),
    collection: (id: string, group: OgcGroup): Page =>
      made(
        titleIn(words, group),
        html`
<p>${words('ogc.count', { n: group.count })}</p>
${map(`${root}/collections/${id}/items?f=json&limit=50`)}
<ul>
<li><a href="${root}/collections/${id}/items?f=html">${words('ogc.features')}</a></li>
<li><a href="${root}/collections/${id}/queryables?f=html">${words('ogc.filters')}</a></li>
</ul>
<p class="hint">${words('ogc.first', { n: 50 })}</p>`,
        [HOME, LIST],
        `${root}/collections/${id}?f=json`,
      ),
    queryables: (id: string): Page =>
      made(
        words('ogc.propertiesOf', { id }),
        html`
<p>${words('ogc.cql', { geometry: html`<code>geometry</code>` })}</p>
<table><thead><tr><th>${words('ogc.property')}</th><th>${words('ogc.type')}</th><th>${words('ogc.meaning')}</th></tr></thead><tbody>${Object.entries(
          QUERYABLES,
        ).map(
          ([name, { type }]) => html`
<tr><td><code>${name}</code></td><td>${type}</td><td>${words(`property.${name as Queryable}`)}</td></tr>`,
        )}</tbody></table>
<p>${words('ogc.example', { example: linkTo(`${root}/collections/${id}/items?f=html&filter=${encodeURIComponent("name LIKE 'A%'")}`) })}</p>`,
        [HOME, LIST, [`/collections/${id}?f=html`, id]],
        `${root}/collections/${id}/queryables?f=json`,
      ),
    items: (id: string, group: OgcGroup, rows: readonly Row[], query: ItemsQuery, next: string | null): Page => {
      const address = `${root}/collections/${id}/items`;
      return made(
        titleIn(words, group),
        html`
<form action="${address}" method="get">
<input type="hidden" name="f" value="html">
<label for="filter">${words('ogc.filter')}</label>
<input id="filter" name="filter" value="${query.cql ?? ''}" maxlength="4000" spellcheck="false" aria-describedby="how">
<button>${words('ogc.apply')}</button>
<p class="hint" id="how">${words('ogc.how', { filter: html`<code>population &gt; 100000 AND name LIKE 'S%'</code>`, properties: linkTo(`${root}/collections/${id}/queryables?f=html`) })}</p>
</form>
${map(`${address}${query.forMap()}`, `${address}/`)}
${rows.length === 0 && html`<p>${words(next === null ? 'ogc.noFeature' : 'ogc.noneHere')}</p>`}
${
  rows.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="${words('ogc.features')}"><table><thead><tr>${COLUMNS.map(
    (name) => html`<th${isNumber(name) && html` class="number"`}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => rowOf(address, row, words))}</tbody></table></div>`
}
${pagesOf(address, query, next)}`,
        [HOME, LIST, [`/collections/${id}?f=html`, id]],
        `${address}${query.at(query.after, 'json')}`,
      );
    },
    aboutLines: (): Page =>
      made(
        words('ogc.borders'),
        html`
<p>${words('ogc.aboutLines')}</p>
${map(`${root}/collections/lines/items?f=json&admin_level=2&limit=100`)}
<p class="hint">${words('ogc.firstLines', { n: 100, level: '2' })}</p>
<table><thead><tr><th>${words('ogc.parameter')}</th><th>${words('ogc.meaning')}</th></tr></thead><tbody>${Object.keys(
          LINE_QUERYABLES,
        ).map(
          (name) => html`
<tr><td><code>${name}</code></td><td>${words(`lineProperty.${name as keyof typeof LINE_QUERYABLES}`)}</td></tr>`,
        )}</tbody></table>
<p><a href="${root}/collections/lines/items?f=html">${words('ogc.lines')}</a></p>`,
        [HOME, LIST],
        `${root}/collections/lines?f=json`,
      ),
    lines: (lines: readonly LineFeature[], query: LinesQuery, next: string | null): Page => {
      const address = `${root}/collections/lines/items`;
      return made(
        words('ogc.borders'),
        html`
${map(`${address}${query.forMap()}`, `${address}/`)}
${lines.length === 0 && html`<p>${words(next === null ? 'ogc.noLine' : 'ogc.noLineHere')}</p>`}
${
  lines.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="${words('ogc.lines')}"><table><thead><tr><th>${words('ogc.line')}</th>${LINE_COLUMNS.map(
    (name) => html`<th>${name}</th>`,
  )}</tr></thead><tbody>${lines.map(
    ({ id, properties }) => html`
<tr><td><a href="${address}/${id}?f=html">${id}</a></td>${LINE_COLUMNS.map((name) => html`<td>${shownOf(properties[name], words)}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
${pagesOf(address, query, next)}`,
        [HOME, LIST, ['/collections/lines?f=html', 'lines']],
        `${address}${query.at(query.after, 'json')}`,
      );
    },
    line: ({ id, properties }: LineFeature, at: string): Page => {
      const json = `${root}/collections/lines/items/${id}?${at}f=json`;
      return made(
        id,
        html`
${map(json)}
<table><tbody>${Object.entries(properties).map(
          ([name, value]) => html`
<tr><th scope="row">${name}</th><td>${shownOf(value, words)}</td></tr>`,
        )}</tbody></table>`,
        [HOME, LIST, ['/collections/lines?f=html', 'lines'], ['/collections/lines/items?f=html', words('ogc.lines')]],
        json,
      );
    },
    feature: (id: string, { boundary, properties }: Row, shown: URLSearchParams): Page => {
      const address = `${root}/collections/${id}/items/${boundary.id}`;
      const json = `${address}?${new URLSearchParams([...shown, ['f', 'json']])}`;
      return made(
        String(properties.name),
        html`
${map(json)}
<table><tbody>${Object.entries(properties).map(
          ([name, value]) => html`
<tr><th scope="row">${name}</th><td>${value === null ? '' : String(value)}</td></tr>`,
        )}</tbody></table>
<p><a href="${base}/?id=${boundary.id}">${words('ogc.open')}</a></p>`,
        [HOME, LIST, [`/collections/${id}?f=html`, id], [`/collections/${id}/items?f=html`, words('ogc.features')]],
        json,
      );
    },
  };
}

function rowOf(address: string, { boundary, properties }: Row, { language }: Words): Html {
  const cell = (name: (typeof COLUMNS)[number]): Html => {
    const value = properties[name];
    if (name === 'name') return html`<td><a href="${address}/${boundary.id}?f=html">${String(value)}</a></td>`;
    if (typeof value !== 'number') return html`<td>${value === null ? '' : String(value)}</td>`;
    return html`<td class="number">${value.toLocaleString(language, { maximumFractionDigits: value < 100 ? 2 : 0 })}</td>`;
  };
  return html`\n<tr>${COLUMNS.map(cell)}</tr>`;
}

const isNumber = (name: (typeof COLUMNS)[number]): boolean =>
  name === 'admin_level' || name === 'population' || name === 'area_km2';
