/** Types of rivals that have none, or that are installed only for a run; only the parts used here. */
declare module 'tokml' {
  export default function tokml(geojson: GeoJSON.GeoJSON): string;
}
declare module 'geojson-to-svg' {
  interface Renderer {
    data(collection: GeoJSON.FeatureCollection): Renderer;
    render(): string;
  }
  export default function geojsonToSvg(): Renderer;
}
/** The part of mapshaper used here; it has no types of its own. */
declare module 'mapshaper' {
  namespace mapshaper {
    interface Layer {
      readonly geometry_type: string;
    }
    interface Dataset {
      readonly layers: readonly Layer[];
      readonly arcs: object;
    }
  }
  const mapshaper: {
    readonly applyCommands: (
      commands: string,
      input: Readonly<Record<string, string>>,
    ) => Promise<Record<string, Buffer>>;
    readonly cmd: { readonly dissolve: (layer: mapshaper.Layer, arcs: object, options: object) => mapshaper.Layer };
    readonly internal: {
      readonly importContent: (
        content: { json: { content: GeoJSON.GeoJSON; filename: string } },
        options: object,
      ) => mapshaper.Dataset;
      readonly exportDatasetAsGeoJSON: (
        dataset: mapshaper.Dataset,
        options: object,
      ) => {
        readonly geometries: (GeoJSON.MultiPolygon | GeoJSON.Polygon)[];
        /** If the shapes have properties. */
        readonly features: {
          readonly properties: { readonly group: string };
          readonly geometry: GeoJSON.MultiPolygon | GeoJSON.Polygon;
        }[];
      };
    };
  };
  export default mapshaper;
}
declare module 'polyclip-ts' {
  export type Geom = GeoJSON.Position[][][];
  export function union(first: Geom, ...rest: Geom[]): Geom;
}
declare module 'polygon-clipping' {
  namespace polygonClipping {
    type Geom = GeoJSON.Position[][][];
  }
  const polygonClipping: {
    readonly union: (first: polygonClipping.Geom, ...rest: polygonClipping.Geom[]) => polygonClipping.Geom;
  };
  export default polygonClipping;
}
declare module '@turf/union' {
  export function union(
    features: GeoJSON.FeatureCollection<GeoJSON.Polygon | GeoJSON.MultiPolygon>,
  ): GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon> | null;
}
