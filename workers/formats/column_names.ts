const UTF8 = new TextEncoder();

/** Limits of the column names of a format. */
export interface NameRules {
  /** Maximum bytes of a name in UTF-8. */
  readonly maxBytes: number;
  /** Names that the format uses itself, in lower case. */
  readonly reserved: readonly string[];
}

/**
 * Column names for formats with limits: no control characters, none empty, cut between characters, and distinct
 * regardless of case. A name already taken gets the suffix _2, _3 …
 */
export function uniqueNames(names: readonly string[], { maxBytes, reserved }: NameRules): string[] {
  const taken = new Set(reserved);
  return names.map((name) => {
    const clean = name.replace(/\p{Cc}/gu, '_').trim() || 'column';
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : `_${n}`;
      const candidate = cutText(clean, maxBytes - suffix.length).trimEnd() + suffix;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

/** The longest prefix of a text with at most `maxBytes` bytes of UTF-8, cut between characters. */
export function cutText(text: string, maxBytes: number): string {
  // A UTF-16 code unit takes at most three bytes.
  if (3 * text.length <= maxBytes) return text;
  const { read } = UTF8.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
