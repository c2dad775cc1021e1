import { MAX_ZOOM } from '../../tiles/boundary_tiles.ts';
import { escapeHtml } from '../pages/page.ts';

/** Where the map ends, north and south. */
const LAST_LATITUDE = 85.0511;

/** Fields of the layers that tell of boundaries. */
const FIELDS = {
  id: 'Boundary id, such as r62422',
  name: 'In the language of ?lang=, else the local name',
  level: 'admin_level; absent: it has none',
  kind: 'country, state, county, municipality …',
  country: 'ISO 3166-1 alpha-2',
};

/** The address of a tile with its places left open, and the languages of names. */
export function tilesUrl(baseUrl: string, lang: string | null): string {
  return `${baseUrl}/tiles/boundaries/{z}/{x}/{y}.mvt${lang === null ? '' : `?lang=${encodeURIComponent(lang)}`}`;
}

/** The TileJSON 3.0 of the tiles of all boundaries. */
export function tileJson(baseUrl: string, lang: string | null, attributions: readonly string[]): object {
  return described(tilesUrl(baseUrl, lang), 'Administrative boundaries', attributions);
}

/** The TileJSON 3.0 of the tiles of a file of the library: its areas have the properties that the file gives them. */
export function fileTileJson(baseUrl: string, { id, name }: { readonly id: string; readonly name: string }): object {
  return described(`${baseUrl}/tiles/files/${id}/{z}/{x}/{y}.mvt`, name, []);
}

function described(tiles: string, name: string, attributions: readonly string[]) {
  return {
    tilejson: '3.0.0',
    name,
    scheme: 'xyz',
    tiles: [tiles],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    bounds: [-180, -LAST_LATITUDE, 180, LAST_LATITUDE],
    // Maps show it as HTML.
    attribution: attributions.map(escapeHtml).join('; '),
    vector_layers: [
      { id: 'areas', description: 'Polygons of every level', minzoom: 0, maxzoom: MAX_ZOOM, fields: FIELDS },
      {
        id: 'lines',
        description: 'Each border once',
        minzoom: 0,
        maxzoom: MAX_ZOOM,
        fields: {
          level: 'The lowest admin_level that it bounds',
          disputed: 'It bounds what lies in several countries',
        },
      },
      {
        id: 'labels',
        description: 'A point in each boundary',
        minzoom: 0,
        maxzoom: MAX_ZOOM,
        fields: { ...FIELDS, rank: 'Smaller is more important' },
      },
    ],
  };
}
