import { materialize } from '../arcs/layout.ts';
import { throwIfCanceled } from '../cancel.ts';
import { END_CLASSES, FULL, LEVELS } from '../contract.ts';
import type { CardText } from '../maps/card.ts';
import { type PackedRings, unpackRings } from '../packed_tile.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Draws boundaries with a title beside them: the preview picture of a link. */
export interface DrawCardTask {
  readonly heap: TaskHeap;
  readonly boundaries: PackedRings;
  readonly text: CardText;
}

/** The level at which the scale is found: 1 km, or 32 m for a card of less than a degree. */
const ROUGH = { large: 10, small: 5 };
/** A border is drawn to half a pixel. */
const PIXELS = 0.5;

/**
 * The card as PNG, 1200 x 630.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: DrawCardTask, { common, isCanceled }: TaskContext): Promise<Uint8Array> {
  const { drawCard, metersPerCardPixel } = await import('../maps/card.ts');
  const { writePng } = await import('../maps/writers.ts');
  const table = tableOf(task.heap, common);
  const rings = unpackRings(task.boundaries);
  const at = (level: number) => rings.map((one) => materialize(table, one, level, END_CLASSES - 1, isCanceled));
  const large = at(ROUGH.large);
  const rough = large.every(({ polygonEnd }) => polygonEnd.length > 0) ? large : at(ROUGH.small);
  const tolerance = PIXELS * metersPerCardPixel(rough);
  const level = tolerance < 1 ? FULL : Math.min(LEVELS - 1, Math.floor(Math.log2(tolerance)));
  const picture = drawCard(at(level), task.text, () => throwIfCanceled(isCanceled));
  throwIfCanceled(isCanceled);
  return writePng(picture);
}

/** The memory of the result that is moved to the main thread. */
export const moved = (bytes: Uint8Array): ArrayBufferView[] => [bytes];
