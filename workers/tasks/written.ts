/** Polygons as the bytes of an answer. */
import { hash } from 'node:crypto';
import { materialize } from '../arcs/layout.ts';
import { toleranceMeters, writerDigits } from '../arcs/levels.ts';
import { type IsCanceled, TooLarge, TooManySteps } from '../cancel.ts';
import { type ArcTable, type Detail, type Document, FULL, type Polygons, type Rings } from '../contract.ts';
import { inMercator } from '../formats/geojson/mercator.ts';
import { declarationOf, type Format, writeDocument } from '../formats/registry.ts';

/**
 * The bytes written, or why there are none. `trouble`: this strategy cannot guarantee a valid result, so the caller
 * tries the next one. `x` and `y` are in 1e-7 degrees.
 */
export type WriteResult =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly sha256: string;
      readonly areaKm2: number;
      readonly level: number;
    }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'trouble'; readonly reason: string; readonly x: number; readonly y: number };

/** The most work that a task may take: it throws TooManySteps when it would take more. */
export interface MostWork {
  /** Vertices that are written. */
  readonly vertices: number;
  /** Steps of a merge (arcs/classify.ts). */
  readonly steps: number;
}

/** How a merged area is written. */
export interface DocumentWanted {
  /** Applies to the result, and only when `level` is null. */
  readonly detail: Detail | null;
  readonly level: number | null;
  readonly format: Format;
  /** The worker fills in bbox, digits, and the properties area_km2, exact, detail and tolerance_m. */
  readonly document: Document;
  readonly maxBytes: number;
}

/**
 * Polygons as the bytes of an answer, or `too_large`: known from the vertex count, or when the writer passes the limit.
 */
export function write(
  polygons: Polygons,
  document: Document,
  about: { task: { format: Format; maxBytes: number }; areaKm2: number; level: number },
  isCanceled: IsCanceled,
): WriteResult {
  const { format, maxBytes } = about.task;
  const least = minBytes(format, polygons.coords.length / 2);
  if (least > maxBytes) return { kind: 'too_large', bytes: least };
  try {
    const inDegrees = writeDocument(format, polygons, document, { maxBytes, isCanceled });
    const bytes = document.mercator === true ? inMercator(inDegrees) : inDegrees;
    const sha256 = hash('sha256', bytes, 'hex');
    return { kind: 'bytes', bytes, sha256, areaKm2: about.areaKm2, level: about.level };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/**
 * Rings at a level as polygons, or `too_large` when they are certain to take more than the task's maxBytes.
 * @param task how they are written, and what materialize gives if that is known
 * @throws TooManySteps when they have more vertices than `most`, or four times as many arcs
 */
export function polygonsOf(
  table: ArcTable,
  rings: Rings,
  level: number,
  task: { format: Format; maxBytes: number; endClass: number; most?: MostWork; laidOut?: Polygons | null },
  isCanceled: IsCanceled,
): Polygons | { readonly kind: 'too_large'; readonly bytes: number } {
  const most = task.most?.vertices ?? Infinity;
  if (rings.refs.length > 4 * most) throw new TooManySteps();
  if (level === FULL) {
    const vertices = countVertices(table, rings.refs);
    const bytes = minBytes(task.format, vertices);
    if (bytes > task.maxBytes) return { kind: 'too_large', bytes };
    if (vertices > most) throw new TooManySteps();
  }
  const polygons = task.laidOut ?? materialize(table, rings, level, task.endClass, isCanceled);
  if (polygons.coords.length / 2 > most) throw new TooManySteps();
  return polygons;
}

/** The document of a merged area, with the fields that depend on the result filled in. */
export function mergedDocument(
  task: Pick<DocumentWanted, 'document' | 'format' | 'detail'>,
  about: { areaKm2: number; exact: boolean; box: readonly number[] | null; level: number },
): Document {
  const { areaKm2, exact, box, level } = about;
  const { landKm2 } = task.document;
  return {
    ...task.document,
    bbox: box && [box[0] / 1e7, box[1] / 1e7, box[2] / 1e7, box[3] / 1e7],
    digits: writerDigits(task.format, level),
    properties: {
      area_km2: areaKm2,
      exact,
      ...task.document.properties,
      ...(landKm2 === undefined ? {} : { inland_water_km2: Math.max(0, landKm2 - areaKm2) }),
      detail: task.detail,
      tolerance_m: toleranceMeters(level),
      attribution: task.document.attribution,
    },
  };
}

/** The fewest bytes of that many vertices. */
function minBytes(format: Format, vertices: number): number {
  return vertices * (declarationOf(format).minVertexBytes ?? 0);
}

/** The number of vertices of the arcs, each junction counted once. */
export function countVertices(table: ArcTable, refs: Int32Array): number {
  let count = 0;
  for (let i = 0; i < refs.length; i++) count += table.length[refs[i] < 0 ? ~refs[i] : refs[i]] - 1;
  return count;
}
