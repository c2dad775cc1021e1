import initGeos from 'geos-wasm';
import { defined } from '../../src/common/elements.ts';
import { integerWkb } from '../../test/proof/oracle.ts';
import type { Polygons } from '../../workers/contract.ts';
import { polygonsFromWkb } from '../../workers/wkb.ts';

type Geos = Awaited<ReturnType<typeof initGeos>>;

const COLLECTION = 7;

/** Shapes passed to geos-wasm once, as one collection of integer coordinates, so that timed unions exclude it. */
export class GeosShapes {
  private readonly geos: Geos;
  private readonly collection: number;

  private constructor(geos: Geos, collection: number) {
    this.geos = geos;
    this.collection = collection;
  }

  static async load(shapes: readonly Polygons[]): Promise<GeosShapes> {
    return defined((await GeosShapes.loadGroups([shapes]))[0]);
  }

  /** One collection per group, in one instance of geos-wasm. */
  static async loadGroups(groups: readonly (readonly Polygons[])[]): Promise<GeosShapes[]> {
    const geos = await initGeos({ errorHandler: () => {}, noticeHandler: () => {} });
    return groups.map((shapes) => GeosShapes.handOver(geos, shapes));
  }

  private static handOver(geos: Geos, shapes: readonly Polygons[]): GeosShapes {
    const reader = geos.GEOSWKBReader_create();
    const parts = shapes.map((shape) => {
      const wkb = integerWkb(shape);
      const block = geos.Module._malloc(wkb.length);
      geos.Module.HEAPU8.set(wkb, block);
      const geometry = geos.GEOSWKBReader_read(reader, block, wkb.length);
      geos.Module._free(block);
      if (geometry === 0) throw new Error('GEOS cannot read a shape');
      return geometry;
    });
    geos.GEOSWKBReader_destroy(reader);
    const list = geos.Module._malloc(4 * parts.length);
    geos.Module.HEAPU32.set(parts, list / 4);
    const collection = geos.GEOSGeom_createCollection(COLLECTION, list, parts.length);
    geos.Module._free(list);
    return new GeosShapes(geos, collection);
  }

  /** GEOS's union without a grid (OverlayNG); discards the answer. */
  unaryUnion(): void {
    this.geos.GEOSGeom_destroy(this.made(this.geos.GEOSUnaryUnion(this.collection)));
  }

  /** GEOS's union of a coverage; discards the answer. */
  coverageUnion(): void {
    this.geos.GEOSGeom_destroy(this.made(this.geos.GEOSCoverageUnion(this.collection)));
  }

  /** The answer of one of the two. */
  answer(way: 'GEOSUnaryUnion' | 'GEOSCoverageUnion'): Polygons {
    const { geos } = this;
    const geometry = this.made(geos[way](this.collection));
    const writer = geos.GEOSWKBWriter_create();
    geos.GEOSWKBWriter_setOutputDimension(writer, 2);
    geos.GEOSWKBWriter_setByteOrder(writer, 1);
    const size = geos.Module._malloc(4);
    const block = geos.GEOSWKBWriter_write(writer, geometry, size);
    const bytes = geos.Module.HEAPU8.slice(block, block + geos.Module.getValue(size, 'i32'));
    geos.GEOSFree(block);
    geos.Module._free(size);
    geos.GEOSWKBWriter_destroy(writer);
    geos.GEOSGeom_destroy(geometry);
    return polygonsFromWkb(bytes);
  }

  private made(geometry: number): number {
    if (geometry === 0) throw new Error('GEOS failed');
    return geometry;
  }

  release(): void {
    this.geos.GEOSGeom_destroy(this.collection);
  }

  /** Prepares each shape, and returns a test whether a shape contains a point, border included. */
  prepared(count: number): (shape: number, x: number, y: number) => boolean {
    const { geos } = this;
    const shapes = Array.from({ length: count }, (_, i) => geos.GEOSPrepare(geos.GEOSGetGeometryN(this.collection, i)));
    return (shape, x, y) => geos.GEOSPreparedIntersectsXY(defined(shapes[shape]), x, y) === 1;
  }
}
