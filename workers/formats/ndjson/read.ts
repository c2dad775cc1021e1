import { readGeojson } from '../geojson/read.ts';
import {
  type ReadFeature,
  type ReferenceSystem,
  type Tally,
  Unreadable,
  type WholeDocument,
} from '../reading/document.ts';
import { oneSystem } from '../reading/system.ts';

/**
 * Reads GeoJSON as lines: newline-delimited, or text sequences (RFC 8142), where a record separator precedes each text
 * and a text may have several lines.
 * @throws Unreadable, with the number of the line or text
 */
export function readGeojsonLines(text: string): WholeDocument {
  const isSequence = text.includes('\x1e');
  const texts = text.split(isSequence ? '\x1e' : '\n');
  const tally: Tally = { left: 0 };
  let system: ReferenceSystem | null | undefined;
  const features: ReadFeature[] = [];
  for (const [i, one] of texts.entries()) {
    if (one.trim() === '') continue;
    try {
      const read = readGeojson(one);
      for (const feature of read.features) features.push(feature);
      tally.left += read.tally.left;
      if (read.tally.heights) tally.heights = true;
      const isEmpty = read.system === null && read.features.every(({ polygons }) => polygons.length === 0);
      if (!isEmpty) system = oneSystem(system, read.system);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Unreadable(`${isSequence ? `text ${i}` : `line ${i + 1}`}: ${error.message}`);
    }
  }
  return { name: null, system: system ?? null, features, tally };
}
