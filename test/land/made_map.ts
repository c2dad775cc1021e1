/** Maps in the XML of OpenStreetMap, made by tests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Tags = Readonly<Record<string, string>>;
type Place = readonly [x: number, y: number];

/** A map whose nodes are named by their places. */
export class MadeMap {
  private readonly nodes = new Map<string, number>();
  private readonly lacking = new Set<string>();
  private readonly ways: string[] = [];
  private readonly relations: string[] = [];
  private readonly more: string;
  private readonly base: number;

  /** `more` is XML before its objects; node ids begin after `base`. */
  constructor(more = '', base = 0) {
    this.more = more;
    this.base = base;
  }

  way(id: number, points: readonly Place[], tags: Tags = {}, version = 1): this {
    const refs = points.map((point) => {
      const place = placeOf(point);
      if (!this.nodes.has(place)) this.nodes.set(place, this.base + this.nodes.size + 1);
      return `<nd ref="${this.nodes.get(place)}"/>`;
    });
    this.ways.push(`<way id="${id}" version="${version}">${refs.join('')}${tagsOf(tags)}</way>`);
    return this;
  }

  relation(id: number, members: readonly (readonly [number, string])[], tags: Tags, version = 1): this {
    const refs = members.map(([ref, role]) => `<member type="way" ref="${ref}" role="${role}"/>`);
    this.relations.push(`<relation id="${id}" version="${version}">${refs.join('')}${tagsOf(tags)}</relation>`);
    return this;
  }

  /** Leaves the node at a place out of the file. */
  lack(point: Place): this {
    this.lacking.add(placeOf(point));
    return this;
  }

  /** Writes the map; returns the path. `timestamp` is that of its header. */
  write(folder: string, name: string, timestamp?: string): string {
    const nodes = [...this.nodes].flatMap(([place, id]) =>
      this.lacking.has(place) ? [] : [`<node id="${id}" version="1" ${place}/>`],
    );
    const path = join(folder, name);
    const body = [this.more, ...nodes, ...this.ways, ...this.relations].join('\n');
    const time = timestamp === undefined ? '' : ` timestamp="${timestamp}"`;
    writeFileSync(path, `<?xml version="1.0"?>\n<osm version="0.6"${time}>${body}</osm>`);
    return path;
  }
}

const placeOf = ([x, y]: Place) => `lon="${x}" lat="${y}"`;

const tagsOf = (tags: Tags): string =>
  Object.entries(tags)
    .map(([k, v]) => `<tag k="${k}" v="${v}"/>`)
    .join('');

/** A closed ring around a box. */
export const square = (west: number, south: number, east: number, north: number): Place[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
