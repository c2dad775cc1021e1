/** A typed array in shared memory. */
export function shared<T>(type: new (buffer: SharedArrayBuffer) => T, length: number): T {
  const { BYTES_PER_ELEMENT } = type as unknown as { readonly BYTES_PER_ELEMENT: number };
  return new type(new SharedArrayBuffer(BYTES_PER_ELEMENT * length));
}
