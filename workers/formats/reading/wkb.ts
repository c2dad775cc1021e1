import wkx from 'wkx';
import { polygonsOf } from '../geojson/read.ts';
import { MAX_DEPTH, type PolygonRings, type Position, requireSize, type Tally, Unreadable } from './document.ts';

/** Types of the standard (OGC 06-103r4, table 7), without their dimensions. */
const TYPES = {
  point: 1,
  lineString: 2,
  polygon: 3,
  multiPoint: 4,
  multiLineString: 5,
  multiPolygon: 6,
  collection: 7,
  circularString: 8,
  compoundCurve: 9,
  curvePolygon: 10,
  multiCurve: 11,
  multiSurface: 12,
} as const;

/** The error for arcs, which would have to be made straight by a tolerance of their own. */
export const curved = (): Unreadable =>
  new Unreadable('it has arcs of circles: make them straight first (ogr2ogr -nlt CONVERT_TO_LINEAR)');

/** A geometry as GeoJSON has them, as far as readers need it. */
export type Geometry =
  | { readonly type: 'Point' | 'LineString' | 'Polygon'; readonly coordinates: unknown }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Geometry[] };

/**
 * The polygons of a geometry in well-known binary, also in PostGIS's form. Adds its other parts to `tally`.
 * @throws Unreadable for arcs, and for bytes of another format
 * @throws RangeError when the bytes end too early
 */
export function polygonsOfWkb(bytes: Uint8Array, tally: Tally): PolygonRings[] {
  requireSize(bytes.byteLength, 'geometry');
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return polygonsOf(surfacesOf(bytes) ?? wkx.Geometry.parse(buffer).toGeoJSON(), tally);
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) throw error;
    throw new Unreadable(`a geometry is not well-known binary: ${(error as Error).message}`);
  }
}

/**
 * The GeoJSON of a MULTISURFACE or CURVEPOLYGON of straight lines in well-known binary, also in PostGIS's form, or of a
 * collection that has one; null for any other geometry.
 * @throws Unreadable for arcs
 * @throws RangeError when the bytes end too early
 */
export function surfacesOf(bytes: Uint8Array): Geometry | null {
  const reader = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { type } = reader.head();
  if (type !== TYPES.multiSurface && type !== TYPES.curvePolygon && type !== TYPES.collection) return null;
  reader.at = 0;
  const geometry = reader.geometry(0);
  return reader.hasSurfaces ? geometry : null;
}

interface Head {
  readonly type: number;
  /** Numbers of a position. */
  readonly width: number;
}

class Reader {
  at = 0;
  hasSurfaces = false;
  private isLittle = true;
  private readonly view: DataView;

  constructor(view: DataView) {
    this.view = view;
  }

  head(): Head {
    this.isLittle = this.view.getUint8(this.at) === 1;
    this.at++;
    const raw = this.count();
    if (raw & 0x20000000) this.at += 4;
    const [code, dimensions] = [raw & 0xffff, Math.floor((raw & 0xffff) / 1000)];
    const hasZ = (raw & 0x80000000) !== 0 || dimensions === 1 || dimensions === 3;
    const hasM = (raw & 0x40000000) !== 0 || dimensions >= 2;
    return { type: code % 1000, width: 2 + Number(hasZ) + Number(hasM) };
  }

  geometry(depth: number): Geometry {
    if (depth > MAX_DEPTH) throw new Unreadable(`its geometries are nested more than ${MAX_DEPTH} deep`);
    const { type, width } = this.head();
    switch (type) {
      case TYPES.point:
        return { type: 'Point', coordinates: this.position(width) };
      case TYPES.lineString:
        return { type: 'LineString', coordinates: this.list(() => this.position(width)) };
      case TYPES.compoundCurve:
        return { type: 'LineString', coordinates: this.list(() => this.curve()).flat() };
      case TYPES.circularString:
        throw curved();
      case TYPES.polygon:
        return { type: 'Polygon', coordinates: this.list(() => this.list(() => this.position(width))) };
      case TYPES.curvePolygon:
        this.hasSurfaces = true;
        return { type: 'Polygon', coordinates: this.list(() => this.curve()) };
      case TYPES.multiSurface:
        this.hasSurfaces = true;
        return this.parts(depth);
      case TYPES.multiPoint:
      case TYPES.multiLineString:
      case TYPES.multiCurve:
      case TYPES.multiPolygon:
      case TYPES.collection:
        return this.parts(depth);
      default:
        throw new Unreadable(`a geometry has a part of the type ${type}`);
    }
  }

  private parts(depth: number): Geometry {
    return { type: 'GeometryCollection', geometries: this.list(() => this.geometry(depth + 1)) };
  }

  /** The positions of a curve of straight lines. */
  private curve(): Position[] {
    const { type, width } = this.head();
    if (type === TYPES.lineString) return this.list(() => this.position(width));
    if (type === TYPES.circularString) throw curved();
    if (type !== TYPES.compoundCurve) throw new Unreadable(`a ring is of the type ${type}`);
    return this.list(() => this.curve()).flat();
  }

  private position(width: number): Position {
    const numbers = Array.from({ length: width }, (_, i) => this.view.getFloat64(this.at + 8 * i, this.isLittle));
    this.at += 8 * width;
    return numbers as unknown as Position;
  }

  /** A count, then as many parts. Reading past the end throws, so a wrong count does no harm. */
  private list<T>(read: () => T): T[] {
    const parts: T[] = [];
    for (let left = this.count(); left > 0; left--) parts.push(read());
    return parts;
  }

  private count(): number {
    const value = this.view.getUint32(this.at, this.isLittle);
    this.at += 4;
    return value;
  }
}
