import { defined } from '../defined.ts';
/** A member of a relation, in the order of the file; `type` is n(ode), w(ay) or r(elation). */
export interface OsmMember {
  type: 'n' | 'w' | 'r';
  ref: number;
  role: string;
}

export interface OsmRelation {
  id: number;
  /** The object version, or 0 when the source gives none. */
  version: number;
  tags: Record<string, string>;
  members: OsmMember[];
}

export interface OsmWay {
  id: number;
  /** The object version, or 0 when the source gives none. */
  version: number;
  tags: Record<string, string>;
  /** Node ids (exact to 2^53), or null when the source has none. */
  refs: Float64Array | null;
  /** Interleaved x, y in 1e-7 degrees; null when a node is missing from the file or the source has no geometry. */
  coords: Int32Array | null;
  /** The first node id that is missing from the file, or null. */
  missing: number | null;
  /** The places of the other nodes, where one is missing; only of inland water. */
  placed?: Int32Array;
}

export interface OsmNode {
  id: number;
  /** The object version, or 0 when the source gives none. */
  version: number;
  tags: Record<string, string>;
  /** Longitude in 1e-7 degrees. */
  x: number;
  /** Latitude in 1e-7 degrees. */
  y: number;
}

/** Marks an unknown coordinate in an array: far outside any longitude or latitude. */
export const NOWHERE = -0x80000000;

/**
 * The most nodes of a way, members of a relation, or tags of an object that are read. The API allows 2,000 nodes and
 * 32,000 members, so larger numbers mean damage or an attack on memory.
 */
export const MAX_PARTS = 1_000_000;

const MAX_X = 1_800_000_000;
const MAX_Y = 900_000_000;

// Roles of members that are part of a boundary's description but never of its border (OSM wiki, Relation:boundary;
// osm-fr/infrastructure#254 for disputed_exclave). `admin_center` is a common spelling of `admin_centre`.
const NEVER_RING = new Set([
  'subarea',
  'land_area',
  'water_area',
  'collection',
  'admin_centre',
  'admin_center',
  'label',
  'disputed_exclave',
  'disputed_enclave',
]);

/**
 * Whether a way with this role is part of the border. As in libosmium's assembler, roles do not decide topology: a
 * misspelled or unknown role counts, and only the roles that mean something else are excluded.
 */
export function isRingRole(role: string): boolean {
  return !NEVER_RING.has(role);
}

/** Whether a node with this role has names and figures of the boundary. */
export function isPlaceRole(role: string): boolean {
  return role === 'label' || role === 'admin_centre' || role === 'admin_center';
}

/** Whether the tags are those of an administrative boundary or postcode area. */
export function hasBoundaryTag(tags: Readonly<Record<string, string>>): boolean {
  return tags.boundary === 'administrative' || tags.boundary === 'postal_code';
}

/** Whether a way with these tags is a coastline: land is on its left, water on its right. */
export function isCoastline(tags: Readonly<Record<string, string>>): boolean {
  return tags.natural === 'coastline';
}

/** Whether a relation with these tags is a boundary: type=boundary, or the legacy type=multipolygon. */
export function isBoundaryRelation(tags: Readonly<Record<string, string>>): boolean {
  return hasBoundaryTag(tags) && (tags.type === 'boundary' || tags.type === 'multipolygon');
}

/** What is read of a file: boundaries and the coast, or inland water. */
export type Kept = 'boundaries' | 'water';

const WATERS = new Set([
  'lake',
  'river',
  'reservoir',
  'lagoon',
  'oxbow',
  'canal',
  'basin',
  'pond',
  'lock',
  'harbour',
  'stream_pool',
]);

/** Whether the tags are those of an area of inland water (OSM wiki, Tag:natural=water and the older tags that it names). */
export function isWater(tags: Readonly<Record<string, string>>): boolean {
  return (
    tags.natural === 'water' ||
    tags.waterway === 'riverbank' ||
    tags.landuse === 'reservoir' ||
    (tags.natural === undefined && WATERS.has(tags.water ?? ''))
  );
}

/** Whether a relation with these tags is read. */
export function keepsRelation(tags: Readonly<Record<string, string>>, kept: Kept): boolean {
  return kept === 'water' ? isWater(tags) && tags.type === 'multipolygon' : isBoundaryRelation(tags);
}

/** Whether a way with these tags is an area that is read, if it is closed. */
export function keepsArea(tags: Readonly<Record<string, string>>, kept: Kept): boolean {
  return kept === 'water' ? isWater(tags) : hasBoundaryTag(tags);
}

/** Whether the node ids form a closed way: at least four, the last equal to the first. */
export function isClosed(refs: ArrayLike<number>): boolean {
  return refs.length >= 4 && refs[0] === refs[refs.length - 1];
}

/** A text of OpenStreetMap as PostgreSQL can store it: NUL and unpaired surrogates become U+FFFD. */
export function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

/** Converts a longitude from degrees to 1e-7 degrees, rounded. @throws unless it is a number from -180 to 180 */
export function toX(degrees: number): number {
  return inRange(Math.round(degrees * 1e7), MAX_X, 'longitude', degrees);
}

/** Converts a latitude from degrees to 1e-7 degrees, rounded. @throws unless it is a number from -90 to 90 */
export function toY(degrees: number): number {
  return inRange(Math.round(degrees * 1e7), MAX_Y, 'latitude', degrees);
}

/** Returns an integer longitude (1e-7 degrees). @throws when it is out of range */
export function checkX(x: number): number {
  return inRange(x, MAX_X, 'longitude', x / 1e7);
}

/** Returns an integer latitude (1e-7 degrees). @throws when it is out of range */
export function checkY(y: number): number {
  return inRange(y, MAX_Y, 'latitude', y / 1e7);
}

function inRange(value: number, limit: number, name: string, shown: number): number {
  // Negated, so that NaN fails; + 0 turns -0 into 0.
  if (!(Math.abs(value) <= limit)) throw new Error(`${name} ${shown} is out of range`);
  return value + 0;
}

/** The index of the first of the ascending `ids`, from `from` on, that is at least `id`. */
export function lowerBound(ids: Float64Array, id: number, from = 0): number {
  let low = from;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (defined(ids[middle]) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
