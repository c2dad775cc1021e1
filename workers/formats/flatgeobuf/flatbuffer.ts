const UTF8 = new TextEncoder();

/** The places of the fields of a table: as many as there are sizes. */
type Places<Sizes extends readonly number[]> = { readonly [Field in keyof Sizes]: number };

/** Writes FlatBuffers (flatbuffers.dev) front to back: each table, then what it refers to. */
export class FlatBuffer {
  #bytes = new Uint8Array(1 << 16);
  view = new DataView(this.#bytes.buffer);
  #at = 0;

  /**
   * Starts a size-prefixed buffer with its root table.
   * @param sizes as in `table`
   */
  root<const Sizes extends readonly number[]>(sizes: Sizes): Places<Sizes> {
    this.#bytes.fill(0, 0, this.#at);
    this.#at = 8;
    return this.table(sizes, 4);
  }

  /**
   * Writes a table with room for its fields.
   *
   * @param sizes bytes of each field in schema order (1, 2, 4 or 8; 4 for an offset; 0 for a field that is left out)
   * @param from where the offset to the table is stored
   * @returns the place of each field
   */
  table<const Sizes extends readonly number[]>(sizes: Sizes, from: number): Places<Sizes> {
    const vtable = this.#at;
    const vtableSize = 4 + 2 * sizes.length;
    // The first field is aligned to 8, after the offset of the vtable.
    const table = ceil(vtable + vtableSize + 4, 8) - 4;
    let end = table + 4;
    const places: number[] = sizes.map(() => 0);
    for (const size of [8, 4, 2, 1]) {
      sizes.forEach((one, field) => {
        if (one !== size) return;
        places[field] = end;
        end += size;
      });
    }
    this.#grow(ceil(end, 4));
    this.view.setUint16(vtable, vtableSize, true);
    this.view.setUint16(vtable + 2, end - table, true);
    places.forEach((place, field) => {
      this.view.setUint16(vtable + 4 + 2 * field, place === 0 ? 0 : place - table, true);
    });
    this.view.setInt32(table, table - vtable, true);
    this.view.setUint32(from, table - from, true);
    return places as Places<Sizes>;
  }

  /**
   * Writes the length of a vector and reserves its elements.
   *
   * @param size bytes of an element: 1, 4 or 8
   * @param from where the offset to the vector is stored
   * @returns the place of the first element, a multiple of its size
   */
  vector(count: number, size: number, from: number): number {
    const first = ceil(this.#at + 4, Math.max(4, size));
    this.#grow(ceil(first + count * size, 4));
    this.view.setUint32(first - 4, count, true);
    this.view.setUint32(from, first - 4 - from, true);
    return first;
  }

  /** Writes the text of a field; a lone surrogate becomes U+FFFD. */
  text(text: string, from: number): void {
    const bytes = UTF8.encode(text);
    // Zero-terminated; the length does not count the zero.
    const first = this.vector(bytes.length + 1, 1, from);
    this.view.setUint32(first - 4, bytes.length, true);
    this.#bytes.set(bytes, first);
  }

  /** Copies bytes to a place in a vector. */
  copy(bytes: Uint8Array, place: number): void {
    this.#bytes.set(bytes, place);
  }

  /** The size-prefixed buffer, a multiple of 8 bytes. Valid until the next root. */
  finish(): Uint8Array {
    this.#grow(ceil(this.#at, 8));
    this.view.setUint32(0, this.#at - 4, true);
    return this.#bytes.subarray(0, this.#at);
  }

  #grow(end: number): void {
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#at));
      this.#bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    this.#at = end;
  }
}

function ceil(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
