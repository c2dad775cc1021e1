/**
 * Detail tiers: one greedy removal along every arc, in the arrangement at full detail. A tier therefore depends on an
 * arc, its surroundings and the tolerance, and never on the request.
 *
 * A vertex may be removed under two conditions. Every original vertex of the span that would be merged is within T of
 * the new segment (this bounds the Hausdorff distance both ways: distance to a segment is convex along an edge, and the
 * span's nearest points cover the segment). And the triangle that it forms with its neighbors contains no remaining
 * vertex of its own arc and no vertex at all of another arc, removed or not. The smallest triangle goes first, as in
 * Visvalingam and Whyatt 1993; each level continues from the one before.
 *
 * Nothing crosses at any level. Process the arcs one after another: an edge that crosses a new segment would have to
 * end in the triangle, but no vertex of another arc is there, whether that arc has been processed or not. So no removal
 * jumps over an island, the order of arcs at a junction is kept, and the processing order does not matter. The inner
 * vertices of an arc depend only on that arc, on the vertices of other arcs in its box, and on the arcs between its
 * ends.
 */
import { ALWAYS, type Coords, END_CLASSES, ENDS_PER_ARC, LEVELS } from '../contract.ts';
import {
  type ArrangedBoundary,
  type Arrangement,
  addRoles,
  arcAreas,
  arrange,
  largestPart,
  noRoles,
} from './arrangement.ts';
import { interiorRemoval, setWeights } from './interior_removal.ts';
import { type IslandInput, islandLevels } from './islands.ts';
import { METERS_PER_UNIT, toleranceMeters, unitOf } from './levels.ts';
import { REMOVED, removePoint } from './point_index.ts';
import { fullRemainder, type Remainder } from './remainder.ts';
import { type Dependencies, emptyDependencies } from './surroundings.ts';
import { digitPass, nodesOf, settleNodes } from './tier_digits.ts';
import { endPass } from './tier_ends.ts';
import { classGroups } from './tier_walk.ts';

/** The input from which detail tiers are computed. */
export interface TierInput {
  /** Vertices of the arcs, in 1e-7 degrees; unrelated vertices may be between them. */
  readonly coords: Coords;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly boundaries: readonly ArrangedBoundary[];
}

/** The detail tiers, with the layout of ArcTable. */
export interface Tiers {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
}

/** An arrangement, or the given part of one. All its tiers are known except those marked as todo. */
export interface TierWork extends IslandInput {
  readonly coords: Coords;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly arcClass: Uint8Array;
  /** Cells whose arcs are all given; see Dependencies. */
  readonly known: Dependencies['known'];
  /** Per arc: 1 to compute its weights; bits of the classes whose ends to compute; 1 to compute its digits. */
  readonly todoWeights: Uint8Array;
  readonly todoEnds: Uint16Array;
  readonly todoDigits: Uint8Array;
}

/** What else the computation of tiers found. */
export interface TierFindings {
  readonly surroundings: Dependencies;
  /** Arcs whose links must be given before the open arcs can be finished. */
  readonly unlinked: Set<number>;
}

/** The bits of all classes of ends. */
export const ALL_CLASSES = 2 ** END_CLASSES - 1;

/**
 * The detail tiers of arcs that meet only at their ends (arcs that cross are not repaired, and nothing is guaranteed
 * about them). Per vertex of `coords`, the first level that removes it; arc ends are removed here only with an island.
 * Per arc end and end class, the levels that remove it otherwise. Per arc, and for its ends, the levels at which
 * coordinates keep 7 digits. At every level and for every class, the simplified and rounded arrangement of the class's
 * boundaries is planar: no segments cross, overlap or touch away from the vertices they share. The result depends only
 * on coordinates and boundaries, not on the order of arcs. About O(n log n).
 */
export function tierArcs({ coords, first, length, boundaries }: TierInput): Tiers {
  const arcs = first.length;
  const roles = noRoles(arcs);
  const area = arcAreas(coords, first, length);
  for (const boundary of boundaries) addRoles(roles, boundary, largestPart(boundary, area));
  const tiers = noTiers(coords.length / 2, arcs);
  refineTiers({ coords, first, length, ...roles, linked: null, known: null, ...everythingTodo(arcs) }, tiers);
  return tiers;
}

/** Tiers in which every vertex remains at every level. */
export function noTiers(vertices: number, arcs: number): Tiers {
  return {
    weights: new Uint8Array(vertices).fill(ALWAYS),
    ends: new Uint16Array(ENDS_PER_ARC * arcs),
    exact: new Uint16Array(arcs),
  };
}

