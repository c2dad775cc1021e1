import { describe, expect, it } from 'vitest';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { simplifyPolygons } from '../../workers/arcs/simplify_polygons.ts';
import { stitch } from '../../workers/arcs/stitch.ts';
import { TooLarge } from '../../workers/cancel.ts';
import { type ArcTable, FULL, type Polygons, type Rings } from '../../workers/contract.ts';
import { FORMATS, writeDocument } from '../../workers/formats/registry.ts';
import { openHeap } from '../../workers/heap.ts';
import { run as locateIn } from '../../workers/tasks/locate_in.ts';
import { archipelagos } from './large.ts';

const TASK = archipelagos(3_000);
const HEAP = TASK.heap as NonNullable<typeof TASK.heap>;
const TABLE: ArcTable = openHeap(HEAP, HEAP.buffer).table;
const ALL = Int32Array.from({ length: 3_000 }, (_, i) => i);
const DOCUMENT = { id: null, name: 'x', properties: {}, bbox: null, attribution: '', digits: 7 };

/** No one waits any more from the look number `look` on; counts the looks. */
function leaving(look: number) {
  const seen = { looks: 0 };
  return { seen, isCanceled: () => ++seen.looks >= look };
}

const ringsOf = (): Rings => {
  const merged = mergeBoundaries(TABLE, TASK.boundaries, [0, 1], []);
  if ('trouble' in merged) throw new Error(merged.trouble.reason);
  return merged.rings;
};
const polygons: Polygons = materialize(TABLE, ringsOf(), FULL, 0);
/** A ring of a million vertices: one polygon, one ring, nothing between its vertices to look at a flag. */
const LONG: Polygons = {
  coords: Int32Array.from({ length: 2_000_000 }, (_, i) => (i % 2 ? 1 : 3) * (i % 1_000_000)),
  ringEnd: Uint32Array.of(1_000_000),
  polygonEnd: Uint32Array.of(1),
};
const ABORTED = expect.objectContaining({ name: 'AbortError' });

describe('long work looks whether anybody still waits', () => {
  it('classifying, also in its middle: a few milliseconds apart', () => {
    expect(() => mergeBoundaries(TABLE, TASK.boundaries, [0, 1], [], leaving(1).isCanceled)).toThrow(ABORTED);
    const { seen, isCanceled } = leaving(3);
    expect(() => mergeBoundaries(TABLE, TASK.boundaries, [0, 1], [], isCanceled)).toThrow(ABORTED);
    expect(seen.looks).toBe(3);
  });

  it('stitching and laying out', () => {
    for (const look of [1, 2]) {
      expect(() => stitch(TABLE, ALL, leaving(look).isCanceled)).toThrow(ABORTED);
      expect(() => materialize(TABLE, ringsOf(), FULL, 0, leaving(look).isCanceled)).toThrow(ABORTED);
      expect(() => materialize(TABLE, ringsOf(), 3, 0, leaving(look).isCanceled)).toThrow(ABORTED);
    }
  });

  it('writing, in every format, inside one long ring as well', () => {
    for (const format of FORMATS) {
      for (const written of [polygons, LONG]) {
        const { seen, isCanceled } = leaving(40);
        expect(() => writeDocument(format, written, DOCUMENT, { maxBytes: 1e9, isCanceled }), format).toThrow(ABORTED);
        expect(seen.looks).toBe(40);
      }
    }
  });

  it('locating and simplifying', async () => {
    const place = { common: TABLE, isCanceled: leaving(1).isCanceled };
    expect(() => locateIn({ heap: null, boundaries: [ALL], x: 0, y: 0 }, place)).toThrow(ABORTED);
    await expect(simplifyPolygons(polygons, 3, leaving(1).isCanceled)).rejects.toThrow(ABORTED);
  });
});

describe('writing stops where an answer would be too large', () => {
  it('at once beyond the bound, whatever is still to come', () => {
    for (const format of FORMATS) {
      const whole = writeDocument(format, polygons, DOCUMENT).length;
      expect(writeDocument(format, polygons, DOCUMENT, { maxBytes: whole }).length, format).toBe(whole);
      for (const maxBytes of [whole - 1, Math.floor(whole / 2), 0]) {
        let bytes = 0;
        try {
          writeDocument(format, polygons, DOCUMENT, { maxBytes });
        } catch (error) {
          if (error instanceof TooLarge) bytes = error.bytes;
        }
        expect(bytes, `${format} ${maxBytes}`).toBeGreaterThan(maxBytes);
        expect(bytes).toBeLessThan(maxBytes + 200_000);
      }
    }
  });
});
