import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ByteWriter, type PointLayout } from '../../workers/formats/bytes.ts';
import { text } from './support.ts';

/** The number as decimal arithmetic has it: rounded half away from zero, no zeros at the end, no minus zero. */
function decimal(value: number, digits: number): string {
  const magnitude = BigInt(value < 0 ? -value : value);
  const unit = 10n ** BigInt(7 - digits);
  const rounded = (magnitude + unit / 2n) / unit;
  const one = 10n ** BigInt(digits);
  const fraction = String(rounded % one)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  const sign = value < 0 && rounded > 0n ? '-' : '';
  return `${sign}${rounded / one}${digits > 0 && fraction !== '' ? `.${fraction}` : ''}`;
}

function degrees(value: number, digits: number): string {
  const out = new ByteWriter(0);
  out.degrees(value, digits);
  return text(out.finish());
}

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const coordinate = fc.oneof(
  fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  fc.integer({ min: -20_000_000, max: 20_000_000 }),
  fc.integer({ min: -1100, max: 1100 }),
  fc.integer({ min: -180, max: 180 }).map((whole) => whole * 10_000_000),
  fc.integer({ min: -180_000, max: 180_000 }).map((thousandths) => thousandths * 10_000),
);
const digitCount = fc.integer({ min: 0, max: 7 });

describe('degrees', () => {
  it.each([
    [0, 7, '0'],
    [-1, 7, '-0.0000001'],
    [-1, 6, '0'],
    [-5, 6, '-0.000001'],
    [4, 6, '0'],
    [1_800_000_000, 7, '180'],
    [-1_799_999_999, 7, '-179.9999999'],
    [-1_799_999_999, 6, '-180'],
    [99_999_995, 6, '10'],
    [10_000_001, 7, '1.0000001'],
    [10_010_000, 7, '1.001'],
    [15_000_000, 0, '2'],
    [-15_000_000, 0, '-2'],
    [-4_999_999, 0, '0'],
    [-(2 ** 31), 7, '-214.7483648'],
    [2 ** 31 - 1, 0, '215'],
  ])('writes %i with %i digits as %s', (value, digits, expected) => {
    expect(degrees(value, digits)).toBe(expected);
  });

  it('writes any 32-bit integer as decimal arithmetic does', () => {
    fc.assert(
      fc.property(fc.oneof(coordinate, int32), digitCount, (value, digits) => {
        expect(degrees(value, digits)).toBe(decimal(value, digits));
      }),
      { numRuns: 20_000 },
    );
  });

  it('reads back as the nearest double', () => {
    fc.assert(
      fc.property(coordinate, (value) => {
        expect(Number(degrees(value, 7))).toBe(value / 1e7);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([-1, 8, 1.5, Number.NaN])('refuses %d digits', (digits) => {
    expect(() => degrees(1, digits)).toThrow(RangeError);
  });
});

describe('points', () => {
  const layouts: PointLayout[] = [
    { latitudeFirst: false, between: 0x2c, separator: '],[' },
    { latitudeFirst: true, between: 0x20, separator: ' ' },
    { latitudeFirst: false, between: 0x20, separator: ' ,\n ' },
  ];
  const expected = (coords: Int32Array, first: number, end: number, digits: number, layout: PointLayout) =>
    Array.from({ length: end - first }, (_, i) => {
      const pair = [coords[2 * (first + i)], coords[2 * (first + i) + 1]].map((value) =>
        decimal(defined(value), digits),
      );
      return (layout.latitudeFirst ? pair.reverse() : pair).join(String.fromCharCode(layout.between));
    }).join(layout.separator);

  it('writes a range of points in every layout', () => {
    fc.assert(
      fc.property(
        fc.array(coordinate, { minLength: 2, maxLength: 40 }),
        digitCount,
        fc.constantFrom(...layouts),
        fc.nat(20),
        (numbers, digits, layout, skipped) => {
          const coords = Int32Array.from(numbers.slice(0, numbers.length & ~1));
          const first = Math.min(skipped, coords.length / 2);
          const out = new ByteWriter(0);
          out.ascii('<');
          out.points({ coords }, first, coords.length / 2, digits, layout);
          out.ascii('>');
          expect(text(out.finish())).toBe(`<${expected(coords, first, coords.length / 2, digits, layout)}>`);
        },
      ),
    );
  });

  it('writes pieces as the points that they are, once for each layout', () => {
    const coords = Int32Array.of(5, 6, 10, 20, 30, 40, 50, 60, 10, 20, 70, 80, 70, 80);
    const pieces = [coords.slice(2, 6), coords.slice(6, 8), coords.slice(10, 12)].map((own) => ({
      coords: own,
      texts: new Map(),
    }));
    const split = { coords, pieces: { list: pieces, first: Uint32Array.of(1, 3, 5) } };
    for (const digits of [7, 7, 3]) {
      for (const layout of layouts) {
        for (const [first, end] of [
          [1, 5],
          [5, 7],
          [0, 1],
        ] as const) {
          const out = new ByteWriter(0);
          out.points(split, first, end, digits, layout);
          expect(text(out.finish())).toBe(expected(coords, first, end, digits, layout));
        }
      }
    }
    expect(pieces.map(({ texts }) => texts.size)).toEqual([3, 3, 3]);
  });

  it('grows over any number of points, the longest ones too', () => {
    const coords = new Int32Array(2 * 10_001).fill(-(2 ** 31));
    const out = new ByteWriter(1);
    out.points({ coords }, 0, 10_001, 7, defined(layouts[0]));
    expect(text(out.finish())).toBe(Array(10_001).fill('-214.7483648,-214.7483648').join('],['));
  });
});

describe('line', () => {
  const line = (points: readonly (readonly number[])[], unit: number) => {
    const out = new ByteWriter(0);
    out.line(Float64Array.from(points.flat()), 0, points.length, unit);
    return text(out.finish());
  };

  /** The points of a path, each multiplied by the unit and rounded. */
  const pointsOf = (path: string, unit: number) => {
    const found: [number, number][] = [];
    for (const [, command, numbers] of path.matchAll(/([MLl])([^MLl]*)/g)) {
      const all = [...defined(numbers).matchAll(/-?\d+(?:\.\d+)?/g)].map(([one]) => Math.round(Number(one) * unit));
      for (let i = 0; i < all.length; i += 2) {
        const [x, y] = command === 'l' ? (found.at(-1) as [number, number]) : [0, 0];
        found.push([x + defined(all[i]), y + defined(all[i + 1])]);
      }
    }
    return found;
  };

  it('writes a first point and steps that give every point again, in every unit', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 3_600_000_000 }), fc.integer({ min: 0, max: 3 }));
    const points = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 7 }), (given, digits) => {
        const unit = 10 ** digits;
        const path = line(given, unit);
        expect(path).toMatch(/^M[\d.]+ [\d.]+(?:(?:l|L)?(?:[ -]?\d+(?:\.\d*[1-9])?)+)*$/);
        const distinct = given.filter(
          ([x, y], i) => i === 0 || x !== defined(given[i - 1])[0] || y !== defined(given[i - 1])[1],
        );
        expect(pointsOf(path, unit)).toEqual(distinct);
      }),
    );
  });

  it('writes steps of every length', () => {
    for (const length of [1, 9, 10, 99, 100, 9999, 10_000, 10_001, 99_999, 8_388_608, 99_999_999, 3_600_000_000])
      expect(
        line(
          [
            [0, 7],
            [length, 0],
          ],
          1,
        ),
      ).toBe(`M0 7l ${length}-7`);
    expect(
      line(
        [
          [0, 7],
          [0, 7],
        ],
        1,
      ),
    ).toBe('M0 7');
    expect(
      line(
        [
          [10, 7],
          [5, 107],
        ],
        100,
      ),
    ).toBe('M0.1 0.07l-0.05 1');
  });

  it('has absolute points where the floats of a browser would lose whole numbers', () => {
    const far = Array.from({ length: 100 }, (_, i) => [2 ** 25 + i, i]);
    expect(line(far, 1).match(/L/g)).toHaveLength(6);
    expect(line(far, 10)).not.toContain('L');
  });
});

