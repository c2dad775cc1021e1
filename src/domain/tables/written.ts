/** A number in front of a name: that of a list ("12. Saarland", "3) Kerry"), or a code of digits ("01 Araba"). */
const NUMBER = /^\d{1,6}(?:[.)]\s?|\s?[-–:]\s?|\s)(?=\p{L})/u;
/** A mark of a note at the end of a name: "[1]", "(2)", "¹", "*", "†". */
const NOTE_MARK = /(?:\[[\da-z]{1,3}\]|\(\d{1,2}\)|[¹²³⁰⁴-⁹*†‡§])$/iu;

/** A letter with a mark as an entity of HTML: "&eacute;". */
const ENTITY = /&([a-z])(acute|grave|circ|uml|tilde|cedil|ring|caron);/gi;
const MARKS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303', cedil: '\u0327' },
  ...{ ring: '\u030a', caron: '\u030c' },
};

/** Signs that Windows-1252 has in place of the control characters of Latin-1, by their bytes. */
const WINDOWS = new Map(
  Array.from({ length: 32 }, (_, i) => [new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + i)), 0x80 + i]),
);

/** The bytes of a text in Windows-1252; null if it has other letters. */
function windowsBytes(text: string): Uint8Array | null {
  const bytes = Array.from(text, (letter) => WINDOWS.get(letter) ?? letter.codePointAt(0) ?? 0);
  return bytes.every((byte) => byte <= 0xff) ? Uint8Array.from(bytes) : null;
}

/** Times that a text may have been read in a wrong encoding. */
const MOST_MISREAD = 3;

/** A text that is UTF-8, read as Latin-1 or Windows-1252, as it was before: "Ã©" is "é". It may have been read so again. */
function reread(text: string): string {
  let read = text;
  for (let times = 0; times < MOST_MISREAD && /[\u00c2-\u00f4]/.test(read); times++) {
    // The blank of two bytes at the end is what programs take away.
    const bytes = windowsBytes(/.[\u00c2\u00c3]$/.test(read) ? `${read}\u00a0` : read);
    const before = bytes === null ? '\ufffd' : Buffer.from(bytes).toString();
    if (before.includes('\ufffd')) break;
    read = before;
  }
  return read;
}

/** A text with letters that a program has written as entities, or read in another encoding, as they were. */
function decoded(text: string): string {
  const letters = text
    .replaceAll(ENTITY, (_, letter: string, mark: string) => (letter + (MARKS[mark.toLowerCase()] ?? '')).normalize())
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return reread(letters);
}

/**
 * A name without the number in front of it and the marks of notes behind it, and with the letters that it had before a
 * program spoiled them, for tables that were copied.
 */
export function withoutNotes(name: string): string {
  let rest = decoded(name).trim().replace(NUMBER, '').trim();
  for (let mark = NOTE_MARK.exec(rest); mark !== null && mark.index > 0; mark = NOTE_MARK.exec(rest)) {
    rest = rest.slice(0, mark.index).trimEnd();
  }
  return rest;
}

/** A letter that a program had no sign for, beside another: "C?rdoba". */
const LOST = /(?<=\p{L})[?\ufffd]|[?\ufffd](?=\p{L})/gu;
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

/** Words that lists of countries abbreviate, in English, Spanish, French and German. */
const LONG: Readonly<Record<string, readonly string[]>> = {
  rep: ['republic', 'república', 'république', 'republik'],
  dem: ['democratic', 'democrática', 'démocratique', 'demokratische'],
  fed: ['federated', 'federal'],
  sts: ['states'],
  is: ['islands'],
  arab: ['arab', 'arabische', 'árabe'],
  pdr: ["People's Democratic Republic"],
  dpr: ["Democratic People's Republic"],
  rb: ['Bolivarian Republic of'],
  fyr: ['Former Yugoslav Republic of', 'the former Yugoslav Republic of'],
  sar: ['Special Administrative Region'],
  nct: ['National Capital Territory'],
  vr: ['Volksrepublik'],
};
/** Spellings of one name that are looked up. */
const MOST = 24;

/** A text with its abbreviated words written out, in one language at a time. */
function writtenOut(text: string): string[] {
  const texts = [0, 1, 2, 3].map((at) =>
    text.replaceAll(/(\p{L}+)\.?/gu, (word, letters: string) => {
      const long = LONG[letters.toLowerCase()];
      return long?.[Math.min(at, long.length - 1)] ?? word;
    }),
  );
  return [...new Set(texts)];
}

/** Links between a word for a kind and a name, and none. */
const JOINED = [' ', ' of ', ' of the ', ' de ', ' du '];
const AND = ['and', 'und', 'et', 'y', 'e', 'en', 'i', 'og', 'och'];

/** A name and what lists put behind it so that it sorts: "Coruña, A", "Korea, Rep.", "Micronesia (Fed. States of)". */
function behindIn(name: string): readonly [name: string, behind: string] | null {
  const [first = '', second, ...more] = name.split(/[,()]/);
  const isOne = name.includes(',') ? more.length === 0 : more.length === 1 && more[0]?.trim() === '';
  return second === undefined || !isOne || second.trim() === '' || first.trim() === ''
    ? null
    : [first.trim(), second.trim()];
}

/** The two names of one place: "Elche/Elx". */
function twoNamesIn(name: string): readonly [string, string] | null {
  const [one = '', other = '', ...more] = name.split('/').map((part) => part.trim());
  return more.length > 0 || one === '' || other === '' ? null : [one, other];
}

/**
 * Other spellings of a name as lists and tables have them, the likeliest first: what is behind a comma or in parentheses
 * in front, both names of a place in the other order, common abbreviations written out. They are looked up as whole
 * names: "Dallas, Texas" gives "Texas Dallas", which no place has. At most MOST.
 */
export function otherOrders(name: string): string[] {
  const spellings: string[] = [];
  const inverted = behindIn(name);
  if (inverted !== null) {
    const [first, behind] = inverted;
    // "L'" is put in front as it is; "Rep." needs a link.
    const links = /['’]$/.test(behind) ? [''] : JOINED;
    for (const text of writtenOut(behind)) {
      for (const link of links) spellings.push(`${text}${link}${first}`);
    }
  }
  const names = twoNamesIn(name);
  if (names !== null) spellings.push(`${names[1]}/${names[0]}`);
  spellings.push(...writtenOut(name).filter((text) => text !== name));
  if (name.includes('&')) spellings.push(...AND.map((word) => name.replaceAll('&', ` ${word} `)));
  return [...new Set(spellings)].slice(0, MOST);
}

/** First words of names that are written with a blank behind them and without: "De Witt", "LaSalle", "McLean". */
const PARTICLES = ['de', 'la', 'le', 'mc', 'mac', 'san', 'du', 'van', 'el'];
/** Letters of what follows them. */
const REST_FROM = 3;

/** A folded name with the blank behind its first word taken away, or put in, where people write it either way. */
export function otherBlanks(folded: string): readonly string[] {
  const space = folded.indexOf(' ');
  if (space > 0) return PARTICLES.includes(folded.slice(0, space)) ? [folded.replace(' ', '')] : [];
  return PARTICLES.filter((word) => folded.startsWith(word) && folded.length >= word.length + REST_FROM).map(
    (word) => `${word} ${folded.slice(word.length)}`,
  );
}
