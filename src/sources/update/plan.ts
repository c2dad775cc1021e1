import {
  hasBoundaryTag,
  isBoundaryRelation,
  isPlaceRole,
  isRingRole,
  NOWHERE,
  type OsmNode,
  type OsmRelation,
} from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { intsOf } from '../ints.ts';
import { toSourceBoundaries } from '../osm/tags.ts';
import type { RemovedBoundary, StoreInput } from '../store/source_rows.ts';
import type { WayRow } from '../store/topology_writes.ts';
import type { Change } from './change_file.ts';

/** What applying a change stores and removes. */
export type ChangeInput = Required<
  Pick<StoreInput, 'boundaries' | 'relations' | 'ways' | 'nodes' | 'deleted' | 'changedAt'>
> & {
  /** Label and admin_centre nodes that were deleted. */
  readonly deletedNodes: readonly number[];
  /** Nodes and ways that boundaries may no longer need. */
  readonly nodesLeft: readonly number[];
  readonly waysLeft: readonly number[];
  /** Pairs of a way and the boundary whose border no longer has it. */
  readonly lost: { readonly ways: readonly number[]; readonly boundaries: readonly string[] };
};

interface RelationRow {
  readonly id: number;
  readonly version: number;
  readonly tags: Record<string, string>;
  readonly member_types: string;
  readonly member_refs: readonly number[];
  readonly member_roles: readonly string[];
}

/** A way with all its stored columns. */
export interface StoredWayRow {
  readonly id: number;
  readonly version: number;
  readonly tags: Record<string, string>;
  readonly node_refs: readonly number[] | null;
  readonly coords: Uint8Array | null;
  readonly missing_node: number | null;
  readonly places: Uint8Array | null;
}

/** Plans how to apply a change. The stored data must not be older than the state that the change starts from. */
export async function planChange(db: Queryable, change: Change): Promise<ChangeInput> {
  const { live, deleted, former } = await chooseRelations(db, change);
  const { nodes, deletedNodes, touched } = await choosePlaceNodes(db, change, live);
  const relations = [...live, ...touched];
  const ways = await chooseWays(db, change);
  const { left, closed } = await waysThatLeft(db, former, live, ways);

  const named = new Set([...relations.map(({ id }) => `r${id}`), ...deleted.map(({ id }) => id)]);
  const candidates = new Map([...ways, ...closed].filter(([, way]) => hasBoundaryTag(way.tags)));
  const elsewhere = await db.query(loadQuery('update_ring_members'), [[...candidates.keys()], [...named]]);
  for (const { id } of elsewhere) candidates.delete(id);
  const { boundaries } = toSourceBoundaries({
    relations,
    ways: candidates,
    nodes,
    timestamp: null,
    read: { nodes: 0, ways: 0, relations: 0, bytes: 0 },
  });

  const described = new Set(boundaries.map(({ id }) => id));
  for (const { id, version } of live)
    if (!described.has(`r${id}`)) deleted.push({ id: `r${id}`, version, reason: 'retagged' });
  deleted.push(...(await waysThatWere(db, change, live)));
  const nodesLeft = [...former.values()].flatMap(placeNodes);
  const waysLeft = [...left, ...ways.keys()];
  const changedAt = timesOf(change, relations, ways);
  const lost = lostBorders(former, live);
  return { boundaries, relations, ways, nodes, deleted, changedAt, deletedNodes, nodesLeft, waysLeft, lost };
}

/** When relations and ways changed, by `r` or `w` and the id: the time of their own newest change, or of one of their nodes. */
function timesOf(change: Change, relations: readonly OsmRelation[], ways: ReadonlyMap<number, WayRow>) {
  const times = new Map<string, string>();
  const add = (id: string, at: string | null | undefined) => {
    if (at && at > (times.get(id) ?? '')) times.set(id, at);
  };
  for (const [id, { at }] of change.relations) add(`r${id}`, at);
  for (const [id, { at }] of change.ways) add(`w${id}`, at);
  for (const relation of relations) {
    for (const node of placeNodes(relation)) add(`r${relation.id}`, change.nodes.get(node)?.at);
  }
  for (const { id, refs } of ways.values()) for (const node of refs ?? []) add(`w${id}`, change.nodes.get(node)?.at);
  return times;
}

