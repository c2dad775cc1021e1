import { placerOf } from '../../../workers/formats/reading/degrees.ts';
import type { OpenedDocument } from '../../../workers/formats/reading/document.ts';
import {
  type PlacingRecord,
  placingNotice,
  placingRecord,
  placingTrouble,
} from '../../../workers/projections/notices.ts';
import type { Placer } from '../../../workers/projections/place.ts';
import { isSameSystem } from '../../../workers/projections/systems.ts';
import { FeatureSystems } from './feature_systems.ts';
import { placerOfCrs } from './system.ts';

/** The reference system of a file: named on the command line, by the file as a whole, or by its features. */
export class Placing {
  /** What moves coordinates to degrees on WGS 84; null until a system is known: they are such degrees. */
  place: Placer | null = null;
  /** Whether the file, or its format as RFC 7946 does, says that it is on WGS 84, where `place` is null. */
  private isStated = true;
  private readonly crs: string | undefined;
  private readonly ownSystems = new FeatureSystems();
  /** Whether the file names its reference system as a whole. */
  private isNamed = false;

  /** @param crs the reference system that decides, whatever the file says */
  constructor(crs: string | undefined) {
    this.crs = crs;
    if (crs !== undefined) this.place = placerOfCrs(crs);
  }

  /**
   * Takes the crs member of GeoJSON as it was before RFC 7946, which says what system coordinates are in.
   * @param read features that were read before
   * @throws Error for one that comes after features, which were read in another system
   */
  ofFile(said: unknown, read: number): void {
    this.isNamed ||= said !== undefined && said !== null;
    this.use(said, read);
  }

  /** Takes the crs members of a feature or geometry. @throws Error as ofFile() */
  ofFeature(value: unknown, read: number): void {
    for (const said of this.ownSystems.next(value)) this.use(said, read);
  }

  /** Takes the reference system of a file in a format that has one. */
  ofDocument(system: OpenedDocument['system']): void {
    this.place ??= placerOf(system);
    this.isStated = system !== null && system.name !== 'undefined';
  }

  /** Takes a reference system for the areas that follow. @throws Error where others were read in another */
  private use(said: unknown, read: number): void {
    if (said === undefined || said === null || this.crs !== undefined) return;
    const place = placerOfCrs(said);
    if (this.place !== null) {
      if (isSameSystem(place.system, this.place.system)) return;
      throw new Error(`its areas are in several reference systems: ${this.place.system.name} and ${place.system.name}`);
    }
    if (read > 0 && !place.isIdentity) {
      throw new Error(
        `its reference system ${place.system.name} comes after its features: name it with --crs ${place.system.code ?? 'SYSTEM'}`,
      );
    }
    this.place = place;
  }

  /** Checks the file as a whole. @throws Error where some features name a system, and others do not */
  check(): void {
    if (this.crs === undefined && !this.isNamed) this.ownSystems.check();
  }

  /** @throws Error if places are less true than they might be: for want of a grid or of a published transformation */
  requireTrue(): void {
    const trouble = this.place === null ? null : placingTrouble(this.place);
    if (trouble !== null) throw new Error(`${trouble} (--strict)`);
  }

  /** The reference system, for the record. */
  record(): PlacingRecord {
    if (this.place !== null) return placingRecord(this.place);
    return this.isStated ? { referenceSystem: 'EPSG:4326', accuracyM: 0 } : { referenceSystem: null, accuracyM: null };
  }

  /** A message about it; null if there is nothing to say. */
  notice(): string | null {
    return this.place === null ? null : placingNotice(this.place);
  }
}
