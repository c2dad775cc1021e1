/** The parts of boundaries that are land or water: shapes of their own, which stand in for the whole ones. */
import { DRY_LAND, LAND, WATER } from '../../common/arrangements.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { type NamedShape, type ResolvedBoundary, shownId } from './boundary.ts';

/** Which part of a boundary is meant; dry_land: its land without inland water. */
export type Part = 'all' | 'land' | 'water' | 'dry_land';

/** How a caller asks for a part. */
export interface PartAsked {
  readonly area?: 'all' | 'land' | 'water' | undefined;
  readonly water?: 'inland' | undefined;
}

/** The part that a caller asks for. @throws invalid_input for inland water of anything else than the land */
export function partAsked({ area = 'all', water }: PartAsked): Part {
  if (water === undefined) return area;
  if (area === 'land') return 'dry_land';
  const message = 'inland is cut out of the land: give area=land, too';
  throw invalidInput([{ path: 'water', code: 'conflict', message }]);
}

/** How a caller asks for this part. */
export function askedAs(part: Part): { readonly area?: 'land' | 'water'; readonly water?: 'inland' } {
  if (part === 'dry_land') return { area: 'land', water: 'inland' };
  return part === 'all' ? {} : { area: part };
}

/** The parts as messages name them. */
export const PART_NAMES = { land: 'land', water: 'water', dry_land: 'land without inland water' } as const;

/** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
type Box = readonly [number, number, number, number];

/** A row of land_of. */
export interface LandRow {
  readonly id: string;
  readonly ends_at_shore: boolean;
  readonly state: 'land' | 'mixed' | 'water' | 'unknown' | 'pending';
  readonly land_km2: number | null;
  readonly reason: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly land_hash: string | null;
  readonly land_box: readonly number[];
  readonly water_hash: string | null;
  readonly water_box: readonly number[];
  readonly water_km2: number | null;
  readonly inland_state: 'none' | 'some' | 'all' | 'unknown' | 'pending' | null;
  readonly inland_reason: string | null;
  readonly inland_lat: number | null;
  readonly inland_lon: number | null;
  readonly dry_hash: string | null;
  readonly dry_box: readonly number[];
  readonly dry_km2: number | null;
}

/** The land or the water of a boundary. */
export interface PartShape {
  readonly arrangement: number;
  readonly ringHash: string;
  readonly box: Box;
  /** A point inside, in 1e-7 degrees. */
  readonly center: readonly [x: number, y: number];
  readonly areaKm2: number;
}

/**
 * What points within a boundary are on: all the same, not known, or as its land part says, a shape of the arrangement
 * LAND. shore: land as coarse as its source, which ends at the shore.
 */
export type GroundOf = 'land' | 'water' | 'shore' | 'unknown' | { readonly landHash: string };

/** What is known of the land of a boundary. */
export interface Land {
  readonly ground: GroundOf;
  /** How much of a boundary that was cut along a coast is water, a part as a shape of the arrangement WATER. */
  readonly water: 'none' | 'all' | { readonly waterHash: string } | null;
  readonly includesWater: boolean | null;
  /** Null when unknown. */
  readonly landKm2: number | null;
  /** How much of it is inland water; null when unknown. */
  readonly inlandKm2: number | null;
  /** The part as a shape of its own; null: the whole boundary. @throws no_geometry, and says what to do */
  partOf(name: string, part: Exclude<Part, 'all'>): PartShape | null;
}

/** What a row says. */
export function toLand(row: LandRow): Land {
  const known = row.ends_at_shore || row.state === 'land' || row.state === 'mixed' || row.state === 'water';
  const includesWater = row.ends_at_shore ? false : known ? row.state !== 'land' : null;
  return {
    ground: row.ends_at_shore ? 'shore' : groundOf(row),
    water: row.ends_at_shore ? null : waterOf(row),
    includesWater,
    landKm2: known ? row.land_km2 : null,
    inlandKm2: known ? inlandKm2Of(row) : null,
    partOf(name, part) {
      if (!known) throw problem('no_geometry', unknownLand(row, name));
      if (part === 'dry_land') return dryLandOf(row, name);
      if (row.ends_at_shore) {
        if (part === 'land') return null;
        throw problem('no_geometry', `${row.id} (${name}) ends at the shore: it has no water.`);
      }
      const [ringHash, box, areaKm2] =
        part === 'land' ? [row.land_hash, row.land_box, row.land_km2] : [row.water_hash, row.water_box, row.water_km2];
      if (ringHash === null || areaKm2 === null) throw problem('no_geometry', `${row.id} (${name}) has no ${part}.`);
      return shapeOf(part === 'land' ? LAND : WATER, ringHash, box, areaKm2);
    },
  };
}

function shapeOf(arrangement: number, ringHash: string, box: readonly number[], areaKm2: number): PartShape {
  const [west = 0, south = 0, east = 0, north = 0, x = 0, y = 0] = box;
  return { arrangement, ringHash, box: [west, south, east, north], center: [x, y], areaKm2 };
}

function inlandKm2Of({ inland_state: state, land_km2: land, dry_km2: dry }: LandRow): number | null {
  if (state === 'none') return 0;
  if (state === 'all') return land;
  return state === 'some' && land !== null && dry !== null ? Math.max(0, land - dry) : null;
}

