import { type Border, type Ray, touchesAt } from '../../workers/arcs/border.ts';
import { defined, four, only } from '../common/elements.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Sized } from './cache.ts';

/** The neighbors of a boundary, in the order in which they are listed. */
export interface NeighborList extends Sized {
  /** Revision of the data that the list was made from. */
  readonly revision: number;
  /** Canonical ids. */
  readonly ids: readonly string[];
  /** Length of the border with each, in kilometers; 0 where they meet only at points. */
  readonly km: readonly number[];
  /** Of these kilometers, those on land and those at sea; null where that is not known. */
  readonly ground: readonly ({ readonly land: number; readonly sea: number } | null)[];
  /** The share of the border with each that the map marks as one at sea, from 0 to 1. */
  readonly marked: readonly number[];
  readonly borderKm: number;
  readonly sharedKm: number;
  /** Canonical ids of boundaries whose borders cross or cover this one's without sharing its arcs. */
  readonly crossing: readonly string[];
}

/** What a boundary has in common with one of another arrangement. */
export interface Overlaid {
  readonly id: string;
  readonly relation: 'overlaps' | 'touches';
  readonly common_km2: number;
  /** The common area as a share (0 to 1) of the boundary, and of the other one. */
  readonly share: number;
  readonly share_of_other: number;
  /** Length of the lines that both have, vertex by vertex. */
  readonly shared_km: number;
}

/** The boundaries of other arrangements that a boundary overlaps or touches, in the order in which they are listed. */
export interface OverlaidList extends Sized {
  readonly items: readonly Overlaid[];
  /** Boundaries near it that were too many to compare. */
  readonly notCompared: number;
}

/** Which neighbors: those of one admin level, or all. Default: those of the boundary's own level. */
export interface WhichNeighbors {
  readonly adminLevel?: number;
  readonly levels?: 'all';
}

interface Row {
  readonly revision: number;
  readonly ids: readonly string[];
  readonly meters: readonly number[];
  readonly shared: number;
  readonly ray_ids: readonly string[];
  readonly ray_vertices: readonly number[];
  readonly ray_leaves: readonly boolean[];
  readonly ray_beyond: readonly string[];
  readonly crossing: readonly string[];
}

/** A vertex where arcs of the boundary end, and the directions of its rings there. */
interface Vertex {
  readonly x: number;
  readonly y: number;
  readonly rays: Ray[];
}

/**
 * The neighbors of a boundary: those on the other side of its arcs, longest common border first, then those that meet
 * it only at points. `border` is the result of engine.relations.border().
 */
export async function neighborsOf(
  db: Queryable,
  boundary: {
    readonly id: string;
    readonly admin_level: number | null;
    readonly type: 'administrative' | 'postal_code';
  },
  border: Border & { readonly arcs: Float64Array },
  which: WhichNeighbors,
  signal?: AbortSignal,
): Promise<Omit<NeighborList, 'ground' | 'marked'>> {
  const vertices = verticesOf(border);
  const level = which.adminLevel ?? boundary.admin_level;
  const ofPostcodes = boundary.type === 'postal_code' && which.adminLevel === undefined;
  const values = [
    boundary.id,
    [...border.arcs],
    [...border.meters],
    vertices.map(({ x }) => x),
    vertices.map(({ y }) => y),
    vertices.map(({ x, y }) => hexOf(x, y)),
    which.levels ?? (ofPostcodes ? 'postal_code' : 'level'),
    level,
  ] as const;
  const row = only(await db.query(loadQuery('boundary_neighbors'), values, { signal }));
  // Nothing records where borders of a set meet others: ends of their arcs at one vertex are chance.
  const set = setOf(boundary.id);
  const points = touching(row, vertices).filter((id) => setOf(id) === set);
  const km = [...row.meters.map((meters) => meters / 1000), ...points.map(() => 0)];
  const ids = [...row.ids, ...points];
  return {
    revision: Number(row.revision),
    ids,
    km,
    borderKm: border.meters.reduce((sum, meters) => sum + meters, 0) / 1000,
    sharedKm: row.shared / 1000,
    crossing: row.crossing,
    size: 200 + 100 * ids.length + 50 * row.crossing.length,
  };
}

/** The name of the set of an area; null for an official boundary. */
const setOf = (id: string): string | null => /^set:([^/]*)/.exec(id)?.[1] ?? null;

/** The distinct ends of the arcs of a boundary, each with its rays. */
function verticesOf({ arcs, ends }: Border & { readonly arcs: Float64Array }): Vertex[] {
  const vertices = new Map<string, Vertex>();
  const add = (at: number, leaves: boolean): void => {
    const [x, y, nextX, nextY] = four(ends.subarray(at, at + 4));
    const key = `${x} ${y}`;
    const vertex = vertices.get(key) ?? { x, y, rays: [] };
    vertices.set(key, vertex);
    vertex.rays.push({ dx: nextX - x, dy: nextY - y, leaves });
  };
  arcs.forEach((ref, i) => {
    add(8 * i, ref > 0);
    add(8 * i + 4, ref < 0);
  });
  return [...vertices.values()];
}

/** A vertex as the columns of arcs store it, in hex. */
function hexOf(x: number, y: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(x, 0);
  bytes.writeInt32LE(y, 4);
  return bytes.toString('hex');
}

/** Ids of the boundaries that meet the vertices without overlapping the boundary's area. */
function touching({ ray_ids, ray_vertices, ray_leaves, ray_beyond, crossing }: Row, vertices: readonly Vertex[]) {
  const crosses = new Set(crossing);
  const touches = new Map<string, boolean>();
  for (let i = 0; i < ray_ids.length; ) {
    const [id, number] = [defined(ray_ids[i]), defined(ray_vertices[i])];
    const { x, y, rays } = defined(vertices[number - 1]);
    const theirs: Ray[] = [];
    for (; ray_ids[i] === id && ray_vertices[i] === number; i++) {
      const beyond = Buffer.from(defined(ray_beyond[i]), 'hex');
      theirs.push({ dx: beyond.readInt32LE(0) - x, dy: beyond.readInt32LE(4) - y, leaves: defined(ray_leaves[i]) });
    }
    touches.set(id, (touches.get(id) ?? !crosses.has(id)) && touchesAt(rays, theirs));
  }
  return [...touches].filter(([, only]) => only).map(([id]) => id);
}
