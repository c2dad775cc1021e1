/** The pages that show tiles to people: a map, what is under the pointer, and the URLs to use them by. */

import { MAP_STYLE, mapHtml } from '../pages/map.ts';
import { type Html, html, type Page, page } from '../pages/page.ts';
import { queryOf, type Shown } from './tile_json.ts';

const STYLE = `${MAP_STYLE}
pre { margin: 0 0 1rem; padding: .8rem; white-space: pre-wrap; word-break: break-all; background: var(--ground); border-radius: .3rem;
  font: .82rem/1.5 ui-monospace, monospace; }
`;

/** The page of the tiles of all boundaries. */
export function boundariesPreview(baseUrl: string, shown: Shown): Page {
  const query = queryOf(shown);
  const base = pathOf(baseUrl);
  // The style has no parameter for a part: its own tiles would show whole boundaries.
  const isPart = shown.part !== undefined && shown.part !== 'all';
  const style = `${base}/tiles/style.json${queryOf({ ...shown, part: 'all' })}`;
  return preview('Tiles of boundaries', {
    base,
    map: mapHtml({ style, edges: true, ...(isPart && { tiles: `${base}/tiles/boundaries.json${query}` }) }),
    urls: [
      ['Style (MapLibre, QGIS)', `${baseUrl}/tiles/style.json${queryOf({ ...shown, part: 'all' })}`],
      ['TileJSON', `${baseUrl}/tiles/boundaries.json${query}`],
      ['Tiles', `${baseUrl}/tiles/boundaries/{z}/{x}/{y}.mvt${query}`],
    ],
  });
}

/** The page of the tiles of a selection or of an area set; `name` is their path below /tiles/. */
export function selectionPreview(baseUrl: string, name: string, shown: Shown): Page {
  const query = queryOf(shown);
  const base = pathOf(baseUrl);
  const path = `/tiles/${name}`;
  return preview('Tiles of a selection', {
    base,
    map: mapHtml({ style: `${base}/tiles/style.json${query}`, tiles: `${base}${path}.json${query}`, edges: true }),
    urls: [
      ['TileJSON', `${baseUrl}${path}.json${query}`],
      ['Tiles', `${baseUrl}${path}/{z}/{x}/{y}.mvt${query}`],
    ],
  });
}

/** The page that says which tiles there are. */
export function tilesIndex(baseUrl: string): Page {
  const base = pathOf(baseUrl);
  return page(
    'Tiles',
    html`<p>Vector tiles for maps, drawn from the boundaries of this service.</p>
<ul>
<li><a href="${base}/tiles/boundaries">All boundaries</a>: a map, and the addresses to use it by.
(<a href="${base}/tiles/boundaries.json">TileJSON</a>, <a href="${base}/tiles/style.json">style</a>)</li>
<li>A selection, an area set or a file of your library has tiles of its own: choose boundaries on
<a href="${base}/select">the page to select them</a>, or open one of <a href="${base}/sets">your sets</a>.</li>
</ul>
<p><a href="${base}/docs/guide#maps">Documentation</a> · <a href="${base}/">Dashboard</a></p>`,
    { home: base },
  );
}

const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');

function preview(
  title: string,
  {
    base,
    map,
    urls,
  }: { readonly base: string; readonly map: Html; readonly urls: readonly (readonly [name: string, url: string])[] },
): Page {
  const body = html`
<p>Click the map to see what the tiles say of a place.</p>
${map}
<h2>Use them</h2>
${urls.map(([name, url]) => html`<p class="hint">${name}</p>\n<pre>${url}</pre>\n`)}
<p><a href="${base}/docs/guide#maps">Documentation</a> · <a href="${base}/">Dashboard</a></p>`;
  return page(title, body, { wide: true, style: STYLE, script: `${base}/view.js`, map: true, home: base });
}
