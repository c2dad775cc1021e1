import { LRUCache } from 'lru-cache';

/** What an entry and its place in the order cost, about. */
const ENTRY_BYTES = 200;

/** Values in memory up to a bound of bytes, least recently used out first. */
export class Held<V> {
  private readonly values: LRUCache<string, { readonly value: V; readonly size: number }>;

  constructor(bytes: number) {
    this.values = new LRUCache({ maxSize: Math.max(1, Math.floor(bytes)), sizeCalculation: ({ size }) => size });
  }

  /** Of the values held, as they were counted. */
  get bytes(): number {
    return this.values.calculatedSize;
  }

  /** Bytes that can still be put in before anything older is let go of. */
  get room(): number {
    return this.values.maxSize - this.values.calculatedSize;
  }

  /** The value, which is then the last to be let go of; undefined when there is none. */
  get(key: string): V | undefined {
    return this.values.get(key)?.value;
  }

  /** Keeps a value; `size`: bytes that it takes, about. One of more than the bound is not kept. */
  set(key: string, value: V, size: number): void {
    this.values.set(key, { value, size: Math.ceil(size) + 2 * key.length + ENTRY_BYTES });
  }
}