describe('text and the buffer', () => {
  it('writes any text as UTF-8, a lone surrogate as U+FFFD', () => {
    const out = new ByteWriter(0);
    const long = 'ß€🚀'.repeat(1000);
    out.utf8(`${long}\ud800.\udc00`);
    expect(text(out.finish())).toBe(`${long}\ufffd.\ufffd`);
  });

  it('ends in a view at the start of a buffer that is at most an eighth longer', () => {
    for (const [capacity, length] of [
      [10, 0],
      [100_000, 10],
      [1000, 980],
      [64, 10_000],
    ]) {
      const out = new ByteWriter(defined(capacity));
      out.ascii('x'.repeat(defined(length)));
      const bytes = out.finish();
      expect(bytes.byteOffset).toBe(0);
      expect(bytes.length).toBe(length);
      expect(bytes.buffer.byteLength).toBeLessThanOrEqual((defined(length) * 9) / 8);
    }
  });

  it('keeps texts apart that are written at once, also after one that was given up', () => {
    const writers = Array.from({ length: 4 }, () => new ByteWriter(10));
    for (let i = 0; i < 3000; i++) writers.forEach((out, w) => void out.ascii(`${w}${i},`));
    const given = new ByteWriter(10, { maxBytes: 5 });
    expect(() => {
      for (let i = 0; i < 10; i++) given.ascii('longer');
    }).toThrow(expect.objectContaining({ name: 'TooLarge' }));
    const finished = writers.slice(0, 2).map((out) => out.finish());
    const other = new ByteWriter(10);
    other.ascii('x'.repeat(20_000));
    finished.push(...writers.slice(2).map((out) => out.finish()), other.finish());
    const wanted = (w: number) => Array.from({ length: 3000 }, (_, i) => `${w}${i},`).join('');
    expect(finished.map(text)).toEqual([wanted(0), wanted(1), wanted(2), wanted(3), 'x'.repeat(20_000)]);
  });
});
