/** The pages of /ogc for people: what the JSON says, with a map. */
import { MAP_STYLE, mapHtml } from '../pages/map.ts';
import { type Html, html, type Page, page } from '../pages/page.ts';
import { type About, titleOf } from './collections.ts';
import { QUERYABLES } from './filter/expression.ts';
import type { Row } from './items.ts';
import type { LineFeature } from './lines.ts';
import type { LinesQuery } from './lines_query.ts';
import type { OgcGroup } from './own_sets.ts';
import type { ItemsQuery } from './query.ts';

/** Columns of a page of features. */
const COLUMNS = ['name', 'kind', 'admin_level', 'country', 'population', 'area_km2'] as const;

/** Columns of a page of lines. */
const LINE_COLUMNS = ['admin_level', 'maritime', 'length_km', 'left_id', 'right_id'] as const;

const shownOf = (value: string | number | boolean | null | undefined): string =>
  typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 2 }) : String(value ?? '');

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

/** Builds the pages of a service at a base URL. */
export function ogcPages(baseUrl: string) {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const root = `${base}/ogc`;
  const made = (title: string, body: Html, trail: readonly (readonly [path: string, name: string])[], json: string) => {
    const links = trail.map(([path, name]) => html`<li><a href="${root}${path}">${name}</a></li>`);
    const nav = html`<nav aria-label="Place"><ol>${links}<li><a href="${json}" type="application/json">JSON</a></li></ol></nav>`;
    return page(title, body, { wide: true, style: STYLE, nav, script: `${base}/view.js`, map: true, home: base });
  };
  const HOME = ['?f=html', 'Features'] as const;
  const LIST = ['/collections?f=html', 'Collections'] as const;
  const map = (items?: string, each?: string): Html =>
    mapHtml({
      style: `${base}/tiles/style.json`,
      ...(items !== undefined && { items }),
      ...(each !== undefined && { each }),
    });
  const listOf = (all: ReadonlyMap<string, OgcGroup>, of: 'level' | 'kind' | 'set'): Html[] =>
    [...all]
      .filter(([, { kind, set }]) => (set !== undefined ? 'set' : kind === null ? 'level' : 'kind') === of)
      .map(
        ([id, group]) => html`
<tr><td><a href="${root}/collections/${id}/items?f=html">${of === 'level' ? `admin_level ${group.adminLevel}` : of === 'kind' ? group.kind : titleOf(group)}</a></td>
<td class="number">${group.count.toLocaleString('en-US')}</td><td><a href="${root}/collections/${id}?f=html">About</a></td></tr>`,
      );

  return {
    landing: (): Page =>
      made(
        'OGC API - Features',
        html`
<p>Administrative boundaries as features: a collection for each admin_level and each kind, at low detail, free and without
a key. QGIS and GDAL read them from <code>${baseUrl}/ogc</code>.</p>
${map()}
<ul>
<li><a href="${root}/collections?f=html">Collections</a></li>
<li><a href="${root}/conformance?f=html">Conformance classes</a></li>
<li><a href="${base}/openapi.json">OpenAPI description</a></li>
<li><a href="${base}/docs">Documentation</a></li>
</ul>`,
        [],
        `${root}?f=json`,
      ),
    conformance: (classes: readonly string[]): Page =>
      made(
        'Conformance classes',
        html`<ul>${classes.map((one) => html`<li>${one}</li>`)}</ul>`,
        [HOME],
        `${root}/conformance?f=json`,
      ),
    collections: (all: ReadonlyMap<string, OgcGroup>): Page =>
      made(
        'Collections',
        all.size === 0
          ? html`<p>This service holds no boundaries yet. <a href="${base}/coverage">How to bring a country</a>.</p>`
          : html`
<h2>By admin_level</h2>
<table><thead><tr><th>Collection</th><th class="number">Features</th><th>Description</th></tr></thead><tbody>${listOf(all, 'level')}</tbody></table>
<h2>Borders</h2>
<p><a href="${root}/collections/lines/items?f=html">lines</a>: each border once, and whether it is at sea.
<a href="${root}/collections/lines?f=html">About</a></p>
<h2>By kind</h2>
<table><thead><tr><th>Collection</th><th class="number">Features</th><th>Description</th></tr></thead><tbody>${listOf(all, 'kind')}</tbody></table>
${
  listOf(all, 'set').length > 0 &&
  html`
<h2>Your area sets</h2>
<table><thead><tr><th>Collection</th><th class="number">Areas</th><th>Description</th></tr></thead><tbody>${listOf(all, 'set')}</tbody></table>`
}`,
        [HOME],
        `${root}/collections?f=json`,
      ),
    collection: (id: string, group: OgcGroup): Page =>
      made(
        titleOf(group),
        html`
<p>${group.count.toLocaleString('en-US')} features at the last count, in degrees (CRS84) or in meters of Web Mercator
(EPSG:3857).</p>
${map(`${root}/collections/${id}/items?f=json&limit=50`)}
<ul>
<li><a href="${root}/collections/${id}/items?f=html">Features</a></li>
<li><a href="${root}/collections/${id}/queryables?f=html">Properties to filter by</a></li>
</ul>
<p class="hint">The map shows the first 50 features.</p>`,
        [HOME, LIST],
        `${root}/collections/${id}?f=json`,
      ),
    queryables: (id: string, group: OgcGroup): Page =>
      made(
        `Properties of ${id}`,
        html`
<p>A filter in CQL2 can name these, and <code>geometry</code> in S_INTERSECTS; each is also a parameter of its own.</p>
<table><thead><tr><th>Property</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${Object.entries(QUERYABLES).map(
          ([name, { type, title }]) => html`
<tr><td><code>${name}</code></td><td>${type}</td><td>${title}</td></tr>`,
        )}</tbody></table>
<p><a href="${root}/collections/${id}/items?f=html&amp;filter=${encodeURIComponent("name LIKE 'A%'")}">An example:
${titleOf(group).toLowerCase()} whose name begins with A</a></p>`,
        [HOME, LIST, [`/collections/${id}?f=html`, id]],
        `${root}/collections/${id}/queryables?f=json`,
      ),
    items: (id: string, group: OgcGroup, rows: readonly Row[], query: ItemsQuery, next: string | null): Page => {
      const address = `${root}/collections/${id}/items`;
      const links = html`
<p class="pages">${query.after !== '' && html`<a href="${address}${query.at('', 'html')}">First page</a>`}
${next !== null && html`<a href="${address}${query.at(next, 'html')}">Next page</a>`}</p>`;
      return made(
        titleOf(group),
        html`
<form action="${address}" method="get">
<input type="hidden" name="f" value="html">
<label for="filter">Filter (CQL2)</label>
<input id="filter" name="filter" value="${query.cql ?? ''}" maxlength="4000" spellcheck="false" aria-describedby="how">
<button>Filter</button>
<p class="hint" id="how">For example <code>population &gt; 100000 AND name LIKE 'S%'</code>.
<a href="${root}/collections/${id}/queryables?f=html">Properties</a></p>
</form>
${map(`${address}${query.forMap()}`, `${address}/`)}
${rows.length === 0 && html`<p>No feature ${next === null ? 'fits' : 'of this page fits; there are more'}.</p>`}
${
  rows.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="Features"><table><thead><tr>${COLUMNS.map(
    (name) => html`<th${isNumber(name) && html` class="number"`}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => rowOf(address, row))}</tbody></table></div>`
}
${links}`,
        [HOME, LIST, [`/collections/${id}?f=html`, id]],
        `${address}${query.at(query.after, 'json')}`,
      );
    },
    aboutLines: ({ title, description, queryables }: About): Page =>
      made(
        title,
        html`
<p>${description}</p>
${map(`${root}/collections/lines/items?f=json&admin_level=2&limit=100`)}
<p class="hint">The map shows the first 100 lines of admin_level 2.</p>
<table><thead><tr><th>Parameter</th><th>Meaning</th></tr></thead><tbody>${Object.entries(queryables).map(
          ([name, one]) => html`
<tr><td><code>${name}</code></td><td>${String((one as { title: string }).title)}</td></tr>`,
        )}</tbody></table>
<p><a href="${root}/collections/lines/items?f=html">Lines</a></p>`,
        [HOME, LIST],
        `${root}/collections/lines?f=json`,
      ),
    lines: ({ title }: About, lines: readonly LineFeature[], query: LinesQuery, next: string | null): Page => {
      const address = `${root}/collections/lines/items`;
      return made(
        title,
        html`
${map(`${address}${query.forMap()}`, `${address}/`)}
${lines.length === 0 && html`<p>No line ${next === null ? 'fits' : 'of this page fits; there are more'}.</p>`}
${
  lines.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="Lines"><table><thead><tr><th>Line</th>${LINE_COLUMNS.map(
    (name) => html`<th>${name}</th>`,
  )}</tr></thead><tbody>${lines.map(
    ({ id, properties }) => html`
<tr><td><a href="${address}/${id}?f=html">${id}</a></td>${LINE_COLUMNS.map((name) => html`<td>${shownOf(properties[name])}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
<p class="pages">${query.after !== '' && html`<a href="${address}${query.at('', 'html')}">First page</a>`}
${next !== null && html`<a href="${address}${query.at(next, 'html')}">Next page</a>`}</p>`,
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
<tr><th scope="row">${name}</th><td>${shownOf(value)}</td></tr>`,
        )}</tbody></table>`,
        [HOME, LIST, ['/collections/lines?f=html', 'lines'], ['/collections/lines/items?f=html', 'Lines']],
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
<p><a href="${base}/?id=${boundary.id}">Open in the dashboard</a></p>`,
        [HOME, LIST, [`/collections/${id}?f=html`, id], [`/collections/${id}/items?f=html`, 'Features']],
        json,
      );
    },
  };
}

function rowOf(address: string, { boundary, properties }: Row): Html {
  const cell = (name: (typeof COLUMNS)[number]): Html => {
    const value = properties[name];
    if (name === 'name') return html`<td><a href="${address}/${boundary.id}?f=html">${String(value)}</a></td>`;
    if (typeof value !== 'number') return html`<td>${value === null ? '' : String(value)}</td>`;
    return html`<td class="number">${value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 })}</td>`;
  };
  return html`\n<tr>${COLUMNS.map(cell)}</tr>`;
}

const isNumber = (name: (typeof COLUMNS)[number]): boolean =>
  name === 'admin_level' || name === 'population' || name === 'area_km2';
