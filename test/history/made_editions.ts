import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';

/** An area of a made edition: its code, its name, and the cells (column, row) that it is made of. */
export interface MadeArea {
  readonly id: string;
  readonly name: string;
  readonly level?: number;
  readonly iso?: string;
  readonly wikidata?: string;
  readonly cells: readonly (readonly [column: number, row: number])[];
}

/** Side of a cell in degrees. */
export const CELL = 0.1;
const [WEST, SOUTH] = [20, 10];
const folder = mkdtempSync(join(tmpdir(), 'boundary-editions-'));
let count = 0;

/** The point in the middle of a cell. */
export const middleOf = (column: number, row: number) => ({
  lat: Number((SOUTH + (row + 0.5) * CELL).toFixed(7)),
  lon: Number((WEST + (column + 0.5) * CELL).toFixed(7)),
});

/** Writes areas as a GeoJSON file; their polygons are their cells, which the import joins by id. */
export function editionFile(areas: readonly MadeArea[]): string {
  const features = areas.flatMap(({ cells, level = 8, ...said }) =>
    cells.map(([column, row]) => {
      const at = (x: number, y: number) => [
        Number((WEST + x * CELL).toFixed(7)),
        Number((SOUTH + y * CELL).toFixed(7)),
      ];
      const ring = [
        at(column, row),
        at(column + 1, row),
        at(column + 1, row + 1),
        at(column, row + 1),
        at(column, row),
      ];
      return { type: 'Feature', properties: { ...said, level }, geometry: { type: 'Polygon', coordinates: [ring] } };
    }),
  );
  const path = join(folder, `edition-${++count}.geojson`);
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

export const MADE: CoverageOptions = {
  source: 'made',
  license: 'CC0',
  attribution: 'Made for tests',
  country: 'TD',
  map: { id: 'id', name: 'name', admin_level: 'level' },
};

/** Stores areas as the edition of a date; null: as what is valid from now on. */
export function storeMade(
  { services }: Pick<BoundaryTestServer, 'services'>,
  date: string | null,
  areas: readonly MadeArea[],
  coverage: CoverageOptions = MADE,
) {
  return importFile(services, editionFile(areas), coverage, { validFrom: date });
}

/** A row of cells, from column `from` to before `to`. */
export const rowOf = (row: number, from: number, to: number): [number, number][] =>
  Array.from({ length: to - from }, (_, i) => [from + i, row]);
