/** What a file of OpenStreetMap has of inland water. */
import Flatbush from 'flatbush';
import type { MapBox } from '../../../workers/osm/blob.ts';
import { defined } from '../../common/elements.ts';
import type { Extent } from './topology.ts';

/** The source of inland water that is objects of OpenStreetMap. */
export const OSM_WATER = 'osm';

/** A lake, a river or a part of one: closed rings with water on their left. With a `reason`, lines of its border. */
export interface InlandWater {
  readonly id: string;
  readonly rings: readonly Int32Array[];
  readonly reason?: string;
  /** Whether the file lacks some of the border. */
  readonly isPart?: boolean;
}

/** What a file of OpenStreetMap has of inland water. */
export interface OsmWater {
  readonly water: readonly InlandWater[];
  /** Ids of water that the file has whole and that is smaller than `leastKm2`. */
  readonly smaller: ReadonlySet<string>;
  /** Water of which the file has no vertex: ids, with what it lacks. */
  readonly unplaced: ReadonlyMap<string, string>;
  readonly seen: SeenWater;
  readonly leastKm2: number;
  readonly whole: readonly WholeBoundary[];
  /** The extent that the file states, and its time; null when it does not. */
  readonly bbox: MapBox | null;
  readonly timestamp: string | null;
}

/** A boundary whose whole border a file has, with the version there. */
export interface WholeBoundary {
  readonly id: string;
  readonly version: string;
  /** Whether all of its border is the inner border of other boundaries. */
  readonly isInner: boolean;
}

/** The areas of inland water that a file has, of any size. */
export class SeenWater {
  /** Ids of those whose way is a border, too: a file that was filtered for boundaries has no other water. */
  readonly borders = new Set<string>();
  private readonly all = new Set<string>();
  /** Those that the file has whole, with the box of each. */
  private readonly ids: string[] = [];
  private readonly boxes: number[] = [];

  /** Notes an area; `box` is null when the file has it in part. */
  note(id: string, box: Extent | null): void {
    this.all.add(id);
    if (box === null) return;
    this.ids.push(id);
    for (const side of box) this.boxes.push(side);
  }

  /** Notes the ways of a part of the file that are borders. */
  noteBorders(ways: ReadonlyMap<number, unknown>): void {
    for (const way of ways.keys()) if (this.all.has(`w${way}`)) this.borders.add(`w${way}`);
  }

  /** Whether all of them are borders. */
  get onlyBorders(): boolean {
    return this.borders.size === this.all.size;
  }

  /** The boxes of those that the file has whole and that are not borders; null without any. */
  index(): BoxIndex | null {
    const kept = this.ids.flatMap((id, i) => (this.borders.has(id) ? [] : [i]));
    if (kept.length === 0) return null;
    const tree = new Flatbush(kept.length, 16, Int32Array);
    for (const i of kept) tree.add(...this.boxAt(i));
    tree.finish();
    return { within: (box) => tree.search(...box).map((k) => this.boxAt(defined(kept[k]))) };
  }

  private boxAt(i: number): [number, number, number, number] {
    const side = (k: number) => defined(this.boxes[4 * i + k]);
    return [side(0), side(1), side(2), side(3)];
  }
}

/** Finds the boxes of areas of water. */
export interface BoxIndex {
  /** The boxes that meet another. */
  readonly within: (box: Extent) => Extent[];
}
