/** A seed derived from several values (FNV-1a of their text). */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' ')) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 0x01000193);
  return hash | 0;
}
