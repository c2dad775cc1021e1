/**
 * The reference systems that features of older GeoJSON name themselves, or their geometries, as PostGIS writes them.
 */
export class FeatureSystems {
  private named = 0;
  private unnamed = 0;
  private last = '';

  /** The crs member of a feature or of its geometry, where it is not that of the feature before; else null. */
  next({ crs, geometry }: { readonly crs?: unknown; readonly geometry?: unknown }): unknown {
    const said = crs ?? (geometry as { readonly crs?: unknown } | null | undefined)?.crs ?? null;
    if (said === null) {
      if (geometry !== null && geometry !== undefined) this.unnamed++;
      return null;
    }
    this.named++;
    const text = JSON.stringify(said);
    if (text === this.last) return null;
    this.last = text;
    return said;
  }

  /** @throws Error where some features name a system, and others do not */
  check(): void {
    if (this.named === 0 || this.unnamed === 0) return;
    throw new Error(`${this.named} features name a reference system, and ${this.unnamed} do not: name it with --crs`);
  }
}