/** The changed relations: `live` are boundaries now, `deleted` no longer are, `former` has their stored states by id. */
async function chooseRelations(db: Queryable, change: Change) {
  const ids = [...change.relations.keys()];
  const former = await storedRelations(db, 'update_relations', ids);
  const tombstones = await db.query(loadQuery('tombstone_find'), [ids.map((id) => `r${id}`)]);
  const deletedAt = new Map(tombstones.map(({ id, version }) => [id, version]));
  const live: OsmRelation[] = [];
  const deleted: RemovedBoundary[] = [];
  for (const [id, { version, object }] of change.relations) {
    const had = former.get(id);
    if (version < (had?.version ?? 0)) continue;
    if (object && isBoundaryRelation(object.tags)) {
      if (version > (deletedAt.get(`r${id}`) ?? -1)) live.push(object);
    } else if (had) deleted.push({ id: `r${id}`, version, reason: object ? 'retagged' : 'deleted' });
  }
  return { live, deleted, former };
}

async function storedRelations(
  db: Queryable,
  query: 'update_relations' | 'update_relations_of_nodes',
  ids: readonly number[],
): Promise<Map<number, OsmRelation>> {
  const rows = await db.query<RelationRow>(loadQuery(query), [ids]);
  return new Map(
    rows.map(({ id, version, tags, member_types, member_refs, member_roles }) => [
      id,
      {
        id,
        version,
        tags,
        members: member_refs.map((ref, i) => ({
          type: member_types[i] as 'n' | 'w' | 'r',
          ref,
          role: defined(member_roles[i]),
        })),
      },
    ]),
  );
}

/** The label and admin_centre nodes of live relations; `touched` are other relations with such a node that changed. */
async function choosePlaceNodes(db: Queryable, change: Change, live: readonly OsmRelation[]) {
  const changed = [...change.nodes.keys()];
  const all = await storedRelations(db, 'update_relations_of_nodes', changed);
  const touched = [...all.values()].filter(({ id }) => !change.relations.has(id));
  const wanted = new Set<number>();
  for (const ref of [...live, ...touched].flatMap(placeNodes)) wanted.add(ref);
  const nodes = new Map<number, OsmNode>();
  for (const { id, version, tags, x, y } of await db.query(loadQuery('update_nodes'), [[...wanted]])) {
    nodes.set(id, { id, version, tags: { ...tags }, x: x ?? NOWHERE, y: y ?? NOWHERE });
  }
  const deletedNodes: number[] = [];
  for (const id of wanted) {
    const latest = change.nodes.get(id);
    if (!latest || latest.version < (nodes.get(id)?.version ?? 0)) continue;
    if (latest.object) nodes.set(id, latest.object);
    else if (nodes.delete(id)) deletedNodes.push(id);
  }
  return { nodes, deletedNodes, touched };
}

/** The current state of the ways that the change contains, and of stored ways whose nodes moved. */
async function chooseWays(db: Queryable, change: Change): Promise<Map<number, WayRow>> {
  const stored = await storedWayRows(db, [...new Set([...change.ways.keys(), ...change.waysOfNodes])]);
  const given = [...change.ways].filter(([id, { version }]) => version >= (stored.get(id)?.version ?? 0));
  const places = new Places(change);
  for (const way of stored.values()) places.addWay(way);
  const unknown = new Set<number>();
  for (const [, { object }] of given) for (const ref of object?.refs ?? []) if (!places.find(ref)) unknown.add(ref);
  if (unknown.size > 0) {
    const pairs = await db.query(loadQuery('update_ways_of_nodes'), [[...unknown]]);
    for (const way of (await storedWayRows(db, [...new Set(pairs.map(({ way }) => way))])).values()) places.addWay(way);
  }

  const ways = new Map<number, WayRow>();
  for (const way of stored.values()) {
    if (!change.waysOfNodes.has(way.id) || way.node_refs === null) continue;
    ways.set(way.id, places.layOut({ ...way, refs: Float64Array.from(way.node_refs) }));
  }
  for (const [id, { version, object }] of given) {
    if (object?.refs) ways.set(id, places.layOut({ ...object, refs: object.refs }));
    // A deleted way is kept as a tombstone while a border lists it, so that its older versions are ignored.
    else if (stored.has(id)) ways.set(id, { id, version, tags: {}, refs: null, coords: null, missing: null });
  }
  return ways;
}