/** The land without inland water. @throws no_geometry when it is not known, or there is none */
function dryLandOf(row: LandRow, name: string): PartShape {
  const { id, inland_state: state, dry_hash: ringHash, dry_box: box, dry_km2: areaKm2, land_km2: land } = row;
  if (state === null || state === 'unknown' || state === 'pending')
    throw problem('no_geometry', unknownInland(row, name));
  if (state === 'all' && land !== null) throw problem('no_geometry', `All land of ${id} (${name}) is inland water.`);
  if (ringHash === null || areaKm2 === null) throw problem('no_geometry', `${id} (${name}) has no land.`);
  return shapeOf(DRY_LAND, ringHash, box, areaKm2);
}

function unknownInland(
  { id, inland_state: state, inland_reason, inland_lat, inland_lon }: LandRow,
  name: string,
): string {
  if (state === 'pending') return `The inland water of ${id} (${name}) is being worked out: an import has not ended.`;
  const place = inland_lat === null || inland_lon === null ? '' : ` near ${inland_lat / 1e7},${inland_lon / 1e7}`;
  return (
    `The inland water of ${id} (${name}) is not known: ${inland_reason ?? 'none was imported there'}${place}. Import it ` +
    'with a file of OpenStreetMap that has the boundary (boundary import FILE.osm.pbf --inland-water) or from a file of ' +
    'lakes (boundary import --water FILE).'
  );
}

function groundOf({ state, land_hash: landHash }: LandRow): GroundOf {
  if (state === 'land' || state === 'water') return state;
  return state === 'mixed' && landHash !== null ? { landHash } : 'unknown';
}

function waterOf({ state, water_hash: waterHash }: LandRow): Land['water'] {
  if (state === 'land') return 'none';
  if (state === 'water') return 'all';
  return state === 'mixed' && waterHash !== null ? { waterHash } : null;
}

function unknownLand({ id, reason, lat, lon, state }: LandRow, name: string): string {
  if (state === 'pending') return `The land of ${id} (${name}) is being worked out: an import has not ended.`;
  const why = reason ?? 'no coast is stored near it';
  const place = lat === null || lon === null ? '' : ` near ${lat / 1e7},${lon / 1e7}`;
  return (
    `The land of ${id} (${name}) is not known: ${why}${place}. Import a file with its coastline ` +
    '(boundary import FILE.osm.pbf) or land polygons (boundary import --land FILE).'
  );
}

/** Reads what is known of the land of boundaries, by canonical id. */
export interface LandReader {
  landOf(ids: readonly string[]): Promise<ReadonlyMap<string, Land>>;
}

/**
 * Whether the parts of some boundaries include water, as answers say it. Land is read only for whole boundaries: a part
 * says it by itself.
 */
export async function readIncludesWater(
  reading: LandReader,
  boundaries: readonly NamedShape[],
  part: Part,
): Promise<boolean | 'unknown'> {
  if (part !== 'all') return includesWater([], part);
  const land = await reading.landOf(boundaries.filter(({ dated }) => dated === undefined).map(({ id }) => id));
  return includesWater(
    boundaries.map(({ id, dated }) => (dated === undefined ? (land.get(id) ?? null) : null)),
    part,
  );
}

/** Shapes with their part in place of the whole, in the order given. @throws no_geometry when one has no known part */
export async function partsOf<T extends NamedShape>(
  reading: LandReader,
  boundaries: readonly T[],
  part: Part,
): Promise<T[]> {
  if (part === 'all') return [...boundaries];
  const past = boundaries.find(({ dated }) => dated !== undefined);
  if (past !== undefined) {
    throw problem(
      'no_geometry',
      `The ${PART_NAMES[part]} of ${shownId(past)} is not known: land and water are stored only of today.`,
    );
  }
  const land = await reading.landOf(boundaries.filter(({ has_geometry }) => has_geometry).map(({ id }) => id));
  return boundaries.map((boundary) => {
    if (!boundary.has_geometry) return boundary;
    const own = partIn(land, boundary, part);
    if (own === null) return boundary;
    const { ringHash: ring_hash, arrangement } = own;
    // A spread takes eight times as long, and a union has 50.
    if (!('boundary' in boundary)) return Object.assign({}, boundary, { ring_hash, arrangement });
    const [west, south, east, north] = own.box;
    const [lon, lat] = own.center;
    const whole = (boundary as unknown as ResolvedBoundary).boundary;
    const bbox = { west: west / 1e7, south: south / 1e7, east: east / 1e7, north: north / 1e7 };
    const placed = { ...whole, bbox, centroid: { lat: lat / 1e7, lon: lon / 1e7 } };
    return { ...boundary, ring_hash, arrangement, west, south, east, north, area_km2: own.areaKm2, boundary: placed };
  });
}

/** The part of a boundary; null: all of it. @throws no_geometry when it is not known */
export function partIn(
  land: ReadonlyMap<string, Land>,
  { id, name }: { readonly id: string; readonly name: string },
  part: Exclude<Part, 'all'>,
): PartShape | null {
  const known = land.get(id);
  if (known === undefined) throw problem('no_geometry', `The ${PART_NAMES[part]} of ${id} (${name}) is not known.`);
  return known.partOf(name, part);
}

/** Whether the parts of boundaries include water, by what is known of the land of each; null: nothing. */
function includesWater(land: Iterable<Land | null>, part: Part): boolean | 'unknown' {
  if (part !== 'all') return part === 'water';
  const all = [...land].map((one) => one?.includesWater ?? null);
  return all.includes(true) ? true : all.includes(null) || all.length === 0 ? 'unknown' : false;
}

/** What the document of a boundary, or of a part of it, says of land. */
export const shownLand = (land: Land | undefined, part: Part = 'all') => ({
  land_km2: land?.landKm2 ?? null,
  includes_water: includesWater(land ? [land] : [], part),
  ...(part === 'dry_land' ? { inland_water_km2: land?.inlandKm2 ?? null } : {}),
});
