import { type Html, html } from './html.ts';
import type { Words } from './words.ts';

/** CSS rules of a map on a page, and of what its script adds below it. */
export const MAP_STYLE = `
.map { height: 24rem; max-height: 70vh; margin: 0 0 .6rem; border: 1px solid var(--line); border-radius: .3rem; overflow: hidden; background: var(--ground); }
.map .maplibregl-ctrl-group.maplibregl-ctrl-group { background: var(--paper); box-shadow: 0 0 0 1px var(--line); }
.map .maplibregl-ctrl-group button { min-height: 0; margin: 0; padding: 0; }
.map .maplibregl-ctrl-group button + button { border-top-color: var(--line); }
.map .maplibregl-ctrl-scale.maplibregl-ctrl-scale { background: var(--paper); color: var(--ink); border-color: var(--soft); }
@media (prefers-color-scheme: dark) { .map .maplibregl-ctrl-icon { filter: invert(1); } }
.map > .hint { padding: .8rem; } .clicked p { margin: 0 0 .4rem; } .map ~ .choice { padding: 0; }
`;

/** What a map shows; each is a URL. */
export interface ShownMap {
  /** Its MapLibre style. */
  readonly style: string;
  /** GeoJSON that is drawn above it. */
  readonly items?: string;
  /** Pages of those features, up to their id. */
  readonly each?: string;
  /** TileJSON of tiles that are drawn above it. */
  readonly tiles?: string;
  /** Whether the reader can show the edges of tiles. */
  readonly edges?: boolean;
}

/** An element that the script /view.js makes a map of. */
export function mapHtml(words: Words, { style, items, each, tiles, edges = false }: ShownMap): Html {
  const data = (name: string, value: string | undefined) => value !== undefined && html` data-${name}="${value}"`;
  return html`
<div class="map" data-style="${style}"${data('items', items)}${data('each', each)}${data('tiles', tiles)}${edges && html` data-edges="yes"`} role="region" aria-label="${words('map.map')}">
<p class="hint">${words('map.script')}</p></div>`;
}
