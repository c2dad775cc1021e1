import mapshaper from 'mapshaper';
import type { Polygons } from '../../workers/contract.ts';
import { fromGeojson } from '../kernels/same.ts';

/** Shapes parsed by mapshaper once, their topology built. */
export class MapshaperShapes {
  private readonly dataset: mapshaper.Dataset;

  constructor(shapes: readonly GeoJSON.MultiPolygon[]) {
    this.dataset = mapshaper.internal.importContent({ json: { content: collection(shapes), filename: 'in.json' } }, {});
  }

  /** mapshaper -dissolve until coordinates are laid out. */
  dissolve(): GeoJSON.MultiPolygon | GeoJSON.Polygon {
    const { layers, arcs } = this.dataset;
    const layer = mapshaper.cmd.dissolve(layers[0], arcs, {});
    return mapshaper.internal.exportDatasetAsGeoJSON({ ...this.dataset, layers: [layer] }, {}).geometries[0];
  }
}

/** The whole command, from GeoJSON text to GeoJSON text, as one gives it on a command line. */
export async function dissolveText(text: string): Promise<string> {
  const answer = await mapshaper.applyCommands('-i in.json -dissolve -o out.json precision=0.0000001', {
    'in.json': text,
  });
  return answer['out.json'].toString();
}

/** What `dissolveText` gives, as polygons. */
export function polygonsOf(geometry: GeoJSON.MultiPolygon | GeoJSON.Polygon): Polygons {
  return fromGeojson(geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);
}

/** Shapes as the GeoJSON text that mapshaper and others are given. */
export function collection(shapes: readonly GeoJSON.MultiPolygon[]): GeoJSON.FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: shapes.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  };
}
