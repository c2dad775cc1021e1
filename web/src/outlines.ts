import type { Shape } from './api.ts';

type Collection = GeoJSON.FeatureCollection;
type Position = readonly number[];

/** The rings as lines, without the edges that only close a polygon at the antimeridian. */
export function outlines(data: Shape | Collection): GeoJSON.Feature<GeoJSON.MultiLineString>[] {
  const features = data.type === 'FeatureCollection' ? data.features : [data];
  return features.map((feature) => {
    const { geometry } = feature;
    const polygons =
      geometry?.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry?.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    const lines = polygons.flat().flatMap(openRing);
    return {
      type: 'Feature',
      properties: { id: feature.id ?? feature.properties?.id ?? '', color: feature.properties?.color },
      geometry: { type: 'MultiLineString', coordinates: lines as number[][][] },
    };
  });
}

const atEdge = ([a = 0]: Position, [b = 0]: Position): boolean => Math.abs(a) === 180 && a === b;

function openRing(ring: readonly Position[]): Position[][] {
  const lines: Position[][] = [];
  let line: Position[] = [];
  ring.forEach((point, i) => {
    const before = ring[i - 1];
    if (before !== undefined && atEdge(before, point)) {
      if (line.length > 1) lines.push(line);
      line = [];
    }
    line.push(point);
  });
  if (line.length > 1) lines.push(line);
  return lines;
}
