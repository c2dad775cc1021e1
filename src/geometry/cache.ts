import { LRUCache } from 'lru-cache';
import { sharesWork } from '../common/computing.ts';

/** A value that knows its size in bytes. */
export interface Sized {
  readonly size: number;
}

/** Counters of one tier of a cache. */
export interface TierCounts {
  hits: number;
  misses: number;
  evictions: number;
  /** Bytes of the values held, including the overhead of their entries. */
  bytes: number;
}

interface Pending {
  readonly value: Promise<unknown>;
  readonly controller: AbortController;
  waiters: number;
}

interface Entry<Tier extends string> {
  readonly tier: Tier;
  readonly value: unknown;
  readonly size: number;
}

/** Approximate overhead of an entry in bytes, besides the characters of its key. */
const ENTRY_BYTES = 300;

/** Makes a value. `signal` aborts when no one waits for it any more; after `pass()` the value is not cached. */
export type Make<V> = (signal: AbortSignal, pass: () => void) => Promise<V>;

/**
 * Finished answers in memory: several tiers, one limit of bytes over all, least recently used evicted first. Keys name
 * content (a ring_hash, a hash of properties): a change makes a new key, so nothing is invalidated explicitly. A value
 * larger than a quarter of the limit is not cached.
 */
export class ByteCache<T extends { readonly [K in keyof T]: Sized }> {
  readonly tiers: Readonly<Record<keyof T & string, TierCounts>>;
  private readonly cache: LRUCache<string, Entry<keyof T & string>>;
  private readonly pending = new Map<string, Pending>();

  constructor(limit: number, tiers: readonly (keyof T & string)[]) {
    // LRUCache requires whole sizes above zero.
    const bound = Math.max(1, Math.floor(limit));
    this.cache = new LRUCache({
      maxSize: bound,
      maxEntrySize: Math.max(1, Math.floor(bound / 4)),
      sizeCalculation: ({ size }) => size,
      dispose: ({ tier, size }, _name, reason) => {
        this.tiers[tier].bytes -= size;
        if (reason === 'evict') this.tiers[tier].evictions++;
      },
    });
    const counts = tiers.map((tier) => [tier, { hits: 0, misses: 0, evictions: 0, bytes: 0 }]);
    this.tiers = Object.fromEntries(counts) as Record<keyof T & string, TierCounts>;
  }

  /** Bytes held, over all tiers. */
  get bytes(): number {
    return this.cache.calculatedSize;
  }

  get<K extends keyof T & string>(tier: K, key: string): T[K] | undefined {
    const found = this.peek(tier, key);
    if (found === undefined) this.tiers[tier].misses++;
    else this.tiers[tier].hits++;
    return found;
  }

  /** The value if it is cached, which counts as a hit. A miss is counted by getOrMake(), which the caller uses next. */
  held<K extends keyof T & string>(tier: K, key: string): T[K] | undefined {
    const found = this.peek(tier, key);
    if (found !== undefined) this.tiers[tier].hits++;
    return found;
  }

  /** Whether a value is cached or being made. */
  has(tier: keyof T & string, key: string): boolean {
    return this.cache.has(`${tier} ${key}`) || this.pending.has(`${tier} ${key}`);
  }

  /**
   * The value; concurrent calls share one run of `make` (single-flight). A failure is not cached.
   * When `signal` aborts, its caller gets the reason at once; the work goes on while another caller waits for it.
   */
  async getOrMake<K extends keyof T & string>(
    tier: K,
    key: string,
    make: Make<T[K]>,
    signal?: AbortSignal,
  ): Promise<T[K]> {
    const held = this.get(tier, key);
    if (held !== undefined) return held;
    signal?.throwIfAborted();
    const name = `${tier} ${key}`;
    const running = this.pending.get(name) ?? this.start(tier, key, make);
    running.waiters++;
    sharesWork(signal, running.controller.signal);
    let leave = (): void => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(signal?.reason);
        if (--running.waiters > 0) return;
        // Later callers start new work, because this work is being aborted.
        if (this.pending.get(name) === running) this.pending.delete(name);
        running.controller.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
    try {
      return (await Promise.race([running.value, left])) as T[K];
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** The value; one that is not cached is made at once, unless `make` returns null. */
  makeNow<K extends keyof T & string>(tier: K, key: string, make: () => T[K] | null): T[K] | null {
    const held = this.held(tier, key);
    if (held !== undefined) return held;
    const made = make();
    if (made === null) return null;
    this.tiers[tier].misses++;
    this.set(tier, key, made);
    return made;
  }

  /** The same cache for keys that only mean the same within a scope, such as ids of boundaries as of a date. */
  scoped(scope: string): ByteCache<T> {
    type Key = keyof T & string;
    const own = (key: string) => `${scope} ${key}`;
    return Object.assign(Object.create(this) as ByteCache<T>, {
      get: <K extends Key>(tier: K, key: string) => this.get(tier, own(key)),
      held: <K extends Key>(tier: K, key: string) => this.held(tier, own(key)),
      has: (tier: Key, key: string) => this.has(tier, own(key)),
      getOrMake: <K extends Key>(tier: K, key: string, make: Make<T[K]>, signal?: AbortSignal) =>
        this.getOrMake(tier, own(key), make, signal),
      makeNow: <K extends Key>(tier: K, key: string, make: () => T[K] | null) => this.makeNow(tier, own(key), make),
      set: <K extends Key>(tier: K, key: string, value: T[K]) => this.set(tier, own(key), value),
    });
  }

  private start<K extends keyof T & string>(tier: K, key: string, make: Make<T[K]>): Pending {
    const name = `${tier} ${key}`;
    const controller = new AbortController();
    let keep = true;
    const pass = () => {
      keep = false;
    };
    const value = make(controller.signal, pass)
      .then((made) => {
        if (keep) this.set(tier, key, made);
        return made;
      })
      .finally(() => {
        if (this.pending.get(name) === pending) this.pending.delete(name);
      });
    // When the last caller has left, no one is there to handle a failure.
    value.catch(() => undefined);
    const pending: Pending = { value, controller, waiters: 0 };
    this.pending.set(name, pending);
    return pending;
  }

  private peek<K extends keyof T & string>(tier: K, key: string): T[K] | undefined {
    return this.cache.get(`${tier} ${key}`)?.value as T[K] | undefined;
  }

  /** Caches a value, and evicts others until it fits. */
  set<K extends keyof T & string>(tier: K, key: string, value: T[K]): void {
    const name = `${tier} ${key}`;
    const size = Math.ceil(value.size) + 2 * name.length + ENTRY_BYTES;
    // The value it replaces is dropped even when the new one is too large to be cached.
    this.cache.set(name, { tier, value, size });
    if (this.cache.has(name)) this.tiers[tier].bytes += size;
  }
}
