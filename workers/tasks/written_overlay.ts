import { polygonsArea } from '../arcs/area.ts';
import { polygonsBox } from '../arcs/box.ts';
import { levelFor } from '../arcs/levels.ts';
import { isValid } from '../arcs/overlay.ts';
import { simplifyPolygons } from '../arcs/simplify_polygons.ts';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { Polygons } from '../contract.ts';
import { type DocumentWanted, mergedDocument, type WriteResult, write } from './written.ts';

/**
 * Finishes an overlay: validates, measures, simplifies, writes. GEOS cannot be interrupted: the cancel flag is checked
 * only between its calls, and the deadline ends the thread. `drawn` has the last word on what was simplified.
 */
export async function writtenOverlay(
  given: DocumentWanted,
  result: Polygons,
  isCanceled: IsCanceled,
  drawn: (simplified: Polygons) => Polygons = (simplified) => simplified,
): Promise<WriteResult> {
  throwIfCanceled(isCanceled);
  const trouble = await isValid(result);
  if (trouble) return { kind: 'trouble', ...trouble };
  const box = polygonsBox(result);
  const level = given.level ?? levelFor(given.detail ?? 'medium', box);
  const areaKm2 = polygonsArea(result, isCanceled) / 1e6;
  const polygons = drawn(await simplifyPolygons(result, level, isCanceled));
  const document = mergedDocument(given, { areaKm2, exact: false, box, level });
  return write(polygons, document, { task: given, areaKm2, level }, isCanceled);
}
