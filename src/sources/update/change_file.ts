import {
  hasBoundaryTag,
  isBoundaryRelation,
  isClosed,
  isPlaceRole,
  isRingRole,
  isWater,
  keepsRelation,
  type OsmNode,
  type OsmRelation,
  type OsmWay,
} from '../../../workers/osm/elements.ts';
import { createOsmXmlReader, type OsmXmlHandlers } from '../../../workers/osm/xml.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { unpackedBytes, utf8Decoder } from '../osm/bytes.ts';

/** The last state of an object in a change file. */
export interface LatestState<T> {
  readonly version: number;
  /** Null if it was deleted. */
  readonly object: T | null;
  /** When it was changed, as the file says; null: it does not. */
  readonly at: string | null;
}

/** The changes of objects that are stored, or that boundaries are now made of. */
export interface Change {
  readonly relations: ReadonlyMap<number, LatestState<OsmRelation>>;
  readonly ways: ReadonlyMap<number, LatestState<OsmWay>>;
  readonly nodes: ReadonlyMap<number, LatestState<OsmNode>>;
  /** Stored ways that contain one of the nodes. */
  readonly waysOfNodes: ReadonlySet<number>;
  /** Time of the newest object in the file, RFC 3339 UTC; null if objects have no times. */
  readonly timestamp: string | null;
  /** How many objects the file has. */
  readonly read: number;
  readonly leftOut: LeftOut;
}

/** Changed objects that an update does not read, `count` of them, the first LISTED by `r` or `w` and the id. */
export interface LeftOut {
  readonly water: { count: number; first: string[] };
  readonly coast: { count: number; first: string[] };
}

/** Objects of each kind that are listed. */
const LISTED = 10;

/** How many objects one query looks up in the database. */
const AT_ONCE = 5_000;

/**
 * Reads an OsmChange file, also gzipped or bzip2ed, in three passes: relations, the ways they need, the nodes those
 * need. Of objects that do not concern boundaries, at most AT_ONCE and one piece of the file are in memory.
 * @throws Error whose message starts with the path, when the file is damaged, truncated or not an OsmChange
 */
export async function readChange(db: Queryable, path: string): Promise<Change> {
  try {
    return await readPasses(db, path);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function readPasses(db: Queryable, path: string): Promise<Change> {
  const stored = async (what: string, ids: readonly number[]) => {
    const rows = await db.query(loadQuery('update_known'), [what, ids]);
    return new Set(rows.map(({ id }) => id));
  };
  const relations = new Sieve<OsmRelation>(
    ({ tags }) => isBoundaryRelation(tags),
    (ids) => stored('relation', ids),
  );
  const leftOut: LeftOut = { water: { count: 0, first: [] }, coast: { count: 0, first: [] } };
  const leave = (kind: keyof LeftOut, id: string) => {
    if (leftOut[kind].count++ < LISTED) leftOut[kind].first.push(id);
  };
  const { timestamp, counts } = await pass(path, relations, 'relation', {
    relation(relation, _ways, _nodes, at) {
      relations.add(relation.id, relation.version, relation, at);
      if (keepsRelation(relation.tags, 'water')) leave('water', `r${relation.id}`);
    },
  });

  const rings = new Set<number>();
  const places = new Set<number>();
  for (const { object } of relations.kept.values()) {
    if (!object || !isBoundaryRelation(object.tags)) continue;
    for (const { type, ref, role } of object.members) {
      if (type === 'w' && isRingRole(role)) rings.add(ref);
      else if (type === 'n' && isPlaceRole(role)) places.add(ref);
    }
  }
  const ways = new Sieve<OsmWay>(
    ({ id, tags, refs }) => rings.has(id) || (hasBoundaryTag(tags) && refs !== null && isClosed(refs)),
    (ids) => stored('way', ids),
  );
  await pass(path, ways, 'way', {
    way(way, _places, at) {
      ways.add(way.id, way.version, way, at);
      if (way.tags.natural === 'coastline') leave('coast', `w${way.id}`);
      else if (isWater(way.tags) && way.refs !== null && isClosed(way.refs)) leave('water', `w${way.id}`);
    },
  });

  const refs = new Set<number>();
  for (const { object } of ways.kept.values()) for (const ref of object?.refs ?? []) refs.add(ref);
  const waysOfNodes = new Set<number>();
  const nodes = new Sieve<OsmNode>(
    ({ id }) => refs.has(id) || places.has(id),
    async (ids) => {
      const used = await stored('node', ids);
      const pairs = await db.query<{ way: number; node: number }>(loadQuery('update_ways_of_nodes'), [ids]);
      for (const { way, node } of pairs) {
        used.add(node);
        waysOfNodes.add(way);
      }
      return used;
    },
    true,
  );
  await pass(path, nodes, 'node', {
    wantsNode: () => true,
    node: (node, at) => nodes.add(node.id, node.version, node, at),
  });
  return {
    relations: relations.kept,
    ways: ways.kept,
    nodes: nodes.kept,
    waysOfNodes,
    timestamp,
    read: counts.nodes + counts.ways + counts.relations,
    leftOut,
  };
}

/** Keeps the last state of each object that boundaries are made of (`wanted`) or that is stored. */
class Sieve<T> {
  readonly kept = new Map<number, LatestState<T>>();
  private waiting: [number, LatestState<T>][] = [];
  private readonly wanted: (object: T) => boolean;
  private readonly stored: (ids: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Whether to look up wanted objects, too, and not only the others. */
  private readonly all: boolean;

  constructor(
    wanted: (object: T) => boolean,
    stored: (ids: readonly number[]) => Promise<ReadonlySet<number>>,
    all = false,
  ) {
    this.wanted = wanted;
    this.stored = stored;
    this.all = all;
  }

  add(id: number, version: number, object: T | null, at: string | null): void {
    const one = { version, object, at };
    const wanted = this.kept.has(id) || (object !== null && this.wanted(object));
    if (wanted) this.keep(id, one);
    if (!wanted || this.all) this.waiting.push([id, one]);
  }

  /** Looks up waiting objects in batches of AT_ONCE; at the `end`, all of them. */
  async sift(end: boolean): Promise<void> {
    while (this.waiting.length >= (end ? 1 : AT_ONCE)) {
      const some = this.waiting.splice(0, AT_ONCE);
      const stored = await this.stored([...new Set(some.map(([id]) => id))]);
      for (const [id, one] of some) if (stored.has(id) || this.kept.has(id)) this.keep(id, one);
    }
  }

  private keep(id: number, one: LatestState<T>): void {
    const before = this.kept.get(id);
    if (before === undefined || before.version <= one.version) this.kept.set(id, one);
  }
}

async function pass<T>(
  path: string,
  sieve: Sieve<T>,
  kind: 'node' | 'way' | 'relation',
  handlers: OsmXmlHandlers,
): Promise<{ timestamp: string | null; counts: { nodes: number; ways: number; relations: number } }> {
  const deleted: OsmXmlHandlers['deleted'] = (of, id, version, at) => {
    if (of === kind) sieve.add(id, version, null, at);
  };
  const reader = createOsmXmlReader({ ...handlers, deleted }, 'osmChange');
  const decoder = utf8Decoder();
  for await (const piece of unpackedBytes(path)) {
    reader.write(decoder.decode(piece));
    await sieve.sift(false);
  }
  reader.write(decoder.end());
  const end = reader.close();
  await sieve.sift(true);
  return end;
}
