import { defined } from '../../common/elements.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { compareIds } from '../boundaries/ids.ts';

/** A found boundary, as ranking needs it. Coordinates in 1e-7 degrees; west > east across the antimeridian. */
export interface Ranked {
  readonly id: string;
  /** How complete the match is; smaller is better. */
  readonly step: number;
  /** Importance, stored with the name. */
  readonly weight: number;
  /** Whether the match ends at the end of a word. */
  readonly whole: boolean;
  /** Whether words of the query do not fit it. */
  readonly partial?: boolean;
  /** Whether the match is a part of its name, and another place is likelier meant (parts.ts). */
  readonly unlikely?: boolean;
  /** Whether it follows the first result, however complete its match is. */
  readonly isBesideFirst?: boolean;
  readonly kind: Kind;
  readonly type: 'administrative' | 'postal_code';
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

/** Preferences of the caller that order equal matches. */
export interface RankPreferences {
  /** Point in degrees. */
  readonly near?: { readonly lat: number; readonly lon: number };
  /** The query has a digit, so postcodes are wanted. */
  readonly wantsCode: boolean;
  /** Ids of boundaries whose name in the caller's language is the typed text. */
  readonly inLanguage?: ReadonlySet<string>;
  /** Ids of countries whose name in another language is the local name of other candidates. */
  readonly foreign?: ReadonlySet<string>;
  /** Ids of the counties of the cities that people mean by the names found. */
  readonly homes?: ReadonlySet<string>;
}

/** Score of a match that ends at the end of a word: two factors of ten in population. */
const WHOLE_WORD = 2;
/** Score of a name in the caller's language: one factor of ten in population. */
const IN_LANGUAGE = 1;
/** Score of the county of the city that people mean: four factors of ten in population. */
const HOME = 4;
/** Steps by which a country comes later whose name in another language is the local name of another place. */
const FOREIGN = 0.01;
/** Steps or score by which postcode areas come after or before other boundaries. */
const POSTCODES_LAST = 100;
/** Steps by which results come later that fit only a part of the query: above those of any match. */
const PARTIAL_LAST = 10;
/** The same for unlikely parts of names: after typos in whole names. */
const UNLIKELY_LAST = 3.5;
/** Score of a boundary at the given point; halves at HALF_KM kilometers. */
const NEAR_WEIGHT = 6.5;
const HALF_KM = 100;

/**
 * Sorts candidates, best first. The step decides first, that is, how complete the match is:
 *
 * - 0 the whole name in any language, an alias or a short name; 1 without its type word, or a former name; 2 a code or
 *   an id; 3 the start of a name; 4 a later part of a name, whole; 5 the start of one; 5.5 the starts of its words; 6
 *   to 8 a misspelling (typos.ts).
 * - Readings add their cost (readings.ts): 0.05 for another spelling, 0.2 or 0.4 for "in another place" with or
 *   without a comma, 0.3 for a type word, 0.5 for the place in front; 0.01 for each kind that the type word means
 *   before the one found, and 1.2 if the kind is none of them.
 * - A country comes 0.01 later if another place has the text as its own name, and the country only in a language that
 *   is neither its own nor English: "Granada".
 * - A part of a name comes 3.5 later if another place is likelier meant (parts.ts).
 * - Postcode areas come 100 steps later, unless the query has a digit. What fits only a part of the query comes after
 *   all that fits the whole query.
 *
 * Among equal steps the score decides, the sum of:
 *
 * - importance (names.ts, stored with each name): the kind, 12 for a country down to 0; log10 of the people beyond a
 *   thousand; 0.3 log10 of the km2; 1 for the capital of a country, 0.5 of a first-level division; 0.2 with a Wikidata
 *   item; minus 0.05 for each admin_level;
 * - 2 if the match ends at the end of a word ("san" of "San Juan", not of "Santander");
 * - 1 if the typed text is the name in the caller's language ("Genf" for a caller who reads German);
 * - 4 for the county of the largest city of that name ("Dallas" is in Dallas County, Texas);
 * - with `near`: 6.5 at the place itself, half of it 100 km away, so that a state nearby outweighs a country far away.
 *
 * The county around a city follows the first result: "Macon" is in Bibb County, too. Ties go to the lower id, so the order is the same on every database and in memory.
 */
export function rank<T extends Ranked>(
  candidates: readonly T[],
  { near, wantsCode, inLanguage, foreign, homes }: RankPreferences,
): T[] {
  const keyed = bestOfEach(candidates).map((candidate) => {
    const postcode = candidate.type === 'postal_code';
    return {
      candidate,
      step:
        lasting(candidate) + (postcode && !wantsCode ? POSTCODES_LAST : 0) + (foreign?.has(candidate.id) ? FOREIGN : 0),
      score:
        candidate.weight +
        (postcode && wantsCode ? POSTCODES_LAST : 0) +
        (candidate.whole ? WHOLE_WORD : 0) +
        (inLanguage?.has(candidate.id) ? IN_LANGUAGE : 0) +
        (homes?.has(candidate.id) ? HOME : 0) +
        (near ? nearness(candidate, near) : 0),
    };
  });
  keyed.sort((a, b) => a.step - b.step || b.score - a.score || compareIds(a.candidate.id, b.candidate.id));
  const sorted = keyed.map((item) => item.candidate);
  const beside = sorted.findIndex(({ isBesideFirst }) => isBesideFirst);
  return beside > 1 ? [...sorted.slice(0, 1), ...sorted.splice(beside, 1), ...sorted.slice(1)] : sorted;
}

/** Keeps the best match of each boundary. */
function bestOfEach<T extends Ranked>(found: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const candidate of found) {
    const other = best.get(candidate.id);
    if (!other || lasting(candidate) < lasting(other)) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}

const lasting = ({ step, partial, unlikely }: Ranked): number =>
  step + (partial ? PARTIAL_LAST : 0) + (unlikely ? UNLIKELY_LAST : 0);

const NONE_PREFERRED: ReadonlyMap<string, number> = new Map();

/** Least intersection over union of two boxes of the same place. */
const SAME_BOX = 0.8;

/**
 * Removes duplicates of one place from results. A boundary without a polygon is dropped if another with a polygon has
 * the same Wikidata item or ISO code, and the same level or the dropped one has none. Of boundaries from two sources
 * with the same local name, level, country and innermost parent whose boxes overlap (intersection over union of at
 * least 0.8), the one of the source that the operator prefers is kept, else the first: for example, a seed boundary and the OpenStreetMap relation. A name alone proves
 * nothing: places in one country share names.
 */
export function withoutDuplicates<T extends Boundary>(
  hits: readonly T[],
  fold: (name: string) => string,
  preferred: ReadonlyMap<string, number> = NONE_PREFERRED,
): T[] {
  const positionOf = ({ source }: T): number => preferred.get(source) ?? Number.MAX_SAFE_INTEGER;
  const kept: T[] = [];
  for (const hit of hits) {
    if (!hit.has_geometry && hits.some((other) => isTwin(hit, other))) continue;
    const at = kept.findIndex((other) => isDouble(hit, other, fold));
    if (at < 0) kept.push(hit);
    else if (positionOf(hit) < positionOf(defined(kept[at]))) kept[at] = hit;
  }
  return kept;
}

/** Whether `other` has a polygon and is the same place: same Wikidata item or ISO code, same level or none in `hit`. */
export function isTwin(hit: Boundary, other: Boundary): boolean {
  if (!other.has_geometry || (hit.admin_level ?? other.admin_level) !== other.admin_level) return false;
  return (hit.wikidata !== null && hit.wikidata === other.wikidata) || (hit.iso !== null && hit.iso === other.iso);
}

function isDouble(a: Boundary, b: Boundary, fold: (name: string) => string): boolean {
  // Two sets that have the same area are two answers: who asks means the one or the other.
  if (a.id.startsWith('set:') || b.id.startsWith('set:')) return false;
  if (a.source === b.source || a.admin_level !== b.admin_level || a.kind === 'postal_code' || b.kind === 'postal_code')
    return false;
  if (a.country !== b.country || a.bbox === null || b.bbox === null) return false;
  // Twins contain each other.
  const innermost = ({ parents }: Boundary, twin: Boundary) => parents.filter(({ id }) => id !== twin.id).at(-1)?.id;
  return innermost(a, b) === innermost(b, a) && fold(a.name) === fold(b.name) && overlap(a.bbox, b.bbox) >= SAME_BOX;
}

type Box = NonNullable<Boundary['bbox']>;

/** Intersection over union of two boxes, as areas in square degrees; 0 if one crosses the antimeridian. */
function overlap(a: Box, b: Box): number {
  if (a.west > a.east || b.west > b.east) return 0;
  const width = Math.min(a.east, b.east) - Math.max(a.west, b.west);
  const height = Math.min(a.north, b.north) - Math.max(a.south, b.south);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Box) => (box.east - box.west) * (box.north - box.south);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** Score for distance: 6.5 at the place itself, half of that 100 km away, 0 for a boundary without a position. */
function nearness(candidate: Ranked, near: { readonly lat: number; readonly lon: number }): number {
  const { west, south, east, north, lat, lon } = candidate;
  if (west === null || south === null || east === null || north === null || lat === null || lon === null) return 0;
  const clampedLat = Math.min(Math.max(near.lat, south / 1e7), north / 1e7);
  const toBox = kilometers(near.lat, clampedLat, longitudesToBox(near.lon, west / 1e7, east / 1e7));
  const toCentre = kilometers(near.lat, lat / 1e7, turn(near.lon - lon / 1e7));
  // A point inside a large area is near it, but nearer to the small one around it.
  return NEAR_WEIGHT / (1 + Math.max(toBox, toCentre / 20) / HALF_KM);
}

/** Degrees of longitude from a meridian to a box; 0 inside. */
function longitudesToBox(lon: number, west: number, east: number): number {
  const inside = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
  return inside ? 0 : Math.min(turn(lon - west), turn(lon - east));
}

/** Absolute difference of two longitudes the shorter way around, in degrees. */
function turn(degrees: number): number {
  const around = Math.abs(degrees) % 360;
  return around > 180 ? 360 - around : around;
}

/** Great-circle distance on a sphere of 6,371 km (haversine formula). */
function kilometers(latA: number, latB: number, lonDegrees: number): number {
  const radians = Math.PI / 180;
  const a =
    Math.sin(((latB - latA) * radians) / 2) ** 2 +
    Math.cos(latA * radians) * Math.cos(latB * radians) * Math.sin((lonDegrees * radians) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}
