import NodeCache from 'node-cache';

/** A thing that knows how many bytes it holds. */
export interface Sized {
  readonly size: number;
}

/**
 * Finished answers in memory, bounded in bytes, least recently used out first. Keys name content (a ring_hash, a hash
 * of properties), so that a change is a new key and nothing is invalidated by hand. node-cache keeps the values
 * (useClones: false); the order and the sum of bytes, which it does not have, are kept here.
 */
export class ByteCache<T extends Sized> {
  hits = 0;
  misses = 0;
  evictions = 0;
  bytes = 0;
  private readonly cache = new NodeCache({ useClones: false, checkperiod: 0 });
  private readonly order = new Map<string, number>();
  private readonly pending = new Map<string, Promise<T>>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: string): T | undefined {
    const value = this.cache.get<T>(key);
    const size = this.order.get(key);
    if (value === undefined || size === undefined) {
      this.misses++;
      return undefined;
    }
    this.order.delete(key);
    this.order.set(key, size);
    this.hits++;
    return value;
  }

  /** The value, made at most once however many ask for it at the same time. A failure is not kept. */
  async getOrMake(key: string, make: () => Promise<T>): Promise<T> {
    const held = this.get(key);
    if (held !== undefined) return held;
    const running = this.pending.get(key);
    if (running) return running;
    const made = make().then((value) => {
      this.set(key, value);
      return value;
    });
    this.pending.set(key, made);
    try {
      return await made;
    } finally {
      this.pending.delete(key);
    }
  }

  private set(key: string, value: T): void {
    const size = value.size + 2 * key.length + 200;
    if (size > this.limit / 4) return;
    this.bytes += size - (this.order.get(key) ?? 0);
    this.order.delete(key);
    this.order.set(key, size);
    this.cache.set(key, value);
    for (const [oldest, oldestSize] of this.order) {
      if (this.bytes <= this.limit) break;
      this.order.delete(oldest);
      this.cache.del(oldest);
      this.bytes -= oldestSize;
      this.evictions++;
    }
  }
}
