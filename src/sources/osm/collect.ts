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

/** What an OSM file or answer says about boundaries, and no more of it. */
export interface OsmExtract {
  /** Boundary relations by ascending id. */
  relations: OsmRelation[];
  /** Ways with a ring role in one of them, and closed ways with a boundary tag. A way that the file lacks is absent. */
  ways: Map<number, OsmWay>;
  /** Their label and admin_centre nodes. */
  nodes: Map<number, OsmNode>;
  /** The time of the data, RFC 3339 UTC, or null when the file does not say. */
  timestamp: string | null;
  /** How much was read: all objects of the file, and its size in bytes. */
  read: { nodes: number; ways: number; relations: number; bytes: number };
}

/**
 * Gathers what boundaries need in the order in which it can be known: relations, then ways (`wantedWays`), then nodes
 * (`wantedNodes`). An object that comes twice is put together when the two agree (Overpass prints one object in
 * several ways) and refused when they do not: two states of the map in one file make wrong polygons.
 */
export class Collector {
  private readonly relations = new Map<number, OsmRelation>();
  private readonly ways = new Map<number, OsmWay>();
  private readonly nodes = new Map<number, OsmNode>();
  private memberWays = new Set<number>();
  private memberNodes = new Set<number>();
  private wanted = new Float64Array(0);
  /** Places of the wanted nodes. */
  private places = new Int32Array(0);

  /** Takes a boundary relation. */
  addRelation(relation: OsmRelation): void {
    const before = this.relations.get(relation.id);
    if (before !== undefined) {
      sameVersion('relation', before, relation);
      before.version = Math.max(before.version, relation.version);
      if (relation.members.length > 0 && before.members.length > 0 && !sameMembers(before, relation)) {
        throw new Error(`relation ${relation.id} comes twice, with different members`);
      }
      if (before.members.length === 0) before.members = relation.members;
    } else this.relations.set(relation.id, relation);
    for (const { type, ref, role } of relation.members) {
      if (type === 'w' && isRingRole(role)) this.memberWays.add(ref);
      else if (type === 'n' && isPlaceRole(role)) this.memberNodes.add(ref);
    }
  }

  /** The ids of the ways that borders are made of, ascending. */
  wantedWays(): Float64Array {
    return Float64Array.from(this.memberWays).sort();
  }

  /** Takes a way when it is part of a border or a closed way with a boundary tag, and says whether it did. */
  addWay(way: OsmWay): boolean {
    if (!this.memberWays.has(way.id) && !isCandidate(way)) return false;
    const before = this.ways.get(way.id);
    if (before === undefined) {
      this.ways.set(way.id, way);
      return true;
    }
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
    return true;
  }

  /**
   * The ids of the nodes to look for, ascending and without duplicates: all whose places are needed (`wanted`), and
   * among them those whose tags are (`tagged`). Call it when all ways are in.
   */
  wantedNodes(): { wanted: Float64Array; tagged: Float64Array } {
    const open = [...this.ways.values()].filter((way) => way.coords === null && way.refs !== null);
    let size = this.memberNodes.size;
    for (const way of open) size += way.refs?.length ?? 0;
    const all = new Float64Array(size);
    const tagged = Float64Array.from(this.memberNodes).sort();
    all.set(tagged);
    let end = tagged.length;
    for (const { refs } of open) {
      if (refs !== null) all.set(refs, end);
      end += refs?.length ?? 0;
    }
    all.sort();
    let unique = 0;
    for (let k = 0; k < all.length; k++) if (k === 0 || all[k] !== all[k - 1]) all[unique++] = all[k];
    this.wanted = all.subarray(0, unique);
    this.places = new Int32Array(2 * unique).fill(NOWHERE);
    return { wanted: this.wanted, tagged };
  }

  /** Takes the place (1e-7 degrees) of the wanted node with this index. */
  place(index: number, x: number, y: number): void {
    const { places } = this;
    if (places[2 * index] !== NOWHERE && (places[2 * index] !== x || places[2 * index + 1] !== y)) {
      throw new Error(`node ${this.wanted[index]} comes twice, with different places`);
    }
    places[2 * index] = x;
    places[2 * index + 1] = y;
  }

  /** Whether the place or tags of this node are needed. */
  wantsNode(id: number): boolean {
    return this.indexOf(id) >= 0;
  }

  /** Takes a node: its place when that is wanted, and all of it when it is a label or admin_centre. */
  addNode(node: OsmNode): void {
    const index = this.indexOf(node.id);
    if (index < 0) return;
    this.place(index, node.x, node.y);
    if (this.memberNodes.has(node.id)) this.addTagged(node);
  }

  /** Takes a label or admin_centre node whose place went through `place`. */
  addTagged(node: OsmNode): void {
    const before = this.nodes.get(node.id);
    if (before === undefined) this.nodes.set(node.id, node);
    else {
      sameVersion('node', before, node);
      before.version = Math.max(before.version, node.version);
      if (Object.keys(before.tags).length === 0) before.tags = node.tags;
    }
  }

  /** Lays out the coordinates of the ways and hands everything over. The collector is spent. */
  finish(timestamp: string | null, counts: PbfCounts, bytes: number): OsmExtract {
    for (const way of this.ways.values()) if (way.coords === null && way.refs !== null) this.layOut(way, way.refs);
    return {
      relations: [...this.relations.values()].sort((a, b) => a.id - b.id),
      ways: byId(this.ways),
      nodes: byId(this.nodes),
      timestamp: instant(timestamp),
      read: { ...counts, bytes },
    };
  }

  private layOut(way: OsmWay, refs: Float64Array): void {
    const coords = new Int32Array(2 * refs.length);
    for (let k = 0; k < refs.length; k++) {
      const index = this.indexOf(refs[k]);
      if (index < 0 || this.places[2 * index] === NOWHERE) {
        way.missing = refs[k];
        return;
      }
      coords[2 * k] = this.places[2 * index];
      coords[2 * k + 1] = this.places[2 * index + 1];
    }
    way.coords = coords;
  }

  private indexOf(id: number): number {
    const index = lowerBound(this.wanted, id);
    return this.wanted[index] === id ? index : -1;
  }
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
      const other = b.members[k];
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
function instant(text: string | null): string | null {
  const time = Date.parse((text ?? '').replaceAll('\\', ''));
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, -5)}Z`;
}
