import { defined } from '../../defined.ts';
import { type Extent, extend, isPlane, noExtent, notDegrees } from '../../projections/guess.ts';
import { placingNotice, placingTrouble } from '../../projections/notices.ts';
import { type Placer, placer } from '../../projections/place.ts';
import { systemOf } from '../../projections/systems.ts';
import { UnknownSystem } from '../../projections/wkt.ts';
import { type Position, type ReadFeature, type ReferenceSystem, Unreadable } from './document.ts';
import { isWgs84, saidOf } from './system.ts';

/** How coordinates become degrees on WGS 84. */
export interface Placing {
  /** The reference system that decides, whatever the file says: a code, well-known text or PROJJSON. */
  readonly crs?: string;
  /** Refuses a file whose places are less true than they might be: for want of a grid or of a published transformation. */
  readonly strict?: boolean;
}

/** Whether a file says nothing of its reference system: GeoPackage has an entry for that. */
const saysNothing = (system: ReferenceSystem | null): boolean => system === null || system.name === 'undefined';

/**
 * What moves the positions of a file into degrees on WGS 84; null where they are such degrees, or the file says nothing.
 * @param crs decides, whatever the file says
 * @throws Unreadable for a system that is not known
 */
export function placerOf(system: ReferenceSystem | null, crs?: string): Placer | null {
  if (crs === undefined && (system === null || saysNothing(system) || isWgs84(system))) return null;
  const { isAuthorityOrder = false } = system ?? {};
  const said = crs ?? saidOf(system ?? {});
  try {
    return placer(systemOf(said), isAuthorityOrder && crs === undefined ? 'authority' : 'xy');
  } catch (error) {
    if (!(error instanceof UnknownSystem)) throw error;
    throw new Unreadable(
      `${error.message}: name its system with --crs, or convert it first (ogr2ogr -t_srs EPSG:4326)`,
    );
  }
}

/**
 * Features in degrees on WGS 84, and what was done, as sentences for the person who supplied the file.
 * @throws Unreadable for a system that is not known, and for coordinates that are not degrees and have no system
 */
export function inDegrees(
  features: readonly ReadFeature[],
  system: ReferenceSystem | null,
  { crs, strict = false }: Placing,
): { readonly features: readonly ReadFeature[]; readonly notices: readonly string[] } {
  const place = placerOf(system, crs);
  if (place === null) {
    if (saysNothing(system)) requireDegrees(features);
    return { features, notices: [] };
  }
  const placed = features.map((feature): ReadFeature => {
    if (place.isIdentity) return feature;
    try {
      return { ...feature, polygons: feature.polygons.map((rings) => rings.map((one) => uncut(place.ring(one)))) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Unreadable(`${feature.name ?? feature.id ?? 'an area'}: ${error.message}`);
    }
  });
  // Only now it is known in which areas of use the places are.
  const trouble = strict ? placingTrouble(place) : null;
  if (trouble !== null) throw new Unreadable(`${trouble} (--strict)`);
  const notice = placingNotice(place);
  return { features: placed, notices: notice === null ? [] : [notice] };
}

/** @throws RangeError for a ring across the antimeridian or around a pole, which would go around the world the other way */
function uncut(ring: Position[]): Position[] {
  for (let i = 1; i < ring.length; i++) {
    if (Math.abs(defined(ring[i])[0] - defined(ring[i - 1])[0]) > 180) {
      throw new RangeError(
        'it crosses the antimeridian or holds a pole: the import cuts it there, a conversion does not',
      );
    }
  }
  return ring;
}

/** Adds the positions of areas to an extent. */
export function extendBy(extent: Extent, { polygons }: Pick<ReadFeature, 'polygons'>): void {
  for (const rings of polygons) for (const ring of rings) for (const [x, y] of ring) extend(extent, x, y);
}

/** @throws Unreadable when areas without a system have coordinates that are not degrees: it names the likely systems */
function requireDegrees(features: readonly ReadFeature[]): void {
  const extent = noExtent();
  for (const feature of features) extendBy(extent, feature);
  if (isPlane(extent)) throw new Unreadable(notDegrees(extent));
}
