/** The boundaries of a tile task, packed into a form that is quick to copy to another thread. */
import type { Rings } from './contract.ts';

/** How much of an area is water. part: land and water. */
export type WaterPart = 'unknown' | 'none' | 'all' | 'part';
const WATER_PARTS: readonly WaterPart[] = ['unknown', 'none', 'all', 'part'];

/** The attributes of a boundary in a tile. */
export interface TileFeature {
  readonly id: string;
  readonly name: string;
  /** Its admin_level, or null when it has none. */
  readonly level: number | null;
  readonly kind: string;
  readonly country: string | null;
  readonly disputed: boolean;
  /** Which part of it is water. */
  readonly water: WaterPart;
  /** Longitude and latitude of its label in 1e-7 degrees, or null when it has none. */
  readonly label: readonly [number, number] | null;
  /** Lower values are more important. */
  readonly rank: number;
}

/**
 * Rings of many boundaries in a few arrays. Copying an array to another thread costs about 3 µs however short it is;
 * for the separate rings of 100 boundaries that is 1 ms on each side.
 */
export interface PackedRings {
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /** Three numbers per boundary: the ends of its parts of refs, of ringEnd and of polygonEnd. */
  readonly ends: Uint32Array;
}

/** The attributes of many boundaries, one column per member of TileFeature. */
export interface PackedFeatures {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly countries: readonly (string | null)[];
  /** NO_LEVEL when it has none. */
  readonly levels: Uint8Array;
  readonly disputed: Uint8Array;
  /** Indexes of WATER_PARTS. */
  readonly waters: Uint8Array;
  /** Two numbers per boundary; NO_LABEL when it has none. */
  readonly labels: Int32Array;
  readonly ranks: Int32Array;
}

const NO_LEVEL = 255;
const NO_LABEL = 2 ** 31 - 1;

/** Concatenates the rings of boundaries. */
export function packRings(boundaries: readonly Rings[]): PackedRings {
  const sum = (sizeOf: (rings: Rings) => number): number => boundaries.reduce((all, rings) => all + sizeOf(rings), 0);
  const packed = {
    refs: new Int32Array(sum(({ refs }) => refs.length)),
    ringEnd: new Uint32Array(sum(({ ringEnd }) => ringEnd.length)),
    polygonEnd: new Uint32Array(sum(({ polygonEnd }) => polygonEnd.length)),
    ends: new Uint32Array(3 * boundaries.length),
  };
  let [ref, ring, polygon] = [0, 0, 0];
  boundaries.forEach(({ refs, ringEnd, polygonEnd }, b) => {
    packed.refs.set(refs, ref);
    packed.ringEnd.set(ringEnd, ring);
    packed.polygonEnd.set(polygonEnd, polygon);
    ref += refs.length;
    ring += ringEnd.length;
    polygon += polygonEnd.length;
    packed.ends.set([ref, ring, polygon], 3 * b);
  });
  return packed;
}

/** The rings of each boundary, as views of the packed arrays. */
export function unpackRings({ refs, ringEnd, polygonEnd, ends }: PackedRings): Rings[] {
  const rings: Rings[] = [];
  let [ref, ring, polygon] = [0, 0, 0];
  for (let at = 0; at < ends.length; at += 3) {
    rings.push({
      refs: refs.subarray(ref, ends[at]),
      ringEnd: ringEnd.subarray(ring, ends[at + 1]),
      polygonEnd: polygonEnd.subarray(polygon, ends[at + 2]),
    });
    ref = ends[at];
    ring = ends[at + 1];
    polygon = ends[at + 2];
  }
  return rings;
}

/** Packs the attributes of boundaries into columns. */
export function packFeatures(features: readonly TileFeature[]): PackedFeatures {
  const labels = new Int32Array(2 * features.length).fill(NO_LABEL);
  features.forEach(({ label }, i) => {
    if (label) labels.set(label, 2 * i);
  });
  return {
    ids: features.map(({ id }) => id),
    names: features.map(({ name }) => name),
    kinds: features.map(({ kind }) => kind),
    countries: features.map(({ country }) => country),
    levels: Uint8Array.from(features, ({ level }) => level ?? NO_LEVEL),
    disputed: Uint8Array.from(features, ({ disputed }) => Number(disputed)),
    waters: Uint8Array.from(features, ({ water }) => WATER_PARTS.indexOf(water)),
    labels,
    ranks: Int32Array.from(features, ({ rank }) => rank),
  };
}

/** The attributes of each boundary. */
export function unpackFeatures({
  ids,
  names,
  kinds,
  countries,
  levels,
  disputed,
  waters,
  labels,
  ranks,
}: PackedFeatures): TileFeature[] {
  return ids.map((id, i) => ({
    id,
    name: names[i],
    level: levels[i] === NO_LEVEL ? null : levels[i],
    kind: kinds[i],
    country: countries[i],
    disputed: disputed[i] === 1,
    water: WATER_PARTS[waters[i]],
    label: labels[2 * i] === NO_LABEL ? null : [labels[2 * i], labels[2 * i + 1]],
    rank: ranks[i],
  }));
}