/** Marks the tiers of all arcs as todo. */
function everythingTodo(arcs: number): Pick<TierWork, 'todoWeights' | 'todoEnds' | 'todoDigits'> {
  return {
    todoWeights: new Uint8Array(arcs).fill(1),
    todoEnds: new Uint16Array(arcs).fill(ALL_CLASSES),
    todoDigits: new Uint8Array(arcs).fill(1),
  };
}

/**
 * Computes the tiers of the arcs marked as todo, in place in `tiers`; all other tiers must be those of the whole
 * arrangement. Results are final except for open arcs, which depend on something that is not given. Weights depend only
 * on coordinates, ends on the weights around them, digits on weights and ends; each must be final before the next is
 * computed.
 */
export function refineTiers(work: TierWork, tiers: Tiers): TierFindings {
  const { coords, first, length, arcClass, todoWeights, todoEnds, todoDigits } = work;
  const { weights, ends, exact } = tiers;
  const arcs = first.length;
  const arrangement = arrange(coords, first, length, arcClass);
  const surroundings = emptyDependencies(arcs, work.known);
  const unlinked = new Set<number>();
  const findings = { surroundings, unlinked };
  const remainder = fullRemainder(arrangement);
  if (todoWeights.includes(1)) {
    const islands = islandLevels(arrangement, work, todoWeights, surroundings, unlinked);
    const removal = interiorRemoval(remainder, surroundings);
    for (let arc = 0; arc < arcs; arc++) {
      if (todoWeights[arc] === 0) continue;
      weights.fill(ALWAYS, first[arc], first[arc] + length[arc]);
      setWeights(removal, arc, islands[arc], weights);
    }
    if (surroundings.open.includes(1)) return findings;
  }
  const endNodes = nodesOf(arrangement, todoEnds);
  const digitNodes = nodesOf(arrangement, todoDigits);
  const doEnds = endNodes.some((bits) => bits > 0);
  const doDigits = digitNodes.some((bit) => bit > 0);
  if (!doEnds && !doDigits) return findings;
  const nodeExact = new Uint16Array(arrangement.nodeVertex.length);
  const digits = { level: 0, todo: todoDigits, todoNodes: digitNodes, surroundings, ends, wanted: null };
  if (doDigits) for (let arc = 0; arc < arcs; arc++) if (todoDigits[arc] === 1) exact[arc] = 0;
  for (let level = 0; level < LEVELS; level++) {
    removeLevel(remainder, weights, level);
    if (doEnds) {
      endPass(
        remainder,
        { level, tolerance: toleranceMeters(level) / METERS_PER_UNIT, todo: endNodes, surroundings },
        ends,
      );
    }
    if (doDigits && unitOf(level) > 1) {
      digits.level = level;
      digitPass(remainder, digits, exact, nodeExact);
    }
  }
  if (doDigits) settleNodes(arrangement, digitNodes, nodeExact, exact, ends);
  if (work.known !== null) {
    openDependents(arrangement, (arc) => todoEnds[arc] > 0 || todoDigits[arc] === 1, surroundings.open);
  }
  return findings;
}

/**
 * Marks as open the todo arcs (ends or digits) that depend on an open arc: those that share a node with it, and onward
 * along the chains of any class.
 */
function openDependents(arrangement: Arrangement, todo: (arc: number) => boolean, open: Uint8Array): void {
  const { node, nodeVertex, incident, incidentEnd } = arrangement;
  const isPassed = new Uint8Array(nodeVertex.length);
  for (const { degree } of classGroups(arrangement))
    for (let at = 0; at < degree.length; at++) if (degree[at] === 2) isPassed[at] = 1;
  const together = new Set<number>();
  for (let arc = 0; arc < open.length; arc++) if (open[arc] === 1) together.add(arc);
  const opened = together.size;
  let number = 0;
  for (const arc of together) {
    const isOpen = number++ < opened;
    for (const at of [node[2 * arc], node[2 * arc + 1]]) {
      if (!isOpen && isPassed[at] === 0) continue;
      for (let i = at === 0 ? 0 : incidentEnd[at - 1]; i < incidentEnd[at]; i++) together.add(incident[i] >> 1);
    }
  }
  for (const arc of together) if (todo(arc)) open[arc] = 1;
}

/** Removes from the remainder the vertices that this level, but not the one before, removes. */
function removeLevel({ arrangement, index, next, previous }: Remainder, weights: Uint8Array, level: number): void {
  const { first, length, point } = arrangement;
  for (let arc = 0; arc < first.length; arc++) {
    const last = first[arc] + length[arc] - 1;
    for (let v = first[arc]; v <= last; v++) {
      if (weights[v] !== level) continue;
      if (index.rank[point[v]] !== REMOVED) removePoint(index, point[v]);
      if (v === first[arc] || v === last) continue;
      next[previous[v]] = next[v];
      previous[next[v]] = previous[v];
    }
  }
}
