/** The rows of arcs and boundaries as they are written, made of what the worker pool built. */
import { createHash } from 'node:crypto';
import type { BuildResult, BuiltBoundary } from '../../../workers/arrangement.ts';
import type { Rings } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import { allCodeIds } from '../codes.ts';
import { countryAt } from '../countries.ts';
import { kindOf } from '../kinds.ts';
import type { SourceBoundary } from '../types.ts';
import type { ShapeFault } from './source_rows.ts';
import type { Tiered } from './tiers.ts';
import { bytesOf, jsonBytes } from './topology.ts';
import type { ArcRow, ShapeRow } from './topology_writes.ts';

const hashAt = (hashes: Uint8Array, i: number) => Buffer.from(hashes.buffer, hashes.byteOffset + 16 * i, 16);

/** The row of each built arc, made when it is taken, so that not all are in memory together. */
export function* arcRows(arcs: BuildResult['arcs'], tiered: Tiered): Generator<ArcRow> {
  for (const [i, first] of arcs.first.entries()) {
    const { weights, ends, exact, reach } = defined(tiered.built[i]);
    yield {
      hash: hashAt(arcs.hashes, i),
      coords: bytesOf(arcs.coords.subarray(2 * first, 2 * (first + defined(arcs.length[i])))),
      weights,
      ends: bytesOf(ends),
      exact,
      area: defined(arcs.area[i]),
      turn: defined(arcs.turn[i]),
      box: arcs.box.subarray(4 * i, 4 * i + 4),
      class: defined(arcs.arcClass[i]),
      main: arcs.main[i] === 1,
      reach,
    };
  }
}

/**
 * Returns a function that computes the ring_hash of a built boundary, as the statement store_set_ring_hashes does of a
 * stored one: over its arcs, with their ids, and everything that determines a tier, regardless of where rings start.
 * `signed` converts a reference to a built arc into a signed arc id.
 */
export function ringHasher(
  { hashes }: BuildResult['arcs'],
  tiered: Tiered,
  signed: (ref: number) => number,
): (rings: Rings) => Uint8Array {
  const known: Buffer[] = [];
  const tierHash = (arc: number): Buffer => {
    const { weights, ends, exact } = defined(tiered.built[arc]);
    return createHash('sha256').update(weights).update(bytesOf(ends)).update(int8(exact)).digest();
  };
  return ({ refs, ringEnd, polygonEnd }) => {
    const used = Array.from(refs, (ref) => {
      const arc = ref < 0 ? ~ref : ref;
      return { arc, id: int8(signed(ref)), hash: hashAt(hashes, arc) };
    });
    const all = createHash('sha256').update(`${ringEnd.length} ${polygonEnd.length}`);
    for (const { arc, id, hash } of used.sort((a, b) => Buffer.compare(a.hash, b.hash))) {
      known[arc] ??= tierHash(arc);
      all.update(hash).update(id).update(known[arc]);
    }
    return all.digest();
  };
}

/** An integer as int8send() of PostgreSQL writes it. */
function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** Why a boundary does not assemble, and where (degrees). */
export function placeOf(trouble: ShapeFault) {
  const degrees = (value: number | null) => (value === null ? null : value / 1e7);
  return { reason: trouble.trouble, lat: degrees(trouble.y), lon: degrees(trouble.x) };
}

/** The row of a built boundary's shape. `signed` converts a reference to a built arc into a signed arc id. */
export function shapeRow(id: string, shape: BuiltBoundary, signed: (ref: number) => number): ShapeRow {
  return {
    boundaryId: id,
    arcs: Array.from(shape.rings.refs, signed),
    ringEnd: [...shape.rings.ringEnd],
    polygonEnd: [...shape.rings.polygonEnd],
    largest: shape.largest,
    ewkb: shape.ewkb,
  };
}

/** The columns of table boundary that describe its shape. */
export function geometryColumns(shape: BuiltBoundary | null, broken: object | null, ringHash: Uint8Array | null) {
  const [west, south, east, north] = shape?.box ?? [null, null, null, null];
  return {
    west,
    south,
    east,
    north,
    lat: shape?.center[1] ?? null,
    lon: shape?.center[0] ?? null,
    area_km2: shape?.areaKm2 ?? null,
    has_geometry: shape !== null,
    broken,
    stale: null,
    geometry_hash: shape && jsonBytes(shape.geometryHash),
    ring_hash: jsonBytes(ringHash),
  };
}

/**
 * The country and the kind that a boundary most likely has. They are derived once its parents are known; where these
 * are the same, its row is not written again.
 */
export function presumed(id: string, input: SourceBoundary, center: BuiltBoundary['center'] | undefined) {
  const there = center ? countryAt(center[1] / 1e7, center[0] / 1e7) : null;
  const country = input.countryCode ?? input.country ?? there;
  const { kind, known } = input.kind ? { kind: input.kind, known: true } : kindOf({ ...input, id, country });
  return { kind, kind_known: known, country, countries: country ? [country] : [] };
}

/** A row of table boundary without its shape, its country and its kind. */
export function boundaryRow(
  id: string,
  input: SourceBoundary,
  source: string,
  version: number,
  now: string,
  metaHash: string,
) {
  const codeIds = allCodeIds(input);
  return {
    id,
    source,
    source_id: input.sourceId,
    source_version: input.version,
    version,
    imported_at: now,
    type: input.type,
    name: input.name,
    names: input.names,
    kind_given: input.kind,
    admin_level: input.adminLevel,
    disputed: false,
    country_given: input.country,
    country_code: input.countryCode,
    iso: input.iso,
    wikidata: input.wikidata,
    population: input.population,
    tags: input.tags,
    place: input.place,
    subareas: input.subareas,
    other_names: input.otherNames,
    codes: input.codes,
    code_ids: codeIds.length === 0 ? null : codeIds,
    ways: 'ways' in input.border ? input.border.ways : [],
    meta_hash: `\\x${metaHash}`,
    has_geometry: false,
  };
}
