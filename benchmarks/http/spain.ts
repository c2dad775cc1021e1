import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { SeedCoverage } from '../../src/sources/seed/rows.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { Options } from '../measure.ts';

/** Made once in a run: it takes two seconds, and six benchmarks ask for it. */
let made: Promise<SeedCoverage> | null = null;

/**
 * Stores Spain's seed set (without municipalities in a smoke run) and, in a native database, the lookup tables of the
 * naive handlers: subdivided polygons and indexes of names. Returns the names.
 */
export async function fillWithSpain(
  folder: string,
  env: Readonly<Record<string, string>>,
  { smoke }: Options,
): Promise<string[]> {
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...env }));
  try {
    made ??= seedSpain();
    const { source, boundaries } = await made;
    const chosen = smoke ? boundaries.filter(({ adminLevel }) => adminLevel !== 8) : boundaries;
    await storeBoundaries(app.services, { source: { ...source, seed: true }, file: source.id, boundaries: chosen });
    if (env.DATABASE_URL) {
      await app.services.db.exec(
        `create table naive_piece as select boundary_id, st_subdivide(geom, 128) as geom from boundary_shape;
         create index on naive_piece using gist (geom);
         create index naive_name on boundary (lower(name) text_pattern_ops);
         create extension if not exists pg_trgm;
         create index naive_alike on boundary using gin (lower(name) gin_trgm_ops);
         analyze;`,
      );
    }
    return chosen.map(({ name }) => name);
  } finally {
    await app.close();
  }
}
