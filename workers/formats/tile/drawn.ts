/** Formats of files that tiles are drawn of, by reading all of the file. */
export const DRAWN_FORMATS = ['geojson', 'geojsonseq', 'ndjson', 'topojson'] as const;
export type DrawnFormat = (typeof DRAWN_FORMATS)[number];
