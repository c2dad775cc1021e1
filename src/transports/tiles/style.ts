import { FONT } from './glyphs.ts';
import { queryOf, type Shown } from './tile_json.ts';

const COLORS = {
  light: { water: '#dde6ec', land: '#f7f5f0', line: '#8a7f96', country: '#5b4f6b', text: '#3a3344', halo: '#ffffff' },
  dark: { water: '#14181d', land: '#20252c', line: '#6d7684', country: '#a5afc0', text: '#d6dbe4', halo: '#14181d' },
} as const;

const BY_LEVEL = ['coalesce', ['get', 'level'], 13];

/** Builds a MapLibre style of the tiles of all boundaries; every URL in it is ours. `shown`: languages of the labels, and the date. */
export function styleOf(baseUrl: string, shown: Shown, theme: keyof typeof COLORS): object {
  const colors = COLORS[theme];
  const of = (layer: string) => ({ source: 'boundaries', 'source-layer': layer });
  const tileJson = `${baseUrl}/tiles/boundaries.json${queryOf(shown)}`;
  return {
    version: 8,
    name: `Boundaries, ${theme}`,
    glyphs: `${baseUrl}/tiles/glyphs/{fontstack}/{range}.pbf`,
    sources: { boundaries: { type: 'vector', url: tileJson } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': colors.water } },
      {
        id: 'land',
        type: 'fill',
        ...of('areas'),
        filter: ['<=', BY_LEVEL, 2],
        paint: { 'fill-color': colors.land, 'fill-antialias': false },
      },
      {
        id: 'lines',
        type: 'line',
        ...of('lines'),
        filter: ['>', BY_LEVEL, 2],
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
        filter: ['all', ['<=', BY_LEVEL, 2], ['!', ['to-boolean', ['get', 'disputed']]]],
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colors.country, 'line-width': ['interpolate', ['linear'], ['zoom'], 0, 0.6, 8, 2] },
      },
      {
        id: 'disputed',
        type: 'line',
        ...of('lines'),
        filter: ['all', ['<=', BY_LEVEL, 2], ['to-boolean', ['get', 'disputed']]],
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
