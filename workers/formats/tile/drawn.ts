/** File formats from which tiles are drawn, by reading the whole file. */
export const DRAWN_FORMATS = ['geojson', 'geojsonseq', 'ndjson', 'topojson'] as const;
export type DrawnFormat = (typeof DRAWN_FORMATS)[number];
