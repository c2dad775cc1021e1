/**
 * Values in memory up to a bound of bytes. Two halves: what is used moves into the younger one, and once that is full
 * the older one is let go of. So a look costs one or two of a Map's, and what was used lately stays.
 */
export class Held<V> {
  private young = new Map<string, { readonly value: V; readonly size: number }>();
  private old = new Map<string, { readonly value: V; readonly size: number }>();
  private youngBytes = 0;
  private oldBytes = 0;
  private readonly half: number;

  constructor(bytes: number) {
    this.half = bytes / 2;
  }

  /** Of the values held, as they were counted. */
  get bytes(): number {
    return this.youngBytes + this.oldBytes;
  }

  /** Bytes that can still be put in before anything older is let go of. */
  get room(): number {
    return this.half - this.youngBytes + (this.oldBytes === 0 ? this.half : 0);
  }

  get(key: string): V | undefined {
    const found = this.young.get(key);
    if (found !== undefined) return found.value;
    const older = this.old.get(key);
    if (older === undefined) return undefined;
    this.old.delete(key);
    this.oldBytes -= older.size;
    this.put(key, older);
    return older.value;
  }

  /** `size`: bytes that the value takes, about. One of more than half the bound is not kept. */
  set(key: string, value: V, size: number): void {
    const before = this.old.get(key);
    if (before !== undefined) this.oldBytes -= before.size;
    this.old.delete(key);
    this.put(key, { value, size: size + 2 * key.length + ENTRY_BYTES });
  }

  private put(key: string, entry: { readonly value: V; readonly size: number }): void {
    this.youngBytes -= this.young.get(key)?.size ?? 0;
    this.young.delete(key);
    if (entry.size > this.half) return;
    if (this.youngBytes + entry.size > this.half) {
      [this.old, this.oldBytes] = [this.young, this.youngBytes];
      [this.young, this.youngBytes] = [new Map(), 0];
    }
    this.young.set(key, entry);
    this.youngBytes += entry.size;
  }
}

/** What an entry of a Map and its object cost, about. */
const ENTRY_BYTES = 120;
