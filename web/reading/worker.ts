/** Reads and converts a file that was dropped, in a worker of the page, by the service's own code: nothing leaves the browser. */
import './buffer.ts';
import { readDocument } from '../../workers/formats/read.ts';
import type { ReadDocument, ReadFeature } from '../../workers/formats/reading/document.ts';
import { SeveralLayers } from '../../workers/formats/reading/layers.ts';
import { formatOf, formatsOfExtension, READABLE } from '../../workers/formats/registry.ts';
import { setTable } from './node.ts';
import type { Asked, Preview, Reply } from './preview.ts';
import { isTooMuch, MOST_UNPACKED } from './zlib.ts';

/** Most points and areas that are sent to the map, and rows and columns to the table. */
const MOST = { points: 200_000, areas: 10_000, rows: 200, columns: 40, text: 200 };

/** Formats with a feature on each line. */
const LINES: readonly string[] = ['geojsonseq', 'ndjson'];

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST.text ? `${text.slice(0, MOST.text)}…` : text;
};

const pointsOf = ({ polygons }: ReadFeature): number =>
  polygons.reduce((sum, rings) => sum + rings.reduce((all, ring) => all + ring.length, 0), 0);

/** Longitudes may also go from 0 to 360, as those of areas across the antimeridian do. */
const isPlace = ([lon, lat]: readonly [number, number]): boolean => Math.abs(lon) <= 360 && Math.abs(lat) <= 90;

/** A file in bounds for a page. */
function previewOf(format: string, { features, left, heights, notices = [], changes, layers }: ReadDocument): Preview {
  const columns = new Set<string>();
  const shapes: GeoJSON.Feature[] = [];
  let points = 0;
  let [drawn, misplaced] = [0, 0];
  let [west, south, east, north] = [180, 90, -180, -90];
  features.forEach((feature, i) => {
    for (const name of Object.keys(feature.properties)) columns.add(name);
    const own = pointsOf(feature);
    points += own;
    if (!feature.polygons.every((rings) => rings.every((ring) => ring.every(isPlace)))) {
      misplaced++;
      return;
    }
    for (const [ring = []] of feature.polygons) {
      for (const [lon, lat] of ring) {
        west = Math.min(west, lon);
        east = Math.max(east, lon);
        south = Math.min(south, lat);
        north = Math.max(north, lat);
      }
    }
    if (own === 0 || drawn + own > MOST.points || shapes.length === MOST.areas) return;
    drawn += own;
    const coordinates = feature.polygons.map((rings) => rings.map((ring) => ring.map(([lon, lat]) => [lon, lat])));
    shapes.push({ type: 'Feature', properties: { id: String(i) }, geometry: { type: 'MultiPolygon', coordinates } });
  });
  const said = [...notices];
  for (const [what, names] of Object.entries(changes ?? {})) said.push(`${what}: ${names.slice(0, 10).join(', ')}`);
  const areas = features.filter((feature) => feature.polygons.length > 0).length;
  const listed = [...columns].slice(0, MOST.columns);
  return {
    ...{ format, features: features.length, points, columns: listed, moreColumns: columns.size - listed.length },
    box: west > east ? null : [west, south, east, north],
    shapes: { type: 'FeatureCollection', features: shapes },
    rows: features.slice(0, MOST.rows).map(({ properties }) => listed.map((name) => shown(properties[name]))),
    ...{ areas, misplaced, left, heights: Boolean(heights), layers: (layers ?? []).slice(0, 20), notices: said },
  };
}

async function answer({ name, bytes, beside, table, layer, crs, wanted }: Asked): Promise<Reply> {
  setTable(table);
  try {
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    const start = formatOf(bytes, ending);
    if (start === null) return { failed: `${name} is in none of the formats that are read here.` };
    // A file of lines begins as GeoJSON does: there the extension decides.
    const lines = READABLE.find((one) => LINES.includes(one) && formatsOfExtension(ending, true).includes(one));
    const format = start === 'geojson' ? (lines ?? start) : start;
    if (wanted !== undefined) {
      // With its kernels and writers: loaded when a file is converted.
      const { converted } = await import('./convert.ts');
      return await converted({ name, bytes, beside, layer, crs }, format, wanted);
    }
    const document = await readDocument(format, bytes, { beside, layer, crs });
    return { preview: previewOf(format, document) };
  } catch (error) {
    // Whatever the reader makes of it.
    if (isTooMuch()) {
      const most = `${MOST_UNPACKED / 2 ** 20} MiB`;
      return {
        failed: `it unpacks to more than the ${most} that are read here. The command line reads it: boundary convert.`,
      };
    }
    const layers = error instanceof SeveralLayers ? { layers: error.layers } : {};
    return { failed: error instanceof Error ? error.message : String(error), ...layers };
  }
}

declare const self: {
  onmessage: ((event: { readonly data: Asked }) => void) | null;
  postMessage(reply: Reply, transfer: readonly ArrayBufferLike[]): void;
};

self.onmessage = async ({ data }) => {
  const reply = await answer(data);
  self.postMessage(reply, 'converted' in reply ? [reply.converted.bytes.buffer] : []);
};
