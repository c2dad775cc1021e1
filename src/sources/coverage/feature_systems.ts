import { crsMembers } from '../../../workers/formats/geojson/read.ts';

/**
 * The reference systems that features of older GeoJSON name themselves, or their geometries, as PostGIS writes them.
 */
export class FeatureSystems {
  private named = 0;
  private unnamed = 0;
  private last = '';

  /** The crs members of a feature or geometry and of what is in it, each that is not the same as the one before it. */
  *next(value: unknown): Generator<unknown, undefined> {
    const all = [...crsMembers(value)];
    if (all.includes(null)) this.unnamed++;
    if (all.some((said) => said !== null)) this.named++;
    for (const said of all) {
      const text = JSON.stringify(said);
      if (said === null || text === this.last) continue;
      this.last = text;
      yield said;
    }
  }

  /** @throws Error where some features name a system, and others do not */
  check(): void {
    if (this.named === 0 || this.unnamed === 0) return;
    throw new Error(`${this.named} features name a reference system, and ${this.unnamed} do not: name it with --crs`);
  }
}
