import { levelFor, levelOfTolerance, toleranceMeters, writerDigits } from '../../../workers/arcs/levels.ts';
import type { Detail, Document } from '../../../workers/contract.ts';
import { contentType, extension, type FileFormat, type Format } from '../../../workers/formats/registry.ts';
import { contentDisposition } from '../../common/disposition.ts';
import { problem } from '../../core/errors.ts';
import type { LocalizedBoundary, NamedShape, ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { BoundaryRef, RenderedDocument } from '../../geometry/engine_model.ts';

/** A boundary as the engine takes it. @throws no_geometry, with the reason and the place, when it has no polygon */
export function geometryOf(boundary: NamedShape): BoundaryRef {
  if (!boundary.has_geometry || boundary.ring_hash === null) {
    const { reason, lat, lon } = boundary.broken ?? { reason: 'its source has no usable one', lat: null, lon: null };
    const place = lat === null || lon === null ? '' : ` near ${lat},${lon}`;
    throw problem('no_geometry', `${boundary.id} (${boundary.name}) has no polygon: ${reason}${place}.`);
  }
  const { id, ring_hash: ringHash, admin_level: adminLevel, arrangement, dated } = boundary;
  const ref = { id, ringHash, adminLevel, ...(arrangement === undefined ? {} : { arrangement }) };
  return dated === undefined ? ref : { ...ref, db: dated.db };
}

/**
 * A boundary as it is drawn at a requested tolerance: its arc ends have one class for all admin levels, so that
 * neighbors of different levels fit at one tolerance too (engine_model.ts, BoundaryRef). Without a tolerance, the class
 * of its own level.
 */
export function refAt(ref: BoundaryRef, { tolerance_m }: { readonly tolerance_m?: number }): BoundaryRef {
  return tolerance_m === undefined ? ref : { ...ref, adminLevel: null };
}

/** The level for a boundary, from `detail` or from a tolerance that is a power of two in meters. */
export function levelOf(boundary: ResolvedBoundary, wanted: { detail: Detail | null; tolerance_m?: number }): number {
  const level = wanted.tolerance_m === undefined ? null : levelOfTolerance(wanted.tolerance_m);
  return level ?? levelFor(wanted.detail ?? 'medium', boxOf(boundary));
}

function boxOf({ west, south, east, north }: ResolvedBoundary): readonly [number, number, number, number] | null {
  if (west === null || south === null || east === null || north === null) return null;
  return [west, south, east, north];
}

/**
 * A boundary as a document at a level. `shown` is its properties: a file has local names, whatever the caller prefers.
 * `more` is added after the properties of the boundary itself.
 */
export function boundaryDocument(
  boundary: ResolvedBoundary,
  shown: LocalizedBoundary,
  { level, detail, format }: { readonly level: number; readonly detail: Detail | null; readonly format: Format },
  more: Readonly<Record<string, unknown>> = {},
): Document {
  const { bbox, id, ...properties } = shown;
  return {
    id,
    name: boundary.name,
    bbox: bbox && [bbox.west, bbox.south, bbox.east, bbox.north],
    digits: writerDigits(format, level),
    attribution: boundary.source.attribution,
    properties: {
      id,
      ...properties,
      area_km2: boundary.area_km2,
      detail,
      tolerance_m: toleranceMeters(level),
      ...more,
      attribution: boundary.source.attribution,
    },
  };
}

/** The distinct attributions of the boundaries of an area. */
export function attributionOf(boundaries: readonly NamedShape[]): string {
  return [...new Set(boundaries.map(({ source }) => source.attribution))].join('; ');
}

/** The path of an export. It is content-addressed, so that a URL never means other bytes. */
export const exportPath = (sha256: string, format: FileFormat) => `/v1/exports/${sha256}.${extension(format)}`;

/** Headers of a document that is sent itself. All formats link to the license: WKT has no room for an attribution. */
export function documentHeaders(written: RenderedDocument, licenseUrl: string | null): Record<string, string> {
  const headers: Record<string, string> = { ETag: `"${written.sha256}"` };
  if (licenseUrl && URL.canParse(licenseUrl)) headers.Link = `<${new URL(licenseUrl).href}>; rel="license"`;
  return headers;
}

/** The header that names an exported file: its boundary's name, cut to 80 characters, or id, and its detail. */
export function exportDisposition({ id, name }: NamedShape, detail: string, format: Format): string {
  return contentDisposition(`${name.slice(0, 80)} (${detail})`, extension(format), `${id} (${detail})`);
}

export { contentType };

/** A name for a merged area: the names of its parts, as far as they fit. */
export function mergedName(include: readonly NamedShape[], exclude: readonly NamedShape[]): string {
  const list = (boundaries: readonly NamedShape[]) => {
    const shown = boundaries.slice(0, 3).map(({ name }) => name);
    return boundaries.length > 3 ? `${shown.join(', ')} and ${boundaries.length - 3} more` : shown.join(', ');
  };
  const name = exclude.length > 0 ? `${list(include)} without ${list(exclude)}` : list(include);
  return name.slice(0, 200);
}
