/** Each row is an abbreviation and the words that it may be short for. */
const ROWS: readonly string[] = [
  'st, saint, sankt, san, sant',
  'ste, sainte',
  'sta, santa',
  'sto, santo',
  's, san, sao, south, saint',
  'pto, puerto, porto',
  'va, villa',
  'vva, villanueva',
  'vfca, villafranca',
  'mt, mount, mont, monte',
  'mtn, mountain',
  'ft, fort',
  'pt, point, port',
  'gde, grande',
  'gd, grand',
  'n, north, norte, nord, new',
  'e, east, est, este',
  'w, west',
  'o, oeste, ouest',
  'co, county',
  'twp, township',
  'vlg, village',
  'is, island, islands, islas, isla',
  'prov, province, provincia',
  'rep, republic',
  'hts, heights',
  'hgts, heights',
  'bch, beach',
  'spgs, springs',
  'spg, springs',
  'hls, hills',
  'pk, park',
  'vly, valley',
  'fls, falls',
  'crk, creek',
  'lk, lake',
  'rpds, rapids',
  'cty, city',
];

const OTHERS: ReadonlyMap<string, readonly string[]> = (() => {
  const others = new Map<string, string[]>();
  for (const row of ROWS) {
    const [short = '', ...long] = row.split(', ');
    others.set(short, [...(others.get(short) ?? []), ...long]);
    for (const word of long) others.set(word, [...(others.get(word) ?? []), short]);
  }
  return others;
})();

/** Maximum spellings of one text. */
const MOST = 8;

/**
 * Other spellings of a folded text, with one word abbreviated or written out: "st louis" gives "saint louis", "sankt
 * louis" and "san louis"; "saint louis" gives "st louis". At most eight, in a fixed order.
 */
export function otherSpellings(folded: string): string[] {
  const words = folded.split(' ');
  if (words.length < 2) return [];
  const spellings = new Set<string>();
  for (const [i, word] of words.entries()) {
    for (const other of OTHERS.get(word) ?? []) {
      spellings.add(words.with(i, other).join(' '));
      if (spellings.size === MOST) return [...spellings];
    }
  }
  return [...spellings];
}
