import { lowerBound } from '../../../workers/osm/elements.ts';
import type { Lists, Texts } from '../../../workers/osm/passes.ts';
import { counts, doubles } from './column.ts';

/** Records of an id and the position of its text. A record's number is its position in order of arrival. */
export class Records {
  readonly id = doubles();
  readonly textAt = doubles();
  readonly textSize = counts();
  /** Record numbers by ascending id, one per id; set by `sort`. */
  order: Uint32Array = new Uint32Array(0);
  private ids: Float64Array = new Float64Array(0);

  add(id: Float64Array, { end }: Texts, at: number): void {
    this.id.append(id);
    for (let k = 0; k < end.length; k++) {
      const start = k === 0 ? 0 : end[k - 1];
      this.textAt.push(at + start);
      this.textSize.push(end[k] - start);
    }
  }

  /** Sorts the records by id. `join` merges two with the same id and returns the one to keep. */
  async sort(join: (first: number, other: number) => Promise<number>): Promise<void> {
    const id = this.id.view();
    this.order = Uint32Array.from(id, (_, record) => record);
    this.ids = id;
    let ascending = true;
    for (let k = 1; k < id.length && ascending; k++) ascending = id[k] > id[k - 1];
    if (ascending) return;
    this.order.sort((a, b) => id[a] - id[b] || a - b);
    let size = 0;
    for (const record of this.order) {
      if (size > 0 && id[this.order[size - 1]] === id[record]) {
        this.order[size - 1] = await join(this.order[size - 1], record);
      } else this.order[size++] = record;
    }
    this.order = this.order.subarray(0, size);
    this.ids = Float64Array.from(this.order, (record) => id[record]);
  }

  /** The record number of an id, or -1. */
  find(id: number): number {
    const index = lowerBound(this.ids, id);
    return this.ids[index] === id ? this.order[index] : -1;
  }
}

/** Lists of ids, stored one after the other. */
export class ListColumn {
  readonly ids = doubles();
  private readonly end = doubles();

  add({ ids, end }: Lists): void {
    const before = this.ids.length;
    this.ids.append(ids);
    for (const one of end) this.end.push(before + one);
  }

  list(k: number): Float64Array {
    return this.ids.view(k === 0 ? 0 : this.end.at(k - 1), this.end.at(k));
  }
}
