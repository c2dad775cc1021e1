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

/** Bits of PostGIS's form for heights, measures and the number of a reference system, which follows. */
const [HAS_Z, HAS_M, HAS_SRID] = [0x80000000, 0x40000000, 0x20000000];

/** The most rings of a geometry, as of an area that is imported: an empty one takes four bytes only. */
const MOST_RINGS = 1_000_000;

/** The error for arcs, which would have to be made straight by a tolerance of their own. */
export const curved = (): Unreadable =>
  new Unreadable('it has arcs of circles: make them straight first (ogr2ogr -nlt CONVERT_TO_LINEAR)');

/**
 * The polygons of a geometry in well-known binary, also in PostGIS's form, and the offset of the first byte behind it.
 * Curves of straight lines are lines. Adds other parts to `tally`, and whether there are heights or measures.
 * @throws Unreadable for areas with arcs, and for bytes of another format
 * @throws RangeError when the bytes end too early
 */
export function readWkb(bytes: Uint8Array, tally: Tally): { readonly polygons: PolygonRings[]; readonly end: number } {
  requireSize(bytes.byteLength, 'geometry');
  const reader = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), tally);
  reader.geometry(0);
  return { polygons: reader.polygons, end: reader.at };
}

/** The polygons alone. @throws as readWkb does */
export const polygonsOfWkb = (bytes: Uint8Array, tally: Tally): PolygonRings[] => readWkb(bytes, tally).polygons;

interface Head {
  readonly type: number;
  /** Bytes of a position. */
  readonly width: number;
}

class Reader {
  readonly polygons: PolygonRings[] = [];
  at = 0;
  private rings = 0;
  private isLittle = true;
  private readonly view: DataView;
  private readonly tally: Tally;

  constructor(view: DataView, tally: Tally) {
    this.view = view;
    this.tally = tally;
  }

  /** Adds the polygons of a geometry, or counts it. */
  geometry(depth: number): void {
    if (depth > MAX_DEPTH) throw new Unreadable(`its geometries are nested more than ${MAX_DEPTH} deep`);
    const start = this.at;
    const { type, width } = this.head();
    switch (type) {
      case TYPES.polygon:
        this.polygon(() => this.positions(width));
        break;
      case TYPES.curvePolygon:
        this.polygon(() => this.curve(depth));
        break;
      case TYPES.multiPolygon:
      case TYPES.multiSurface:
      case TYPES.collection:
        this.each(() => this.geometry(depth + 1));
        break;
      default:
        this.at = start;
        this.skip(depth);
        this.tally.left++;
    }
  }

  /** Reads past a geometry without area. */
  private skip(depth: number): void {
    if (depth > MAX_DEPTH) throw new Unreadable(`its geometries are nested more than ${MAX_DEPTH} deep`);
    const { type, width } = this.head();
    switch (type) {
      case TYPES.point:
        this.pass(width);
        break;
      case TYPES.lineString:
      case TYPES.circularString:
        this.pass(this.count() * width);
        break;
      case TYPES.multiPoint:
      case TYPES.multiLineString:
      case TYPES.compoundCurve:
      case TYPES.multiCurve:
        this.each(() => this.skip(depth + 1));
        break;
      default:
        throw new Unreadable(`a geometry has a part of the type ${type}, which is not read`);
    }
  }

  private polygon(ring: () => Position[]): void {
    const rings: Position[][] = [];
    this.each(() => {
      if (++this.rings > MOST_RINGS) throw new Unreadable(`an area of more than ${MOST_RINGS} rings is not read`);
      rings.push(ring());
    });
    if (rings.length > 0) this.polygons.push(rings);
  }

  /** The positions of a curve of straight lines. */
  private curve(depth: number): Position[] {
    if (depth > MAX_DEPTH) throw new Unreadable(`its curves are nested more than ${MAX_DEPTH} deep`);
    const { type, width } = this.head();
    if (type === TYPES.lineString) return this.positions(width);
    if (type === TYPES.circularString) throw curved();
    if (type !== TYPES.compoundCurve) throw new Unreadable(`a ring is of the type ${type}, which is not read`);
    const parts: Position[][] = [];
    this.each(() => parts.push(this.curve(depth + 1)));
    return parts.flat();
  }

  private head(): Head {
    this.isLittle = this.view.getUint8(this.at) === 1;
    this.at++;
    const raw = this.count();
    if (raw & HAS_SRID) this.pass(4);
    const [code, dimensions] = [raw & 0xffff, Math.floor((raw & 0xffff) / 1000)];
    const hasZ = (raw & HAS_Z) !== 0 || dimensions === 1 || dimensions === 3;
    const hasM = (raw & HAS_M) !== 0 || dimensions >= 2;
    if (hasZ || hasM) this.tally.heights = true;
    return { type: code % 1000, width: 8 * (2 + Number(hasZ) + Number(hasM)) };
  }

  private positions(width: number): Position[] {
    const count = this.count();
    const from = this.at;
    this.pass(count * width);
    const { view, isLittle } = this;
    const positions: Position[] = [];
    for (let at = from; at < this.at; at += width) {
      positions.push([view.getFloat64(at, isLittle), view.getFloat64(at + 8, isLittle)]);
    }
    return positions;
  }

  /** A count, then as many parts. Reading past the end throws, so a wrong count does no harm. */
  private each(read: () => void): void {
    for (let left = this.count(); left > 0; left--) read();
  }

  private count(): number {
    const value = this.view.getUint32(this.at, this.isLittle);
    this.at += 4;
    return value;
  }

  private pass(bytes: number): void {
    this.at += bytes;
    if (this.at > this.view.byteLength) throw new RangeError('a geometry is cut off');
  }
}
