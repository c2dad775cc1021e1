import { FONT } from './glyphs.ts';
import { queryOf, type Shown } from './tile_json.ts';

const COLORS = {
  light: { water: '#dde6ec', land: '#f7f5f0', line: '#8a7f96', country: '#5b4f6b', text: '#3a3344', halo: '#ffffff' },
  dark: { water: '#14181d', land: '#20252c', line: '#6d7684', country: '#a5afc0', text: '#d6dbe4', halo: '#14181d' },
} as const;

const BY_LEVEL = ['coalesce', ['get', 'level'], 13];

/** Borders at sea are left out: the waters, where they are known, are drawn lightly. */
const ON_LAND = ['!', ['to-boolean', ['get', 'maritime']]];

/**
 * Builds a MapLibre style of the tiles of all boundaries; every URL in it is ours. `shown`: languages of the labels, the
 * date, and the part of the boundaries.
 */
export function styleOf(baseUrl: string, shown: Shown, theme: keyof typeof COLORS): object {
  const colors = COLORS[theme];
  const of = (layer: string) => ({ source: 'boundaries', 'source-layer': layer });
  const tileJson = `${baseUrl}/tiles/boundaries.json${queryOf(shown)}`;
  // Water is stored only of today.
  const hasWaters = (shown.asOf ?? null) === null;
  const waterJson = `${baseUrl}/tiles/boundaries.json${queryOf({ ...shown, part: 'water' })}`;
  return {
    version: 8,
    name: `Boundaries, ${theme}`,
    glyphs: `${baseUrl}/tiles/glyphs/{fontstack}/{range}.pbf`,
    sources: {
      boundaries: { type: 'vector', url: tileJson },
      ...(hasWaters && { waters: { type: 'vector', url: waterJson } }),
    },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': colors.water } },
      {
        id: 'land',
        type: 'fill',
        ...of('areas'),
        filter: ['<=', BY_LEVEL, 2],
        paint: { 'fill-color': colors.land, 'fill-antialias': false },
      },
      ...(hasWaters
        ? [
            {
              id: 'waters',
              type: 'fill',
              source: 'waters',
              'source-layer': 'areas',
              filter: ['<=', BY_LEVEL, 2],
              paint: { 'fill-color': colors.water, 'fill-opacity': 0.75, 'fill-antialias': false },
            },
          ]
        : []),
      {
        id: 'lines',
        type: 'line',
        ...of('lines'),
        filter: ['all', ['>', BY_LEVEL, 2], ON_LAND],
        layout: { 'line-join': 'round' },
        paint: {
          'line-color': colors.line,
          'line-width': ['interpolate', ['linear'], BY_LEVEL, 3, 1.4, 8, 0.6],
          'line-opacity': ['interpolate', ['linear'], BY_LEVEL, 3, 0.9, 10, 0.5],
        },
      },
      {
        id: 'countries',
        type: 'line',
        ...of('lines'),
        filter: ['all', ['<=', BY_LEVEL, 2], ['!', ['to-boolean', ['get', 'disputed']]], ON_LAND],
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colors.country, 'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.6, 8, 2] },
      },
      {
        id: 'disputed',
        type: 'line',
        ...of('lines'),
        filter: ['all', ['<=', BY_LEVEL, 2], ['to-boolean', ['get', 'disputed']], ON_LAND],
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colors.country, 'line-width': 1.2, 'line-dasharray': [3, 2] },
      },
      {
        id: 'labels',
        type: 'symbol',
        ...of('labels'),
        layout: {
          'text-field': ['get', 'name'],
          'text-font': [FONT],
          'text-size': ['interpolate', ['linear'], BY_LEVEL, 2, 15, 8, 11],
          'text-max-width': 8,
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { 'text-color': colors.text, 'text-halo-color': colors.halo, 'text-halo-width': 1.2 },
      },
    ],
  };
}
