import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { seedCountries } from '../../src/sources/seed/countries.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { Fixture } from './database.ts';

/**
 * The countries of the world, and Spain of the seed data without its municipalities outside Sevilla: for pages and for
 * documentation, which show more than a made world has.
 */
export const countriesAndSpain: Fixture = {
  name: 'countries_and_spain',
  async fill(db) {
    const engine = new Engine(db, { threads: 2, arcBytes: 32e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
    try {
      for (const { source, boundaries } of [...seedCountries(), await seedSpain()]) {
        const kept = boundaries.filter(({ adminLevel, codes, sourceId }) => {
          return (adminLevel ?? 0) <= 6 || [sourceId, ...codes].some((code) => /^(34\d{4})?41\d{3}$/.test(code));
        });
        await storeBoundaries({ db, engine }, { source: { ...source, seed: true }, file: source.id, boundaries: kept });
      }
    } finally {
      await engine.close();
    }
  },
};
