import type { PbfCounts } from '../../../workers/osm/blob.ts';
import {
  hasBoundaryTag,
  isClosed,
  isPlaceRole,
  isRingRole,
  lowerBound,
  NOWHERE,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
} from '../../../workers/osm/model.ts';
import { defined } from '../../elements.ts';
import { sortedUnique } from './ids.ts';

/** What an OSM file or answer says about boundaries, and no more of it. */
export interface OsmExtract {
  /** Boundary relations by ascending id. */
  relations: OsmRelation[];
  /** Ways with a ring role in one of them, and closed ways with a boundary tag. A way that the file lacks is absent. */
  ways: Map<number, OsmWay>;
  /** Their label and admin_centre nodes. */
  nodes: Map<number, OsmNode>;
  /**
   * Of a part of a file: the closed ways with a boundary tag that are not ring members of a boundary relation of the whole.
   * Absent: those that are none of the relations here.
   */
  alone?: ReadonlySet<number>;
  /** The time of the data, RFC 3339 UTC, or null when the file does not say. */
  timestamp: string | null;
  /** How much was read: all objects of the file, and its size in bytes. */
  read: { nodes: number; ways: number; relations: number; bytes: number };
}

/**
 * Gathers what boundaries need in the order in which it can be known: relations, then ways, then nodes (`wantNodes`), of
 * sources that are small enough to be in memory (of PBF files: gathered.ts). An object that comes twice is put together
 * when the two agree (Overpass prints one object in several ways) and refused when they do not: two states of the map in
 * one file make wrong polygons.
 */
export class Collector {
  private readonly relations = new Map<number, OsmRelation>();
  private readonly ways = new Map<number, OsmWay>();
  private readonly nodes = new Map<number, OsmNode>();
  private memberWays = new Set<number>();
  private memberNodes = new Set<number>();
  private wanted: Float64Array = new Float64Array(0);
  /** Places of the wanted nodes. */
  private places = new Int32Array(0);

  /** Takes a boundary relation. */
  addRelation(relation: OsmRelation): void {
    const before = this.relations.get(relation.id);
    if (before === undefined) this.relations.set(relation.id, relation);
    else joinRelations(before, relation);
    for (const { type, ref, role } of relation.members) {
      if (type === 'w' && isRingRole(role)) this.memberWays.add(ref);
      else if (type === 'n' && isPlaceRole(role)) this.memberNodes.add(ref);
    }
  }

  /** Takes a way when it is part of a border or a closed way with a boundary tag, and says whether it did. */
  addWay(way: OsmWay): boolean {
    if (!this.memberWays.has(way.id) && !isCandidate(way)) return false;
    const before = this.ways.get(way.id);
    if (before === undefined) {
      this.ways.set(way.id, way);
      return true;
    }
    joinWays(before, way);
    return true;
  }

  /** The number of nodes to look for. Call it when all ways are in. */
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

  /** Takes a node: its place when that is wanted, and all of it when it is a label or admin_centre. */
  addNode(node: OsmNode): void {
    const index = this.indexOf(node.id);
    if (index < 0) return;
    this.place(index, node);
    if (!this.memberNodes.has(node.id)) return;
    const before = this.nodes.get(node.id);
    if (before === undefined) this.nodes.set(node.id, node);
    else joinNodes(before, node);
  }

  /** Lays out the coordinates of the ways and hands everything over. The collector is spent. */
  finish(timestamp: string | null, counts: PbfCounts, bytes: number): OsmExtract {
    for (const way of this.ways.values()) if (way.coords === null && way.refs !== null) this.layOut(way, way.refs);
    return {
      relations: [...this.relations.values()].sort((a, b) => a.id - b.id),
      ways: byId(this.ways),
      nodes: byId(this.nodes),
      timestamp: instantOf(timestamp),
      read: { ...counts, bytes },
    };
  }

  private place(index: number, { id, x, y }: OsmNode): void {
    const { places } = this;
    if (places[2 * index] !== NOWHERE && (places[2 * index] !== x || places[2 * index + 1] !== y)) {
      throw new Error(`node ${id} comes twice, with different places`);
    }
    places[2 * index] = x;
    places[2 * index + 1] = y;
  }

  private layOut(way: OsmWay, refs: Float64Array): void {
    const coords = new Int32Array(2 * refs.length);
    for (let k = 0; k < refs.length; k++) {
      const index = this.indexOf(defined(refs[k]));
      if (index < 0 || this.places[2 * index] === NOWHERE) {
        way.missing = defined(refs[k]);
        return;
      }
      coords[2 * k] = defined(this.places[2 * index]);
      coords[2 * k + 1] = defined(this.places[2 * index + 1]);
    }
    way.coords = coords;
  }

  private indexOf(id: number): number {
    const index = lowerBound(this.wanted, id);
    return this.wanted[index] === id ? index : -1;
  }
}

/** Puts a relation that comes twice together in `before`; throws when the two differ. */
export function joinRelations(before: OsmRelation, relation: OsmRelation): void {
  sameVersion('relation', before, relation);
  before.version = Math.max(before.version, relation.version);
  if (relation.members.length > 0 && before.members.length > 0 && !sameMembers(before, relation)) {
    throw new Error(`relation ${relation.id} comes twice, with different members`);
  }
  if (before.members.length === 0) before.members = relation.members;
}

/** The same for a way. */
export function joinWays(before: OsmWay, way: OsmWay): void {
  sameVersion('way', before, way);
  before.version = Math.max(before.version, way.version);
  if (Object.keys(before.tags).length === 0) before.tags = way.tags;
  if (before.refs !== null && way.refs !== null && !sameNumbers(before.refs, way.refs)) {
    throw new Error(`way ${way.id} comes twice, with different nodes`);
  }
  if (before.coords !== null && way.coords !== null && !sameNumbers(before.coords, way.coords)) {
    throw new Error(`way ${way.id} comes twice, with different places`);
  }
  before.refs ??= way.refs;
  before.coords ??= way.coords;
  if (before.refs !== null && before.coords !== null && before.coords.length !== 2 * before.refs.length) {
    throw new Error(`way ${way.id} has ${before.refs.length} nodes and ${before.coords.length / 2} places`);
  }
}

/** The same for a node, whose places were compared before. */
export function joinNodes(before: OsmNode, node: OsmNode): void {
  sameVersion('node', before, node);
  before.version = Math.max(before.version, node.version);
  if (Object.keys(before.tags).length === 0) before.tags = node.tags;
}

/** A way that may be a boundary of its own: closed as far as the source tells, with a boundary tag. */
function isCandidate(way: OsmWay): boolean {
  return hasBoundaryTag(way.tags) && (way.refs === null || isClosed(way.refs));
}

function sameVersion(kind: string, a: { id: number; version: number }, b: { version: number }): void {
  if (a.version !== 0 && b.version !== 0 && a.version !== b.version) {
    throw new Error(
      `${kind} ${a.id} comes in the versions ${a.version} and ${b.version}; one state of the map is needed`,
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

function byId<T>(map: Map<number, T>): Map<number, T> {
  return new Map([...map].sort(([a], [b]) => a - b));
}

/** The text of a time as RFC 3339 UTC with seconds; null when it is none. Old Overpass answers have \: for a colon. */
export function instantOf(text: string | null): string | null {
  const time = Date.parse((text ?? '').replaceAll('\\', ''));
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, -5)}Z`;
}
