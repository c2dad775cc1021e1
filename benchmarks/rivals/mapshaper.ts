import mapshaper from 'mapshaper';
import type { Polygons } from '../../workers/contract.ts';
import { fromGeojson } from '../kernels/same.ts';

/** Shapes that mapshaper has parsed once, with their topology built. */
export class MapshaperShapes {
  private readonly content: GeoJSON.FeatureCollection;
  private dataset: mapshaper.Dataset;

  /** `groups`: the group of each shape, for dissolveGroups(). */
  constructor(shapes: readonly GeoJSON.MultiPolygon[], groups: readonly string[] = []) {
    this.content = collection(shapes, groups);
    this.dataset = this.imported();
  }

  private imported(): mapshaper.Dataset {
    return mapshaper.internal.importContent({ json: { content: this.content, filename: 'in.json' } }, {});
  }

  /** Everything the command does after parsing its file: the topology, then dissolveGroups(). */
  dissolveParsed(): ReturnType<MapshaperShapes['dissolveGroups']> {
    this.dataset = this.imported();
    return this.dissolveGroups();
  }

  /** mapshaper -dissolve group, until coordinates are materialized: the areas by group. */
  dissolveGroups(): Map<string, GeoJSON.MultiPolygon | GeoJSON.Polygon> {
    const { layers, arcs } = this.dataset;
    const layer = mapshaper.cmd.dissolve(layers[0], arcs, { field: 'group' });
    const { features } = mapshaper.internal.exportDatasetAsGeoJSON({ ...this.dataset, layers: [layer] }, {});
    return new Map(features.map(({ properties, geometry }) => [properties.group, geometry]));
  }

  /** mapshaper -dissolve, until coordinates are materialized. */
  dissolve(): GeoJSON.MultiPolygon | GeoJSON.Polygon {
    const { layers, arcs } = this.dataset;
    const layer = mapshaper.cmd.dissolve(layers[0], arcs, {});
    return mapshaper.internal.exportDatasetAsGeoJSON({ ...this.dataset, layers: [layer] }, {}).geometries[0];
  }
}

/** The whole command, from GeoJSON text to GeoJSON text, as on a command line. */
export async function dissolveText(text: string): Promise<string> {
  const answer = await mapshaper.applyCommands('-i in.json -dissolve -o out.json precision=0.0000001', {
    'in.json': text,
  });
  return answer['out.json'].toString();
}

/** The result of `dissolve` as polygons. */
export function polygonsOf(geometry: GeoJSON.MultiPolygon | GeoJSON.Polygon): Polygons {
  return fromGeojson(geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);
}

/** Shapes as a GeoJSON collection for mapshaper and others. */
export function collection(
  shapes: readonly GeoJSON.MultiPolygon[],
  groups: readonly string[] = [],
): GeoJSON.FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: shapes.map((geometry, i) => ({
      type: 'Feature',
      properties: groups.length > 0 ? { group: groups[i] } : {},
      geometry,
    })),
  };
}
