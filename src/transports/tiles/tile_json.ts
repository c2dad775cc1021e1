import { askedAs, type Part } from '../../domain/boundaries/land.ts';
import { MAX_ZOOM } from '../../tiles/boundary_tiles.ts';
import type { ArchiveInfo } from '../../tiles/saved_archive.ts';
import { escapeHtml } from '../pages/page.ts';

/** Northern and southern limit of the Web Mercator map, in degrees. */
const LAST_LATITUDE = 85.0511;

/** Fields of the layers that describe boundaries. */
const FIELDS = {
  id: 'Boundary id, such as r62422',
  name: 'In the language of ?lang=, else the local name',
  level: 'admin_level; absent: it has none',
  kind: 'country, state, county, municipality …',
  country: 'ISO 3166-1 alpha-2',
};

/**
 * What the tiles of boundaries show: languages of names as the client sent them (null: local names), the date (null:
 * today), and the part of boundaries.
 */
export interface Shown {
  readonly lang: string | null;
  readonly asOf?: string | null;
  readonly part?: Part;
}

/** What the tiles are of. */
const TITLES: Readonly<Record<Part, string>> = {
  all: 'Administrative boundaries',
  land: 'The land of administrative boundaries, where it is known',
  water: 'The sea of administrative boundaries, where it is known',
  dry_land: 'The land of administrative boundaries without inland water, where it is known',
};

const SELECTION_TITLES: Readonly<Record<Part, string>> = {
  all: 'A selection of boundaries',
  land: 'The land of a selection of boundaries',
  water: 'The sea of a selection of boundaries',
  dry_land: 'The land of a selection of boundaries without inland water',
};

/** The TileJSON 3.0 of the tiles of all boundaries. */
export function tileJson(baseUrl: string, shown: Shown, attributions: readonly string[]): object {
  const tiles = `${baseUrl}/tiles/boundaries/{z}/{x}/{y}.mvt${queryOf(shown)}`;
  return described(tiles, TITLES[shown.part ?? 'all'], attributions);
}

/** The TileJSON 3.0 of the tiles of a library file. Its areas have the properties that the file gives them. */
export function fileTileJson(baseUrl: string, { id, name }: { readonly id: string; readonly name: string }): object {
  return described(`${baseUrl}/tiles/files/${id}/{z}/{x}/{y}.mvt`, name, []);
}

/** The TileJSON 3.0 of the tiles of an archive in the library, with the archive's own description of its layers. */
export function archiveTileJson(
  baseUrl: string,
  file: { readonly id: string; readonly name: string },
  { minZoom, maxZoom, bounds, metadata }: ArchiveInfo,
): object {
  const { attribution, vector_layers } = metadata;
  return {
    ...fileTileJson(baseUrl, file),
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds,
    // Maps render it as HTML.
    attribution: escapeHtml(typeof attribution === 'string' ? attribution : ''),
    ...(Array.isArray(vector_layers) && { vector_layers }),
  };
}

/** The TileJSON 3.0 of the tiles of a selection. */
export function selectionTileJson(
  baseUrl: string,
  {
    name,
    lang,
    asOf,
    part,
    members,
    largest,
  }: {
    /** Its path below /tiles/. */
    readonly name: string;
    readonly lang: string | null;
    readonly asOf: string | null;
    readonly part: Part;
    readonly members: readonly { readonly box: readonly number[]; readonly attribution: string }[];
    /** How many areas a tile has at most, the largest; null: all that meet it. */
    readonly largest: number | null;
  },
): object {
  const attributions = [...new Set(members.map(({ attribution }) => attribution))];
  const tiles = `${baseUrl}/tiles/${name}/{z}/{x}/{y}.mvt${queryOf({ lang, asOf })}`;
  const description = `Each tile has at most ${largest} areas: the largest that meet it.`;
  return {
    ...described(tiles, SELECTION_TITLES[part], attributions),
    ...(largest === null ? {} : { description }),
    bounds: boundsOf(members),
  };
}

/**
 * The bounding box of all members in degrees (their boxes are in 1e-7 degrees). It spans all longitudes if a member
 * crosses the antimeridian.
 */
function boundsOf(members: readonly { readonly box: readonly number[] }[]): number[] {
  let [west, south, east, north] = [180, LAST_LATITUDE, -180, -LAST_LATITUDE];
  for (const { box } of members) {
    const [left = 0, low = 0, right = 0, high = 0] = box.map((value) => value / 1e7);
    west = left > right ? -180 : Math.min(west, left);
    east = left > right ? 180 : Math.max(east, right);
    south = Math.min(south, low);
    north = Math.max(north, high);
  }
  if (west > east) return [-180, -LAST_LATITUDE, 180, LAST_LATITUDE];
  return [west, Math.max(-LAST_LATITUDE, south), east, Math.min(LAST_LATITUDE, north)];
}

/** The query of an address that shows that, with its question mark. */
export function queryOf({ lang, asOf = null, part = 'all' }: Shown): string {
  const given = Object.entries({ lang, as_of: asOf, ...askedAs(part) }).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : `${key}=${encodeURIComponent(value)}`,
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
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
    // Maps render it as HTML.
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
          disputed: 'It bounds a boundary in several countries',
          maritime: 'It runs at sea; absent: not known',
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
