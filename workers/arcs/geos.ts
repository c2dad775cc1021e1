import initGeos from 'geos-wasm';
import type { GeometryFault, Polygons } from '../contract.ts';
import { decode, encode } from './geos_wkb.ts';

/** The grid that overlays snap to: 1 is the grid of 1e-7 degrees itself, so new vertices are integers. */
export const GRID = 1;

const COLLECTION = 7;

type Geos = Awaited<ReturnType<typeof initGeos>>;

interface Engine {
  readonly geos: Geos;
  /** The last error message of GEOS. */
  readonly complaint: { text: string };
}

/** The only state of a thread's kernels: GEOS, loaded on first use (about 30 ms). */
let engine: Promise<Engine> | undefined;

/** GEOS, loaded once in a thread. */
export function loadEngine(): Promise<Engine> {
  engine ??= (async () => {
    const complaint = { text: '' };
    const geos = await initGeos({
      errorHandler: (message) => {
        complaint.text = message;
      },
      // Notices only repeat what validity checks return.
      noticeHandler: () => {},
    });
    return { geos, complaint };
  })();
  return engine;
}

/** Owns the geometries and memory blocks of one call, and frees them together even on failure. */
export class Scope {
  readonly geos: Geos;
  private readonly complaint: { text: string };
  private readonly geometries = new Set<number>();
  private readonly blocks: number[] = [];

  constructor({ geos, complaint }: Engine) {
    this.geos = geos;
    this.complaint = complaint;
  }

  release(): void {
    for (const geometry of this.geometries) this.geos.GEOSGeom_destroy(geometry);
    for (const block of this.blocks) this.geos.Module._free(block);
  }

  own(geometry: number): number {
    this.geometries.add(geometry);
    return geometry;
  }

  /**
   * Runs a GEOS function that returns a pointer, where 0 is a failure.
   * @throws Error with GEOS's message
   */
  attempt(run: () => number): number {
    this.complaint.text = '';
    let pointer = 0;
    try {
      pointer = run();
    } catch (error) {
      throw new Error(this.complaint.text || (error instanceof Error ? error.message : String(error)));
    }
    if (pointer === 0) throw new Error(this.complaint.text || 'GEOS failed without a message');
    return pointer;
  }

  private allocate(bytes: number): number {
    const block = this.geos.Module._malloc(bytes);
    if (block === 0) throw new Error(`GEOS is out of memory (${bytes} bytes wanted)`);
    this.blocks.push(block);
    return block;
  }

  /** Copies polygons into GEOS and returns the geometry's pointer. */
  read(polygons: Polygons): number {
    const { geos } = this;
    const wkb = encode(polygons);
    const block = this.allocate(wkb.byteLength);
    // Allocating may replace the heap with a larger one, so its view is taken afterward.
    geos.Module.HEAPU8.set(wkb, block);
    const reader = geos.GEOSWKBReader_create();
    try {
      return this.own(this.attempt(() => geos.GEOSWKBReader_read(reader, block, wkb.byteLength)));
    } finally {
      geos.GEOSWKBReader_destroy(reader);
    }
  }

  /**
   * The union of polygons, or 0 when they are empty.
   * @throws Error when one is not valid
   */
  unionOf(all: readonly Polygons[]): number {
    const { geos } = this;
    const parts: number[] = [];
    for (const polygons of all) {
      if (polygons.polygonEnd.length === 0) continue;
      const trouble = this.trouble(polygons);
      if (trouble) throw new Error(`${trouble.reason} at ${trouble.x} ${trouble.y}`);
      parts.push(this.read(polygons));
    }
    if (parts.length === 0) return 0;
    const list = this.allocate(4 * parts.length);
    geos.Module.HEAPU32.set(parts, list / 4);
    const collection = this.attempt(() => geos.GEOSGeom_createCollection(COLLECTION, list, parts.length));
    for (const part of parts) this.geometries.delete(part);
    this.own(collection);
    return this.own(this.attempt(() => geos.GEOSUnaryUnionPrec(collection, GRID)));
  }

