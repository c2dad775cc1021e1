/**
 * The script of the maps on pages that the server renders (/ogc, /tiles), which work without it. It is served as
 * /view.js. A map is an element with `data-style`, the address of its style, and perhaps `data-items`, a GeoJSON that is
 * drawn above it, `data-each`, the address of its features up to their id, `data-tiles`, a TileJSON, and `data-edges`.
 */
import { language, startLanguage, t } from './language.ts';

for (const place of document.querySelectorAll<HTMLElement>('.map[data-style]')) {
  startLanguage()
    .then(() => import('./view_map.ts'))
    .then(({ showMap }) => showMap(place))
    .catch((error: unknown) => {
      const said = document.createElement('p');
      said.className = 'hint';
      said.lang = language();
      said.textContent = navigator.onLine
        ? `${t('docs.noMap', { why: error instanceof Error ? error.message : t('docs.noWebgl') })}.`
        : t('docs.offline');
      place.replaceChildren(said);
    });
}
