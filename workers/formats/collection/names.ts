const UTF8 = new TextEncoder();

/** What `uniqueNames` holds to. */
export interface NameRules {
  /** Bytes of UTF-8 that a name may have. */
  readonly maxBytes: number;
  /** Names that are taken, in lower case. */
  readonly reserved?: readonly string[];
}

/**
 * Names of columns for formats that have limits: without control characters, none empty, cut between characters, and
 * different from each other whatever their case. A name that is taken ends in _2, _3 …
 */
export function uniqueNames(names: readonly string[], { maxBytes, reserved = [] }: NameRules): string[] {
  const taken = new Set(reserved);
  return names.map((name) => {
    const clean = name.replace(/\p{Cc}/gu, '_').trim() || 'column';
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : `_${n}`;
      const candidate = cutText(clean, maxBytes - suffix.length) + suffix;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

/** The start of a text that has at most this many bytes of UTF-8, cut between characters. */
export function cutText(text: string, maxBytes: number): string {
  // No character of UTF-16 is more than three bytes.
  if (3 * text.length <= maxBytes) return text;
  const { read } = UTF8.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
