import type { MapBox, PbfCounts } from '../../../workers/osm/blob.ts';
import {
  isClosed,
  isCoastline,
  isPlaceRole,
  isRingRole,
  type Kept,
  keepsArea,
  lowerBound,
  NOWHERE,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
} from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import { sortedUnique } from './ids.ts';

/** The boundary data of an OSM file or Overpass response. */
export interface OsmExtract {
  /** Boundary relations by ascending id. */
  relations: OsmRelation[];
  /** Ways with a ring role in a relation, and closed ways with a boundary tag. Ways that the file lacks are absent. */
  ways: Map<number, OsmWay>;
  /**
   * Coastlines, those that are borders too included; absent if none is anything else than a border: a file that was
   * filtered for borders lacks the coast of islands.
   */
  coast?: OsmWay[];
  /** Label and admin_centre nodes of the relations. */
  nodes: Map<number, OsmNode>;
  /**
   * For a part of a file: ids of its closed ways with a boundary tag that are not ring members of any boundary relation
   * in the file. Absent for a whole file, where only its own relations count.
   */
  alone?: ReadonlySet<number>;
  /** Time of the data, RFC 3339 UTC; null if the file does not state it. */
  timestamp: string | null;
  /** The extent that the file states to cover; absent if it states none. */
  bbox?: MapBox;
  /** Counts of all objects in the file, and its size in bytes. */
  read: { nodes: number; ways: number; relations: number; bytes: number };
}

/**
 * Collects in memory the objects that boundaries need, in this order: relations, then ways, then nodes (`wantNodes`).
 * PBF files, which may be large, use gathered.ts instead. An object that occurs twice is merged if the two agree, as
 * Overpass prints one object in several ways. Otherwise it is an error, as two states of the map in one file would make
 * wrong polygons.
 */
export class Collector {
  private readonly relations = new Map<number, OsmRelation>();
  private readonly ways = new Map<number, OsmWay>();
  private readonly nodes = new Map<number, OsmNode>();
  private memberWays = new Set<number>();
  private memberNodes = new Set<number>();
  private wanted: Float64Array = new Float64Array(0);
  readonly kept: Kept;
  /** Places (x, y) of the wanted nodes. */
  private places = new Int32Array(0);

  constructor(kept: Kept = 'boundaries') {
    this.kept = kept;
  }

  /** Adds a relation that is kept. */
  addRelation(relation: OsmRelation): void {
    const before = this.relations.get(relation.id);
    if (before === undefined) this.relations.set(relation.id, relation);
    else mergeRelations(before, relation);
    for (const { type, ref, role } of relation.members) {
      if (type === 'w' && isRingRole(role)) this.memberWays.add(ref);
      else if (type === 'n' && isPlaceRole(role)) this.memberNodes.add(ref);
    }
  }

  /** Adds a way if it is part of a border, a closed way with a boundary tag or a coastline; returns whether it did. */
  addWay(way: OsmWay): boolean {
    if (!this.isBorder(way) && !this.isCoast(way)) return false;
    const before = this.ways.get(way.id);
    if (before === undefined) {
      this.ways.set(way.id, way);
      return true;
    }
    mergeWays(before, way);
    return true;
  }

  /** Returns the number of nodes to look up. Call it when all ways are added. */
  wantNodes(): number {
    const open = [...this.ways.values()].filter((way) => way.coords === null && way.refs !== null);
    let size = this.memberNodes.size;
    for (const way of open) size += way.refs?.length ?? 0;
    const all = new Float64Array(size);
    all.set([...this.memberNodes]);
    let end = this.memberNodes.size;
    for (const { refs } of open) {
      if (refs !== null) all.set(refs, end);
      end += refs?.length ?? 0;
    }
    this.wanted = sortedUnique(all);
    this.places = new Int32Array(2 * this.wanted.length).fill(NOWHERE);
    return this.wanted.length;
  }

  /** Whether the place or tags of this node are needed. */
  wantsNode(id: number): boolean {
    return this.indexOf(id) >= 0;
  }

  /** Adds the place of a wanted node, and the whole node if it is a label or admin_centre. */
  addNode(node: OsmNode): void {
    const index = this.indexOf(node.id);
    if (index < 0) return;
    this.place(index, node);
    if (!this.memberNodes.has(node.id)) return;
    const before = this.nodes.get(node.id);
    if (before === undefined) this.nodes.set(node.id, node);
    else mergeNodes(before, node);
  }

  /** Builds the coordinates of the ways and returns the extract. The collector must not be used after this. */
  finish(timestamp: string | null, counts: PbfCounts, bytes: number): OsmExtract {
    for (const way of this.ways.values()) if (way.coords === null && way.refs !== null) this.layOut(way, way.refs);
    const borders = byId(this.ways, (way) => this.isBorder(way));
    const lines = [...this.ways.values()].filter((way) => this.isCoast(way));
    const coast = lines.some(({ id }) => !borders.has(id)) ? lines : [];
    return {
      relations: [...this.relations.values()].sort((a, b) => a.id - b.id),
      ways: borders,
      ...(coast.length > 0 ? { coast: coast.sort((a, b) => a.id - b.id) } : {}),
      nodes: byId(this.nodes),
      timestamp: instantOf(timestamp),
      read: { ...counts, bytes },
    };
  }

