import { extendBy } from '../../../workers/formats/reading/degrees.ts';
import type { OpenedDocument } from '../../../workers/formats/reading/document.ts';
import { extend, isPlane, noExtent, notDegrees } from '../../../workers/projections/guess.ts';
import { type Placer, placer } from '../../../workers/projections/place.ts';
import { systemOf } from '../../../workers/projections/systems.ts';
import { readPieces } from './documents.ts';

/** What moves the rings of a reference system into degrees on WGS 84. @throws Error for a system that is not known */
export function placerOfCrs(said: unknown): Placer {
  try {
    return placer(systemOf(said));
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}: name it with --crs, or convert the file first (ogr2ogr -t_srs EPSG:4326)`, {
      cause: error,
    });
  }
}

/**
 * What is wrong with a file that names no reference system and whose coordinates are not degrees: it is read again for
 * its extent, and the likely systems are named.
 * @returns null if its coordinates are not those of a plane, or if it names a system
 */
export async function troubleWithDegrees(path: string, encoding?: string): Promise<string | null> {
  const extent = noExtent();
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    const [x, y] = value as unknown[];
    if (typeof x === 'number' && typeof y === 'number') extend(extent, x, y);
    else for (const one of value as unknown[]) visit(one);
  };
  const visitGeometry = (value: unknown): void => {
    const { coordinates, geometries } = (value ?? {}) as {
      readonly coordinates?: unknown;
      readonly geometries?: unknown;
    };
    visit(coordinates);
    if (Array.isArray(geometries)) geometries.forEach(visitGeometry);
  };
  for await (const { type, value } of readPieces(path, undefined, encoding)) {
    if (type === 'head') continue;
    const object = value as Readonly<Record<string, unknown>>;
    if (object.type === 'Topology' || (object.crs !== undefined && object.crs !== null)) return null;
    visitGeometry(object.type === 'Feature' ? object.geometry : object);
  }
  return isPlane(extent) ? notDegrees(extent) : null;
}

/** The same for a file in another format, opened again. */
export async function troubleWithDocument({ features, system }: OpenedDocument): Promise<string | null> {
  if (system !== null && system.name !== 'undefined') return null;
  const extent = noExtent();
  for await (const feature of features) extendBy(extent, feature);
  return isPlane(extent) ? notDegrees(extent) : null;
}
