const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const table = (entries: readonly (readonly [byte: number, value: number])[]): Int8Array => {
  const values = new Int8Array(256);
  for (const [byte, value] of entries) values[byte] = value;
  return values;
};
/** By byte outside texts: the values, members and levels that it adds. */
const VALUES = table([COMMA, OPEN_LIST, OPEN_OBJECT].map((byte) => [byte, 1]));
const MEMBERS = table([[COLON, 1]]);
const LEVELS = table([
  [OPEN_LIST, 1],
  [OPEN_OBJECT, 1],
  [CLOSE_LIST, -1],
  [CLOSE_OBJECT, -1],
]);
/** By byte: 1 for those that have a meaning somewhere in a JSON text. */
const COUNTS = table(
  [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT].map((byte) => [byte, 1]),
);

/** What a JSON text may hold. */
export interface JsonBounds {
  /** Values, object members and list elements together. */
  readonly values: number;
  /** Object members. */
  readonly members: number;
  /** Lists and objects nested in each other. */
  readonly levels: number;
}

/**
 * Counts the values of a JSON text as its bytes arrive, so that a text with too many is refused before it is parsed.
 * The counts of valid JSON are upper bounds, by one for each list and object.
 */
export class JsonCounter {
  private readonly bounds: JsonBounds;
  private values = 0;
  private members = 0;
  private level = 0;
  private inText = false;
  private escaped = false;

  constructor(bounds: JsonBounds) {
    this.bounds = bounds;
  }

  /** Counts the next bytes of the text. Returns the bound that it exceeds, or null. */
  add(bytes: Uint8Array): keyof JsonBounds | null {
    let { values, members, level, inText } = this;
    let i = this.escaped ? 1 : 0;
    for (; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      // Most bytes are those of names and numbers, which are of no concern.
      if (COUNTS[byte] !== 0) {
        if (byte === QUOTE) inText = !inText;
        else if (inText) i += byte === BACKSLASH ? 1 : 0;
        else {
          values += VALUES[byte] as number;
          members += MEMBERS[byte] as number;
          level += LEVELS[byte] as number;
          if (level > this.bounds.levels) return 'levels';
        }
      }
    }
    // A backslash at the end escapes the first byte of the next part.
    this.escaped = i > bytes.length;
    Object.assign(this, { values, members, level, inText });
    if (members > this.bounds.members) return 'members';
    return values > this.bounds.values ? 'values' : null;
  }
}
