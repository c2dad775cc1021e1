/** Signs that Windows-1252 has in place of the control characters of Latin-1, by their bytes. */
const WINDOWS = bytesOf(new TextDecoder('windows-1252'));
const MACINTOSH = bytesOf(new TextDecoder('macintosh'));
/** The upper half of code page 850, of DOS, which no decoder of the platform knows. */
const DOS_LETTERS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';
const DOS = new Map(Array.from(DOS_LETTERS, (letter, i) => [letter, 0x80 + i]));

/** The bytes of the upper half of an encoding by their letters. */
function bytesOf(decoder: InstanceType<typeof TextDecoder>): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: 0x80 }, (_, i) => [decoder.decode(Uint8Array.of(0x80 + i)), 0x80 + i]));
}

/** The bytes of a text in an encoding; null if it has letters that the encoding lacks. */
function encoded(text: string, letters: ReadonlyMap<string, number>, isLatin = false): Uint8Array | null {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const byte = code < 0x80 ? code : (letters.get(letter) ?? (isLatin ? code : 0x100));
    if (byte > 0xff) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** The bytes of a text that was read as Windows-1252, which programs fill up with Latin-1. */
const windowsBytes = (text: string): Uint8Array | null => encoded(text, WINDOWS, true);

/** Bytes as UTF-8; null if they are not. */
function utf8(bytes: Uint8Array | null): string | null {
  const text = bytes === null ? '\ufffd' : Buffer.from(bytes).toString();
  return text.includes('\ufffd') ? null : text;
}

/** Times that a text may have been read in a wrong encoding. */
const MOST_MISREAD = 3;
/** What the first bytes of letters in UTF-8 are in Mac OS Roman, from C2 to C6. */
const ON_MACINTOSH = /[¬√ƒ≈∆]/;

/**
 * A text that is UTF-8, read as Latin-1, Windows-1252 or Mac OS Roman, as it was before: "Ã©" and "√©" are "é". It may have
 * been read so again.
 */
function reread(text: string): string {
  let read = text;
  for (let times = 0; times < MOST_MISREAD; times++) {
    // The blank of two bytes at the end is what programs take away.
    const ofWindows = /[\u00c2-\u00f4]/.test(read)
      ? utf8(windowsBytes(/.[\u00c2\u00c3]$/.test(read) ? `${read}\u00a0` : read))
      : null;
    const before = ofWindows ?? (ON_MACINTOSH.test(read) ? utf8(encoded(read, MACINTOSH)) : null);
    if (before === null) break;
    read = before;
  }
  return read;
}

/** A letter with a mark as an entity of HTML: "&eacute;". */
const ENTITY = /&([a-z])(acute|grave|circ|uml|tilde|cedil|ring|caron);/gi;
const MARKS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303', cedil: '\u0327' },
  ...{ ring: '\u030a', caron: '\u030c' },
};
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', apos: "'", rsquo: '’', quot: '"', nbsp: ' ', szlig: 'ß', oslash: 'ø', aelig: 'æ', ndash: '-' },
};
/** Letters by their numbers, in HTML and in strings of programs. */
const NUMBERED = /&#(\d{1,6});|&#x([\da-f]{1,5});|\\u([\da-f]{4})/gi;
const MOST_CODE = 0x10ffff;
/** A mark of HTML, and a note in one. */
const NOTE_IN_MARKUP = /<sup>[^<]{0,20}<\/sup>/gi;
const MARKUP = /<\/?[a-z]{1,6}\s?\/?>/gi;

function withoutMarkup(text: string): string {
  return text
    .replaceAll(NOTE_IN_MARKUP, ' ')
    .replaceAll(MARKUP, ' ')
    .replaceAll(ENTITY, (_, letter: string, mark: string) => (letter + (MARKS[mark.toLowerCase()] ?? '')).normalize())
    .replaceAll(NUMBERED, (whole, decimal: string, hex: string, escaped: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? escaped, 16) : Number(decimal);
      return code > MOST_CODE || code === 0 ? whole : String.fromCodePoint(code);
    })
    .replaceAll(/&([a-z]{2,6});/gi, (whole, name: string) => NAMED[name.toLowerCase()] ?? whole);
}

/** A text of an address, "A%20Coru%C3%B1a", as it was before. */
function withoutPercents(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text.includes(' ') ? text : text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A text with letters that a program has written as entities, as numbers or as in an address, or misread, as they were. */
export function decoded(text: string): string {
  return reread(withoutPercents(withoutMarkup(text)));
}

/** What names consist of. */
const LETTERS_ONLY = /^[\p{L}\p{M}\p{N}\s'’.,()/-]+$/u;

/**
 * What a text with other letters than ASCII may have been before a program took it for one in another encoding, which only
 * a place of that name tells: "C¢rdoba" and "C¾rdoba" (DOS), "CÛrdoba" (Macintosh), and UTF-8 of which another program made
 * small letters. None for any other text.
 */
export function otherEncodings(text: string): string[] {
  if (!/[^\0-\x7f]/.test(text)) return [];
  const [windows, dos, macintosh] = [windowsBytes(text), encoded(text, DOS), encoded(text, MACINTOSH)];
  const lowered = utf8(windowsBytes(text.replaceAll('ã', 'Ã').replaceAll('â', 'Â')));
  const made = [
    windows &&
      Array.from(windows, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : DOS_LETTERS[byte - 0x80])).join(''),
    windows && new TextDecoder('macintosh').decode(windows),
    dos && Buffer.from(dos).toString('latin1'),
    macintosh && Buffer.from(macintosh).toString('latin1'),
    lowered,
  ];
  return [...new Set(made.flatMap((one) => (one === null || one === text || !LETTERS_ONLY.test(one) ? [] : [one])))];
}

/** A letter that a program had no sign for, beside another: "C?rdoba". */
const LOST = /(?<=[\p{L}?_\ufffd])[?_\ufffd]|[?_\ufffd](?=\p{L})/gu;
/** What it was, folded, the likeliest first; of words that are written together, nothing. */
const LETTERS = ['a', 'o', 'i', 'e', 'u', 'n', 'c', ''];
/** Letters of a name that may be lost: each multiplies the spellings that are looked up. */
const MOST_LOST = 2;

/** The names that a name with lost letters may have been, folded where they were; none for any other name. */
export function withLostLetters(name: string): string[] {
  const parts = name.split(LOST);
  if (parts.length < 2 || parts.length > MOST_LOST + 1) return [];
  const [first = '', ...rest] = parts;
  return rest.reduce((made, part) => made.flatMap((start) => LETTERS.map((letter) => start + letter + part)), [first]);
}
