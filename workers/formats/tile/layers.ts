/** The three layers of a tile of areas: `areas`, `lines` (each border once) and `labels`. */
import { TileLayer, type TileValue, writeTile } from './mvt.ts';

export type Attributes = Readonly<Record<string, TileValue>>;

/** What a border says: the level that it is drawn for, and the rest where it is known. */
export interface BorderKind {
  readonly level: number | null;
  readonly disputed: boolean | null;
  readonly maritime: boolean | null;
}

/** The lines of one kind, which are written as one feature. */
interface Border {
  readonly kind: BorderKind;
  readonly lines: Int32Array[];
}

/** The number and the attributes of an area, by its index. */
type AboutArea = (b: number) => readonly [id: number | null, attributes: Attributes];

/** A tile while its areas are drawn. Coordinates are on its grid. */
export class AreaLayers {
  private readonly about: AboutArea;
  /** The area whose rings are being added, or -1. */
  private current = -1;
  private readonly areas = new TileLayer('areas');
  private readonly labels = new TileLayer('labels');
  private readonly borders = new Map<string, Border>();

  constructor(about: AboutArea) {
    this.about = about;
  }

  /** The number of areas. */
  get count(): number {
    this.end();
    return this.areas.count;
  }

  /** The number of labels. */
  get labelled(): number {
    return this.labels.count;
  }

  /** Adds a ring to area `b`; see TileLayer.ring. All rings of an area follow each other. */
  ring(b: number, points: Int32Array, count: number): void {
    if (b !== this.current) this.end();
    this.current = b;
    this.areas.ring(points, 0, count);
  }

  private end(): void {
    if (this.current >= 0) this.areas.end('polygon', ...this.about(this.current));
    this.current = -1;
  }

  /** Adds a border. */
  line(kind: BorderKind, points: Int32Array, count: number): void {
    const key = `${kind.level} ${kind.disputed} ${kind.maritime}`;
    let border = this.borders.get(key);
    if (!border) {
      border = { kind, lines: [] };
      this.borders.set(key, border);
    }
    border.lines.push(points.slice(0, 2 * count));
  }

  /** Adds a label. */
  label(id: number | null, attributes: Attributes, column: number, row: number): void {
    this.labels.point(column, row);
    this.labels.end('point', id, attributes);
  }

  /** The bytes of the tile, zero bytes when nothing is in it. */
  finish(): Uint8Array {
    this.end();
    const lines = new TileLayer('lines');
    for (const { kind, lines: all } of this.borders.values()) {
      for (const points of all) lines.line(points, 0, points.length / 2);
      const { level, disputed, maritime } = kind;
      lines.end('line', null, { level, disputed, maritime });
    }
    return writeTile([this.areas, lines, this.labels]);
  }
}

/** The feature id of a relation, by which maps keep feature state. A way can have the same number, so it gets none. */
export function featureNumber(id: string): number | null {
  const number = Number(/^r(\d{1,16})$/.exec(id)?.[1]);
  return Number.isSafeInteger(number) ? number : null;
}
