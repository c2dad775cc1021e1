/** The pages that show tiles to people: a map, what is under the pointer, and the URLs to use them by. */

import type { Key } from '../../common/texts/tables.ts';
import { MAP_STYLE, mapHtml } from '../pages/map.ts';
import { type Html, html, type Page, page } from '../pages/page.ts';
import { linkTo, type Words } from '../pages/words.ts';
import { queryOf, type Shown } from './tile_json.ts';

const STYLE = `${MAP_STYLE}
pre { margin: 0 0 1rem; padding: .8rem; white-space: pre-wrap; word-break: break-all; background: var(--ground); border-radius: .3rem;
  font: .82rem/1.5 ui-monospace, monospace; }
`;

/** The page of the tiles of all boundaries. */
export function boundariesPreview(baseUrl: string, shown: Shown, words: Words): Page {
  const query = queryOf(shown);
  const base = pathOf(baseUrl);
  // The style has no parameter for a part: its own tiles would show whole boundaries.
  const isPart = shown.part !== undefined && shown.part !== 'all';
  const style = `${base}/tiles/style.json${queryOf({ ...shown, part: 'all' })}`;
  return preview(words, 'tiles.boundaries', {
    base,
    map: mapHtml(words, { style, edges: true, ...(isPart && { tiles: `${base}/tiles/boundaries.json${query}` }) }),
    urls: [
      [words('tiles.style'), `${baseUrl}/tiles/style.json${queryOf({ ...shown, part: 'all' })}`],
      ['TileJSON', `${baseUrl}/tiles/boundaries.json${query}`],
      [words('tiles.tiles'), `${baseUrl}/tiles/boundaries/{z}/{x}/{y}.mvt${query}`],
    ],
  });
}

/** The page of the tiles of a selection or of an area set; `name` is their path below /tiles/. */
export function selectionPreview(baseUrl: string, name: string, shown: Shown, words: Words): Page {
  const query = queryOf(shown);
  const base = pathOf(baseUrl);
  const path = `/tiles/${name}`;
  return preview(words, 'tiles.selection', {
    base,
    map: mapHtml(words, {
      style: `${base}/tiles/style.json${query}`,
      tiles: `${base}${path}.json${query}`,
      edges: true,
    }),
    urls: [
      ['TileJSON', `${baseUrl}${path}.json${query}`],
      [words('tiles.tiles'), `${baseUrl}${path}/{z}/{x}/{y}.mvt${query}`],
    ],
  });
}

/** The page that says which tiles there are. */
export function tilesIndex(baseUrl: string, words: Words): Page {
  const base = pathOf(baseUrl);
  const at = (path: string) => linkTo(`${base}/tiles${path}`);
  return page(
    words('tiles.title'),
    html`<p>${words('tiles.intro')}</p>
<ul>
<li>${words('tiles.all', { all: at('/boundaries'), json: at('/boundaries.json'), style: at('/style.json') })}</li>
<li>${words('tiles.own', { select: linkTo(`${base}/select`), sets: linkTo(`${base}/sets`) })}</li>
</ul>
${waysOn(words, base)}`,
    { home: base, words },
  );
}

const waysOn = (words: Words, base: string): Html =>
  html`<p>${words('tiles.on', { docs: linkTo(`${base}/docs/guide#maps`), map: linkTo(`${base}/`) })}</p>`;

const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');

function preview(
  words: Words,
  title: Key,
  {
    base,
    map,
    urls,
  }: {
    readonly base: string;
    readonly map: Html;
    readonly urls: readonly (readonly [name: string | Html, url: string])[];
  },
): Page {
  const body = html`
<p>${words('tiles.click')}</p>
${map}
<h2>${words('tiles.use')}</h2>
${urls.map(([name, url]) => html`<p class="hint">${name}</p>\n<pre>${url}</pre>\n`)}
${waysOn(words, base)}`;
  return page(words(title), body, {
    ...{ wide: true, style: STYLE, script: `${base}/view.js` },
    ...{ map: true, home: base, words },
  });
}
