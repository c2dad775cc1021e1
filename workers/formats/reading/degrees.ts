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

/** Moves the features of a file into degrees on WGS 84, one by one. */
export interface IntoDegrees {
  /**
   * @param number that of the feature in the file, for messages about one without a name
   * @throws Unreadable for an area that has no place there
   */
  readonly move: (feature: ReadFeature, number: number) => ReadFeature;
  /**
   * What was done, as sentences for the person who supplied the file; after the last feature.
   * @throws Unreadable for coordinates that are not degrees and have no system, and for what `strict` refuses
   */
  readonly notices: () => readonly string[];
}

/** @throws Unreadable for a system that is not known */
export function intoDegrees(system: ReferenceSystem | null, { crs, strict = false }: Placing): IntoDegrees {
  const place = placerOf(system, crs);
  if (place === null) return saysNothing(system) ? onlyDegrees() : { move: (feature) => feature, notices: () => [] };
  return {
    move: (feature, number) => {
      if (place.isIdentity) return feature;
      try {
        return { ...feature, polygons: feature.polygons.map((rings) => rings.map((one) => uncut(place.ring(one)))) };
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new Unreadable(`${feature.name ?? feature.id ?? `feature ${number}`}: ${error.message}`);
      }
    },
    notices: () => {
      // Only now it is known in which areas of use the places are.
      const trouble = strict ? placingTrouble(place) : null;
      if (trouble !== null) throw new Unreadable(`${trouble} (--strict)`);
      const notice = placingNotice(place);
      return notice === null ? [] : [notice];
    },
  };
}

/** Takes coordinates without a system for degrees; where they are not, the error names the likely systems. */
function onlyDegrees(): IntoDegrees {
  const extent = noExtent();
  return {
    move: (feature) => {
      extendBy(extent, feature);
      return feature;
    },
    notices: () => {
      if (isPlane(extent)) throw new Unreadable(notDegrees(extent));
      return [];
    },
  };
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
