/**
 * The script of the maps on pages that the server renders (/ogc, /tiles), which work without it. It is served as
 * /view.js. A map is an element with `data-style`, the address of its style, and perhaps `data-items`, a GeoJSON that is
 * drawn above it, `data-each`, the address of its features up to their id, `data-tiles`, a TileJSON, and `data-edges`.
 */
for (const place of document.querySelectorAll<HTMLElement>('.map[data-style]')) {
  import('./view_map.ts')
    .then(({ showMap }) => showMap(place))
    .catch((error: unknown) => {
      const said = document.createElement('p');
      said.className = 'hint';
      said.textContent = navigator.onLine
        ? `The map cannot be shown: ${error instanceof Error ? error.message : 'this browser cannot draw it'}.`
        : 'You are offline. The map needs a connection; reload the page when there is one.';
      place.replaceChildren(said);
    });
}

export {};
