import type { Kind } from '../schemas.ts';
import type { Boundary } from './boundary.ts';
import { compareIds } from './ids.ts';

/** What ranking needs to know of a boundary that was found. Boxes and points in 1e-7 degrees; west > east across the antimeridian. */
export interface Ranked {
  readonly id: string;
  /** How well the name matches; smaller is better. */
  readonly step: number;
  /** Importance, as stored with the name. */
  readonly weight: number;
  /** The match ends where a word of the name ends. */
  readonly whole: boolean;
  readonly kind: Kind;
  readonly type: 'administrative' | 'postal_code';
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

/** What a caller says that decides among equal matches. */
export interface Wishes {
  /** Degrees. */
  readonly near?: { readonly lat: number; readonly lon: number };
  /** The query has a digit: postcodes are wanted. */
  readonly wantsCode: boolean;
  /** Ids of boundaries whose name in the caller's language is what was typed. */
  readonly spoken?: ReadonlySet<string>;
}

/** A match that ends where a word ends counts as two factors of ten in population. */
const WHOLE_WORD = 2;
/** The name that the caller reads, as much as one factor of ten. */
const SPOKEN = 1;
const POSTCODES_LAST = 100;
const NEAR_WEIGHT = 6.5;
const HALF_KM = 100;

/**
 * Candidates, best first. The step decides, that is, how complete the match is:
 *
 * - 0 the whole name in any language, an alias or a short name; 1 without its type word, or a former name; 2 a code or an
 *   id; 3 the start of a name; 4 a later part of a name, whole; 5 the start of one; 5.5 the starts of its words; 6 to 8 a
 *   misspelling (typos.ts).
 * - Readings add their cost (search_readings.ts): 0.05 for another spelling, 0.2 or 0.4 for "in another place" with or
 *   without a comma, 0.3 for a type word, 0.5 for the place in front; 0.01 for each kind that the type word means before
 *   the one found, and 1.2 where the kind is none of them.
 * - Postcode areas come 100 steps later, unless the query has a digit.
 *
 * Among equal steps the score decides, the sum of:
 *
 * - importance (names.ts, stored with each name): the kind, 12 for a country down to 0; log10 of the people beyond a
 *   thousand; 0.3 log10 of the km2; 1 for the capital of a country, 0.5 of a first-level division; 0.2 with a Wikidata
 *   item; minus 0.05 for each admin_level;
 * - 2 where the match ends at the end of a word ("san" of "San Juan", not of "Santander");
 * - 1 where what was typed is the name in the language of the caller ("Genf" for who reads German);
 * - with `near`: 6.5 at the place itself, half of it 100 km away, so that a state nearby outweighs a country far away.
 *
 * Then the lower id. Nothing else is asked, so the order is the same on every database and in memory.
 */
export function rank<T extends Ranked>(candidates: readonly T[], { near, wantsCode, spoken }: Wishes): T[] {
  const keyed = bestOfEach(candidates).map((candidate) => {
    const postcode = candidate.type === 'postal_code';
    return {
      candidate,
      step: candidate.step + (postcode && !wantsCode ? POSTCODES_LAST : 0),
      score:
        candidate.weight +
        (postcode && wantsCode ? POSTCODES_LAST : 0) +
        (candidate.whole ? WHOLE_WORD : 0) +
        (spoken?.has(candidate.id) ? SPOKEN : 0) +
        (near ? nearness(candidate, near) : 0),
    };
  });
  keyed.sort((a, b) => a.step - b.step || b.score - a.score || compareIds(a.candidate.id, b.candidate.id));
  return keyed.map((item) => item.candidate);
}

/** Of each boundary the best match. */
function bestOfEach<T extends Ranked>(found: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const candidate of found) {
    const other = best.get(candidate.id);
    if (!other || candidate.step < other.step) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}

/** Boxes that share at least this part of what they cover together are of one place. */
const SAME_BOX = 0.8;

/**
 * Results without the doubles of one place. A boundary without a polygon is left out for one with a polygon of the same
 * Wikidata item or ISO code, and the same level or none. Of boundaries of two sources with the same local name, level, country
 * and innermost parent whose boxes cover the same (intersection of at least 0.8 of the union), the first remains: a seed
 * boundary and the relation of OpenStreetMap, say. A name alone proves nothing: places in one country share names.
 */
export function withoutDoubles<T extends Boundary>(hits: readonly T[], fold: (name: string) => string): T[] {
  const kept: T[] = [];
  for (const hit of hits) {
    if (!hit.has_geometry && hits.some((other) => isTwin(hit, other))) continue;
    if (kept.some((other) => isDouble(hit, other, fold))) continue;
    kept.push(hit);
  }
  return kept;
}

/** Whether a boundary with a polygon is of the same place as another: the same item or code, and the same level or none. */
export function isTwin(hit: Boundary, other: Boundary): boolean {
  if (!other.has_geometry || (hit.admin_level ?? other.admin_level) !== other.admin_level) return false;
  return (hit.wikidata !== null && hit.wikidata === other.wikidata) || (hit.iso !== null && hit.iso === other.iso);
}

function isDouble(a: Boundary, b: Boundary, fold: (name: string) => string): boolean {
  if (a.source === b.source || a.admin_level !== b.admin_level || a.kind === 'postal_code' || b.kind === 'postal_code')
    return false;
  if (a.country !== b.country || a.bbox === null || b.bbox === null) return false;
  // Twins contain each other.
  const innermost = ({ parents }: Boundary, twin: Boundary) => parents.filter(({ id }) => id !== twin.id).at(-1)?.id;
  return innermost(a, b) === innermost(b, a) && fold(a.name) === fold(b.name) && overlap(a.bbox, b.bbox) >= SAME_BOX;
}

type Box = NonNullable<Boundary['bbox']>;

/** The part of what two boxes cover together that both cover; 0 across the antimeridian. Areas in square degrees. */
function overlap(a: Box, b: Box): number {
  if (a.west > a.east || b.west > b.east) return 0;
  const width = Math.min(a.east, b.east) - Math.max(a.west, b.west);
  const height = Math.min(a.north, b.north) - Math.max(a.south, b.south);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Box) => (box.east - box.west) * (box.north - box.south);
  return (width * height) / (area(a) + area(b) - width * height);
}

/** 6.5 at the place itself, half of it 100 km away, nothing for what has no place. */
function nearness(candidate: Ranked, near: { readonly lat: number; readonly lon: number }): number {
  const { west, south, east, north, lat, lon } = candidate;
  if (west === null || south === null || east === null || north === null || lat === null || lon === null) return 0;
  const clampedLat = Math.min(Math.max(near.lat, south / 1e7), north / 1e7);
  const toBox = kilometers(near.lat, clampedLat, longitudesToBox(near.lon, west / 1e7, east / 1e7));
  const toCentre = kilometers(near.lat, lat / 1e7, turn(near.lon - lon / 1e7));
  // Inside a large area one is near it, but nearer to a small one.
  return NEAR_WEIGHT / (1 + Math.max(toBox, toCentre / 20) / HALF_KM);
}

/** Degrees of longitude from a meridian to a box; 0 inside. */
function longitudesToBox(lon: number, west: number, east: number): number {
  const inside = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
  return inside ? 0 : Math.min(turn(lon - west), turn(lon - east));
}

/** The shorter way around, in degrees. */
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