  /**
   * One area as it is, or 0 when it is empty: an overlay of two rounds both to the grid, so neither needs a union first.
   * @throws Error when it is not valid
   */
  areaOf(polygons: Polygons): number {
    if (polygons.polygonEnd.length === 0) return 0;
    const short = shortRing(polygons);
    const geometry = short ? 0 : this.read(polygons);
    const trouble = short ?? this.troubleOf(geometry, polygons);
    if (trouble) throw new Error(`${trouble.reason} at ${trouble.x} ${trouble.y}`);
    return geometry;
  }

  /** areaOf() that frees everything but the result, which the scope owns. */
  onlyAreaOf(polygons: Polygons): number {
    const area = this.areaOf(polygons);
    for (const geometry of this.geometries) if (geometry !== area) this.geos.GEOSGeom_destroy(geometry);
    for (const block of this.blocks.splice(0)) this.geos.Module._free(block);
    this.geometries.clear();
    return area === 0 ? 0 : this.own(area);
  }

  trouble(polygons: Polygons): GeometryFault | null {
    return shortRing(polygons) ?? this.troubleOf(this.read(polygons), polygons);
  }

  /** Why the geometry of these polygons is invalid, with the place; null when it is valid. */
  private troubleOf(geometry: number, polygons: Polygons): GeometryFault | null {
    const { geos } = this;
    const out = this.allocate(8);
    geos.Module.HEAPU32.set([0, 0], out / 4);
    this.complaint.text = '';
    const verdict = geos.GEOSisValidDetail(geometry, 0, out, out + 4);
    const [reasonAt, place] = geos.Module.HEAPU32.subarray(out / 4, out / 4 + 2);
    const reason = reasonAt === 0 ? '' : geos.Module.UTF8ToString(reasonAt);
    if (reasonAt !== 0) geos.GEOSFree(reasonAt);
    if (place !== 0) this.own(place);
    if (verdict === 1) return null;
    if (verdict !== 0) throw new Error(this.complaint.text || 'GEOS failed without a message');
    const [x, y] = place === 0 ? [polygons.coords[0], polygons.coords[1]] : this.pointOf(place);
    return { reason, x: Math.round(x), y: Math.round(y) };
  }

  private pointOf(point: number): [number, number] {
    const { geos } = this;
    const out = this.allocate(16);
    geos.GEOSGeomGetX(point, out);
    geos.GEOSGeomGetY(point, out + 8);
    return [geos.Module.getValue(out, 'double'), geos.Module.getValue(out + 8, 'double')];
  }

  area(geometry: number): number {
    const out = this.allocate(8);
    // GEOSArea returns 1 on success and 0 on an exception.
    this.attempt(() => this.geos.GEOSArea(geometry, out));
    return this.geos.Module.getValue(out, 'double');
  }

  /** Reads polygons back from GEOS; points and lines are dropped. */
  write(geometry: number): Polygons {
    const { geos } = this;
    const writer = geos.GEOSWKBWriter_create();
    try {
      geos.GEOSWKBWriter_setOutputDimension(writer, 2);
      geos.GEOSWKBWriter_setByteOrder(writer, 1);
      const size = this.allocate(4);
      const block = this.attempt(() => geos.GEOSWKBWriter_write(writer, geometry, size));
      try {
        const bytes = geos.Module.getValue(size, 'i32');
        return decode(geos.Module.HEAPU8.slice(block, block + bytes));
      } finally {
        geos.GEOSFree(block);
      }
    } finally {
      geos.GEOSWKBWriter_destroy(writer);
    }
  }
}

/**
 * The first ring that GEOS refuses to read: unclosed, or with fewer than four vertices. It is reported as trouble, not
 * thrown.
 */
function shortRing({ coords, ringEnd }: Polygons): GeometryFault | null {
  for (let r = 0, start = 0; r < ringEnd.length; start = ringEnd[r++]) {
    const last = ringEnd[r] - 1;
    const open = coords[2 * start] !== coords[2 * last] || coords[2 * start + 1] !== coords[2 * last + 1];
    if (ringEnd[r] - start >= 4 && !open) continue;
    return {
      reason: open ? 'open ring' : 'Too few points in geometry component',
      x: coords[2 * start],
      y: coords[2 * start + 1],
    };
  }
  return null;
}
