/** The two rivals that come without types. */
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
