import type { SourceInfo } from '../store/source_rows.ts';

/** OpenStreetMap as a source. */
export const OSM_SOURCE: SourceInfo = {
  id: 'osm',
  name: 'OpenStreetMap',
  url: 'https://www.openstreetmap.org/copyright',
  license: 'ODbL-1.0',
  attribution: '© OpenStreetMap contributors, ODbL 1.0',
  resolution: null,
  seed: false,
  placing: { referenceSystem: 'EPSG:4326', accuracyM: 0 },
};
