/** Islands: connected components of the arrangement that are removed as a whole, all their rings or none. */
import { ALWAYS, END_CLASSES, LEVELS } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { extentMeters, toleranceMeters } from './levels.ts';
import { DEPENDENCY_KINDS, type Dependencies, recordBox, recordPoint } from './surroundings.ts';

/**
 * What is known about islands besides the arrangement: `main` is 1 for arcs in the shell of a boundary's largest part.
 */
export interface IslandInput {
  readonly main: Uint8Array;
  /** Pairs of arcs: an arc of a shell, and an arc of a hole in that shell. */
  readonly links: ArrayLike<number>;
  /** Per arc, 1 when all its links are given; null when all links of all arcs are. */
  readonly linked: Uint8Array | null;
}

/**
 * Per arc of `todo` (a byte per arc), the level that removes it with its component of the arrangement: the first level
 * whose tolerance exceeds the component's extent on the ground. ALWAYS (never removed) where a boundary has its largest
 * part in the component, or in a hole of a part in it; otherwise that boundary would be drawn on its surroundings. Adds
 * arcs whose links are not given but needed to `unlinked`, and marks open arcs in `surroundings`.
 */
export function islandLevels(
  arrangement: Arrangement,
  { main, links, linked }: IslandInput,
  todo: Uint8Array,
  surroundings: Dependencies,
  unlinked: Set<number>,
): Uint8Array {
  const { box, coords, node, nodeVertex, incident, incidentEnd } = arrangement;
  const holes = new Map<number, number[]>();
  for (let i = 0; i < links.length; i += 2) {
    const list = holes.get(links[i]);
    if (list) list.push(links[i + 1]);
    else holes.set(links[i], [links[i + 1]]);
  }
  /** Per arc of a component that was fully walked: its level, and the component's box. */
  const whole = new Map<number, { level: number; box: number[] }>();

  const levelOf = (asked: number, from: number): number => {
    const known = whole.get(from);
    if (known) return lookInComponent(asked, known.box) ? known.level : ALWAYS;
    const seen = new Set([from]);
    const extent = [2147483647, 2147483647, -2147483648, -2147483648];
    for (const arc of seen) {
      if (main[arc] === 1) return ALWAYS;
      for (let side = 0; side < 2; side++) {
        extent[side] = Math.min(extent[side], box[4 * arc + side]);
        extent[side + 2] = Math.max(extent[side + 2], box[4 * arc + side + 2]);
      }
      if (levelOfExtent(extent) === ALWAYS) return ALWAYS;
      for (const at of [node[2 * arc], node[2 * arc + 1]]) {
        const v = nodeVertex[at];
        const x = coords[2 * v];
        const y = coords[2 * v + 1];
        if (!recordPoint(surroundings, asked, DEPENDENCY_KINDS.island, END_CLASSES - 1, x, y)) return ALWAYS;
        for (let i = at === 0 ? 0 : incidentEnd[at - 1]; i < incidentEnd[at]; i++) seen.add(incident[i] >> 1);
      }
    }
    if (!lookInComponent(asked, extent)) return ALWAYS;
    let level = levelOfExtent(extent);
    for (const arc of seen) {
      if (linked !== null && linked[arc] === 0) {
        unlinked.add(arc);
        surroundings.open[asked] = 1;
      }
      for (const hole of holes.get(arc) ?? []) if (!seen.has(hole)) level = Math.max(level, levelOf(asked, hole));
    }
    if (surroundings.open[asked] === 0) for (const arc of seen) whole.set(arc, { level, box: extent });
    return level;
  };
  const lookInComponent = (asked: number, [west, south, east, north]: number[]) =>
    recordBox(surroundings, asked, DEPENDENCY_KINDS.island, END_CLASSES - 1, west, south, east, north);

  const result = new Uint8Array(main.length).fill(ALWAYS);
  for (let arc = 0; arc < result.length; arc++) if (todo[arc] === 1) result[arc] = levelOf(arc, arc);
  return result;
}

/** The first level whose tolerance exceeds both sides of a box (1e-7 degrees) on the ground, or ALWAYS. */
function levelOfExtent([west, south, east, north]: readonly number[]): number {
  const { w, h } = extentMeters([west, south, east, north]);
  let level = 0;
  while (level < LEVELS && Math.max(w, h) >= toleranceMeters(level)) level++;
  return level < LEVELS ? level : ALWAYS;
}