/** The stored ways among these ids, with all their columns, by id. */
export async function storedWayRows(db: Queryable, ids: readonly number[]): Promise<Map<number, StoredWayRow>> {
  const rows = await db.query(loadQuery('update_ways'), [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Places of nodes: from the change, else from stored ways. */
class Places {
  private readonly known = new Map<number, readonly [x: number, y: number]>();

  constructor(change: Change) {
    for (const [id, { object }] of change.nodes) if (object) this.known.set(id, [object.x, object.y]);
  }

  addWay({ node_refs, coords, places }: StoredWayRow): void {
    const bytes = coords ?? places;
    if (!node_refs || !bytes) return;
    const xy = intsOf(bytes);
    node_refs.forEach((ref, i) => {
      if (xy[2 * i] !== NOWHERE && !this.known.has(ref))
        this.known.set(ref, [defined(xy[2 * i]), defined(xy[2 * i + 1])]);
    });
  }

  find(ref: number): readonly [x: number, y: number] | undefined {
    return this.known.get(ref);
  }

  layOut(way: Pick<WayRow, 'id' | 'version' | 'tags'> & { readonly refs: Float64Array }): WayRow {
    const { id, version, tags, refs } = way;
    const xy = new Int32Array(2 * refs.length);
    let missing: number | null = null;
    refs.forEach((ref, i) => {
      const place = this.known.get(ref);
      if (!place) missing ??= ref;
      xy.set(place ?? [NOWHERE, NOWHERE], 2 * i);
    });
    return missing === null
      ? { id, version, tags, refs, coords: xy, missing }
      : { id, version, tags, refs, coords: null, missing, places: xy };
  }
}

/** Stored ways that left the border of a relation (`left`); those in `closed` may now be boundaries themselves. */
async function waysThatLeft(
  db: Queryable,
  former: ReadonlyMap<number, OsmRelation>,
  live: readonly OsmRelation[],
  changed: ReadonlyMap<number, WayRow>,
): Promise<{ left: Set<number>; closed: Map<number, WayRow> }> {
  const now = new Set(live.flatMap(ringWays));
  const left = new Set([...former.values()].flatMap(ringWays).filter((id) => !now.has(id) && !changed.has(id)));
  const closed = new Map<number, WayRow>();
  for (const [id, row] of await storedWayRows(db, [...left])) {
    if (!hasBoundaryTag(row.tags) || !row.node_refs) continue;
    const { version, tags, missing_node } = row;
    const refs = Float64Array.from(row.node_refs);
    closed.set(id, { id, version, tags, refs, coords: row.coords && intsOf(row.coords), missing: missing_node });
  }
  return { left, closed };
}

/** Pairs of a way that left a relation's border, and the id of that boundary. */
function lostBorders(former: ReadonlyMap<number, OsmRelation>, live: readonly OsmRelation[]): ChangeInput['lost'] {
  const ways: number[] = [];
  const boundaries: string[] = [];
  for (const relation of live) {
    const had = former.get(relation.id);
    const has = new Set(ringWays(relation));
    for (const way of had ? ringWays(had) : []) {
      if (has.has(way)) continue;
      ways.push(way);
      boundaries.push(`r${relation.id}`);
    }
  }
  return { ways, boundaries };
}

function placeNodes({ members }: OsmRelation): number[] {
  return members.filter(({ type, role }) => type === 'n' && isPlaceRole(role)).map(({ ref }) => ref);
}

function ringWays({ members }: OsmRelation): number[] {
  return members.filter(({ type, role }) => type === 'w' && isRingRole(role)).map(({ ref }) => ref);
}

/** Stored boundaries that were closed ways: now deleted, retagged, or part of a relation's border. */
async function waysThatWere(db: Queryable, change: Change, live: readonly OsmRelation[]): Promise<RemovedBoundary[]> {
  const deleted = new Map<string, RemovedBoundary>();
  for (const [id, { version, object }] of change.ways) {
    if (object && hasBoundaryTag(object.tags)) continue;
    deleted.set(`w${id}`, { id: `w${id}`, version, reason: object ? 'retagged' : 'deleted' });
  }
  for (const id of live.flatMap(ringWays)) deleted.set(`w${id}`, { id: `w${id}`, version: 0, reason: 'member' });
  const rows = await db.query(loadQuery('store_ways_of_boundaries'), [[...deleted.keys()]]);
  return rows.map(({ id }) => deleted.get(id) as RemovedBoundary);
}
