/** The scripts of India, from Devanagari to Malayalam: blocks of 128 letters, each in the same order. */
const [FIRST, LAST, BLOCK] = [0x0900, 0x0d7f, 0x80];

/** Letters of such a block that spellings of a name from another language take for each other. */
const ALIKE: readonly (readonly number[])[] = [
  // Tongue bent back, and at the teeth: of ta, tha, da, dha and na, of which Tamil has a third, and of ra and la.
  ...[0x1f, 0x20, 0x21, 0x22].map((letter) => [letter, letter + 5]),
  [0x23, 0x28, 0x29],
  [0x30, 0x31],
  [0x32, 0x33, 0x34],
  // The three letters of s.
  [0x36, 0x37, 0x38],
  // Short and long i and u, alone and behind a consonant.
  ...[0x07, 0x09, 0x3f, 0x41].map((letter) => [letter, letter + 1]),
];

/**
 * Returns the other spellings of a folded text in a script of India that differ in one letter of a like sound: "গুজরাত" of
 * "গুজরাট". Empty for other texts.
 */
export function indicSpellings(folded: string): string[] {
  return [...folded].flatMap((letter, at, letters) => {
    const unit = letter.charCodeAt(0);
    if (unit < FIRST || unit > LAST) return [];
    const place = unit % BLOCK;
    const others = ALIKE.find((alike) => alike.includes(place))?.filter((other) => other !== place) ?? [];
    return others.map((other) => letters.with(at, String.fromCharCode(unit - place + other)).join(''));
  });
}
