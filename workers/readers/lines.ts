import { readGeojson } from './geojson.ts';
import { type ReadDocument, type ReadFeature, Unreadable } from './model.ts';

/**
 * Reads GeoJSON as lines: newline-delimited, or text sequences (RFC 8142), where a record separator precedes each text
 * and a text may have several lines.
 * @throws Unreadable, with the number of the line or text
 */
export function readGeojsonLines(text: string): ReadDocument {
  const isSequence = text.includes('\x1e');
  const texts = text.split(isSequence ? '\x1e' : '\n');
  const features: ReadFeature[] = [];
  let left = 0;
  texts.forEach((one, i) => {
    if (one.trim() === '') return;
    try {
      const read = readGeojson(one);
      features.push(...read.features);
      left += read.left;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Unreadable(`${isSequence ? `text ${i}` : `line ${i + 1}`}: ${error.message}`);
    }
  });
  return { name: null, features, left };
}
