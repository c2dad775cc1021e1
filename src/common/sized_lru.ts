import { LRUCache } from 'lru-cache';

/** Approximate bytes of a cache entry besides its value. */
const ENTRY_BYTES = 200;

/** An LRU cache limited by bytes. */
export class SizedLru<V> {
  private readonly values: LRUCache<string, { readonly value: V; readonly size: number }>;

  constructor(bytes: number) {
    this.values = new LRUCache({ maxSize: Math.max(1, Math.floor(bytes)), sizeCalculation: ({ size }) => size });
  }

  /** Total size of the cached values, as set() counts it. */
  get bytes(): number {
    return this.values.calculatedSize;
  }

  /** Bytes that fit before older values are evicted. */
  get freeBytes(): number {
    return this.values.maxSize - this.values.calculatedSize;
  }

  /** Returns a value and marks it as most recently used; undefined if it is not cached. */
  get(key: string): V | undefined {
    return this.values.get(key)?.value;
  }

  /** Caches a value of approximately `size` bytes, unless it exceeds the limit. */
  set(key: string, value: V, size: number): void {
    this.values.set(key, { value, size: Math.ceil(size) + 2 * key.length + ENTRY_BYTES });
  }
}
