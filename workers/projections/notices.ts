/** Notices about the reference system of a file. */
import type { Placer } from './place.ts';
import type { System } from './systems.ts';

const named = ({ name, code }: System): string => (code === null ? name : `${name} (${code})`);

const isWgs84 = ({ code }: System): boolean => /^(?:EPSG:4326|OGC:CRS84)$/.test(code ?? '');

/** A reference system for records, by its code, else its name, and how true its places on WGS 84 are. */
export interface PlacingRecord {
  readonly referenceSystem: string | null;
  /** How far places may be off after the transformation to WGS 84, in meters; 0 if none was needed, null if not known. */
  readonly accuracyM: number | null;
}

/** What is recorded of the places of a file that was read. */
export function placingRecord({ system, accuracy }: Placer): PlacingRecord {
  const meters = isWgs84(system) ? 0 : accuracy();
  return { referenceSystem: system.code ?? system.name, accuracyM: Number.isNaN(meters) ? null : meters };
}

/** How the places of a file became places on WGS 84, and how true they are; null for a file on WGS 84. */
export function placingNotice({ system, accuracy }: Placer): string | null {
  if (isWgs84(system)) return null;
  const meters = accuracy();
  const isMoved = !system.isDegrees || !system.isWgs84;
  const what = `its coordinates are in ${named(system)}${isMoved ? ' and were transformed to WGS 84' : ', which agrees with WGS 84'}`;
  if (meters === null) {
    return `${what} without a shift of the datum, as none is published for all its places: they may be hundreds of meters off`;
  }
  if (Number.isNaN(meters)) return `${what} by the shift that the file states, of unknown accuracy`;
  const { grid } = system;
  const better = grid === null ? '' : `; the grid ${grid.name}, which is not installed, would give ${grid.accuracy} m`;
  return `${what} within ${meters} m${better}`;
}

/** Why a strict import refuses the places of a file; null if it does not. */
export function placingTrouble(placer: Placer): string | null {
  const meters = placer.accuracy();
  const isSure = meters !== null && !Number.isNaN(meters) && placer.system.grid === null;
  return isSure ? null : (placingNotice(placer) ?? 'its places are not sure');
}