  private isBorder(way: OsmWay): boolean {
    return this.memberWays.has(way.id) || isCandidate(way, this.kept);
  }

  private isCoast({ tags }: OsmWay): boolean {
    return this.kept === 'boundaries' && isCoastline(tags);
  }

  private place(index: number, { id, x, y }: OsmNode): void {
    const { places } = this;
    if (places[2 * index] !== NOWHERE && (places[2 * index] !== x || places[2 * index + 1] !== y)) {
      throw new Error(`node ${id} occurs twice, with different places`);
    }
    places[2 * index] = x;
    places[2 * index + 1] = y;
  }

  private layOut(way: OsmWay, refs: Float64Array): void {
    const coords = new Int32Array(2 * refs.length);
    let end = 0;
    for (const ref of refs) {
      const index = this.indexOf(ref);
      if (index < 0 || this.places[2 * index] === NOWHERE) {
        way.missing ??= ref;
        if (this.kept !== 'water') return;
        continue;
      }
      coords[end++] = defined(this.places[2 * index]);
      coords[end++] = defined(this.places[2 * index + 1]);
    }
    if (way.missing === null) way.coords = coords;
    else way.placed = coords.slice(0, end);
  }

  private indexOf(id: number): number {
    const index = lowerBound(this.wanted, id);
    return this.wanted[index] === id ? index : -1;
  }
}

/** Merges a duplicate relation into `before`. @throws Error if the two differ */
export function mergeRelations(before: OsmRelation, relation: OsmRelation): void {
  sameVersion('relation', before, relation);
  before.version = Math.max(before.version, relation.version);
  if (relation.members.length > 0 && before.members.length > 0 && !sameMembers(before, relation)) {
    throw new Error(`relation ${relation.id} occurs twice, with different members`);
  }
  if (before.members.length === 0) before.members = relation.members;
}

/** Merges a duplicate way into `before`. @throws Error if the two differ */
export function mergeWays(before: OsmWay, way: OsmWay): void {
  sameVersion('way', before, way);
  before.version = Math.max(before.version, way.version);
  if (Object.keys(before.tags).length === 0) before.tags = way.tags;
  if (before.refs !== null && way.refs !== null && !sameNumbers(before.refs, way.refs)) {
    throw new Error(`way ${way.id} occurs twice, with different nodes`);
  }
  if (before.coords !== null && way.coords !== null && !sameNumbers(before.coords, way.coords)) {
    throw new Error(`way ${way.id} occurs twice, with different places`);
  }
  before.refs ??= way.refs;
  before.coords ??= way.coords;
  if (before.refs !== null && before.coords !== null && before.coords.length !== 2 * before.refs.length) {
    throw new Error(`way ${way.id} has ${before.refs.length} nodes and ${before.coords.length / 2} places`);
  }
}

/** Merges a duplicate node into `before`; the caller compared their places. @throws Error if their versions differ */
export function mergeNodes(before: OsmNode, node: OsmNode): void {
  sameVersion('node', before, node);
  before.version = Math.max(before.version, node.version);
  if (Object.keys(before.tags).length === 0) before.tags = node.tags;
}

/** Whether a way may be an area itself: it has the tags of one and is closed, or its nodes are unknown. */
function isCandidate(way: OsmWay, kept: Kept): boolean {
  return keepsArea(way.tags, kept) && (way.refs === null || isClosed(way.refs));
}

function sameVersion(kind: string, a: { id: number; version: number }, b: { version: number }): void {
  if (a.version !== 0 && b.version !== 0 && a.version !== b.version) {
    throw new Error(
      `${kind} ${a.id} occurs in the versions ${a.version} and ${b.version}; the file must have one state of the map`,
    );
  }
}

function sameMembers(a: OsmRelation, b: OsmRelation): boolean {
  return (
    a.members.length === b.members.length &&
    a.members.every((member, k) => {
      const other = defined(b.members[k]);
      return member.type === other.type && member.ref === other.ref && member.role === other.role;
    })
  );
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function byId<T>(map: Map<number, T>, isWanted = (_: T) => true): Map<number, T> {
  return new Map([...map].filter(([, value]) => isWanted(value)).sort(([a], [b]) => a - b));
}

/** A time as RFC 3339 UTC with seconds; null if it is invalid. Old Overpass responses write `\:` for a colon. */
function instantOf(text: string | null): string | null {
  const time = Date.parse((text ?? '').replaceAll('\\', ''));
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, -5)}Z`;
}
