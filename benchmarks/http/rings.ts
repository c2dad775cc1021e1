import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { seeded } from '../../src/bench/random.ts';
import { loadConfig } from '../../src/config.ts';
import { importFile } from '../../src/sources/import.ts';

const SEED = 20_261_121;
/** Degrees between the centers of neighboring rings. */
const APART = 10;

/**
 * Imports generated boundaries into a new data directory: rough circles with these numbers of vertices. Returns their
 * ids.
 */
export async function importRings(
  folder: string,
  env: Readonly<Record<string, string>>,
  vertices: readonly number[],
): Promise<string[]> {
  const next = seeded(SEED);
  const features = vertices.map((count, i) => {
    const ring = Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count;
      const radius = 2 + 1e-4 * next();
      const [x, y] = [6 + APART * i + radius * Math.cos(angle), 48 + radius * Math.sin(angle)];
      return [x, y].map((value) => Number(value.toFixed(7)));
    });
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
    return { type: 'Feature', properties: { code: `${i + 1}`, name: `Made ring ${i + 1}` }, geometry };
  });
  const path = join(folder, 'rings.geojson');
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...env }));
  try {
    const map = { id: 'code', name: 'name' };
    const source = { source: 'bench', map, adminLevel: 8, country: 'FR', license: 'CC0-1.0', attribution: 'made' };
    await importFile(app.services, path, source);
    const rows = await app.services.db.query<{ id: string }>('select id from boundary order by name');
    return rows.map(({ id }) => id);
  } finally {
    await app.close();
  }
}
