import type { Coords } from '../../../workers/contract.ts';
import { readTable } from '../reference.ts';

/** data/country_shapes.json, made by scripts/make_country_shapes.ts. */
interface ShapeFile {
  /** Each arc as text; see decodeArc. */
  readonly arcs: readonly string[];
  /** By ISO 3166-1 code: rings as references to arcs; ~i is arc i walked backward. */
  readonly countries: Readonly<
    Record<string, { readonly source: ShapeSource; readonly rings: readonly (readonly number[])[] }>
  >;
}

export type ShapeSource = 'world-atlas' | 'geo-maps';

/** The land of a country or territory. */
export interface CountryShape {
  readonly code: string;
  readonly source: ShapeSource;
  /** Closed rings in 1e-7 degrees, even-odd. */
  readonly rings: readonly Coords[];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The shapes of the committed file. The United States and Spain are not in it: they come from their subdivisions. */
export function countryShapes(): CountryShape[] {
  const { arcs, countries } = readTable<ShapeFile>('country_shapes.json');
  const values = valuesOfCharacters();
  const decoded = arcs.map((text) => decodeArc(text, values));
  return Object.entries(countries).map(([code, { source, rings }]) => ({
    code,
    source,
    rings: rings.map((refs) => walk(decoded, refs)),
  }));
}

function valuesOfCharacters(): Uint8Array {
  const values = new Uint8Array(128);
  for (let i = 0; i < ALPHABET.length; i++) values[ALPHABET.charCodeAt(i)] = i;
  return values;
}

/**
 * The vertices of an arc in 1e-7 degrees. The text is a digit d, then for each vertex the differences of x and y from
 * the vertex before, in units of 10^-d degrees. A number has five bits per character, lowest first, plus 32 if more
 * characters follow; its lowest bit is the sign.
 */
function decodeArc(text: string, values: Uint8Array): Coords {
  const unit = 10 ** (7 - Number(text[0]));
  const out: number[] = [];
  let number = 0;
  let place = 1;
  for (let i = 1; i < text.length; i++) {
    const value = values[text.charCodeAt(i)]!;
    number += (value & 31) * place;
    place *= 32;
    if (value >= 32) continue;
    const difference = (number % 2 === 1 ? -(number + 1) / 2 : number / 2) * unit;
    out.push(difference + (out.length < 2 ? 0 : out[out.length - 2]!));
    number = 0;
    place = 1;
  }
  return Int32Array.from(out);
}

/** The closed ring of consecutive arcs; each begins where the one before ends. */
function walk(arcs: readonly Coords[], refs: readonly number[]): Coords {
  let length = 2;
  for (const ref of refs) length += arcs[ref < 0 ? ~ref : ref]!.length - 2;
  const ring = new Int32Array(length);
  let n = 0;
  for (const ref of refs) {
    const arc = arcs[ref < 0 ? ~ref : ref]!;
    for (let i = n === 0 ? 0 : 2; i < arc.length; i += 2) {
      const at = ref < 0 ? arc.length - 2 - i : i;
      ring[n++] = arc[at]!;
      ring[n++] = arc[at + 1]!;
    }
  }
  return ring;
}
