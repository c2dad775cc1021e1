/** Areas of inland water in an extract that was read for them (kept: water). */
import { isClosed, isRingRole, isWater, type OsmRelation, type OsmWay } from '../../../workers/osm/elements.ts';
import type { OsmExtract } from './collect.ts';

/** An area of inland water: the ways of its border, of which the file may lack some or their nodes. */
export interface WaterArea {
  /** r… of a relation, w… of a way. */
  readonly id: string;
  /** Where the file lacks nodes of a way, its other vertices. */
  readonly ways: readonly Int32Array[];
  /** What the file lacks of it: `way 5`, `node 7`; null: nothing. */
  readonly lacks: string | null;
}

/** The areas of inland water of an extract: its relations, and closed ways that are not the outer border of one. */
export function* toWaterAreas({ relations, ways, alone }: OsmExtract): Generator<WaterArea> {
  const outer = new Set<number>();
  for (const relation of relations) {
    for (const id of outerWaysOf(relation)) outer.add(id);
    const borders = relation.members.filter(({ type, role }) => type === 'w' && isRingRole(role));
    // Without members it is not known what it has; with others than ways it is not an area.
    if (relation.members.length > 0 && borders.length === 0) continue;
    yield areaOf(
      `r${relation.id}`,
      borders.map(({ ref }) => ways.get(ref) ?? ref),
    );
  }
  for (const way of ways.values()) {
    // Of a way without nodes and without places it is not known whether it is closed.
    const isArea = way.refs !== null ? isClosed(way.refs) : way.coords === null || isRing(way.coords);
    const isOwn = isWater(way.tags) && isArea;
    if (isOwn && (alone === undefined ? !outer.has(way.id) : alone.has(way.id))) yield areaOf(`w${way.id}`, [way]);
  }
}

/** The ways of the outer border of a relation of inland water. */
export function outerWaysOf({ members }: OsmRelation): number[] {
  return members.filter(({ type, role }) => type === 'w' && (role === 'outer' || role === '')).map(({ ref }) => ref);
}

function isRing(coords: Int32Array): boolean {
  return coords.length >= 8 && coords[0] === coords.at(-2) && coords[1] === coords.at(-1);
}

function areaOf(id: string, borders: readonly (OsmWay | number)[]): WaterArea {
  const ways: Int32Array[] = [];
  let lacks: string | null = borders.length === 0 ? 'its ways' : null;
  for (const way of borders) {
    if (typeof way === 'number') lacks ??= `way ${way}`;
    else if (way.coords !== null && way.coords.length > 0) ways.push(way.coords);
    else {
      lacks ??= way.missing === null ? `the nodes of way ${way.id}` : `node ${way.missing}`;
      if (way.placed !== undefined && way.placed.length > 0) ways.push(way.placed);
    }
  }
  return { id, ways, lacks };
}
