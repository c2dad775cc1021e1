import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

const [TAB, LINE] = [9, 10];
/** Bits of the filter, a power of two: twenty for each name. */
const BITS = 1 << 21;

/** The bytes of data/division_names.tsv, made by scripts/make_division_names.ts: lines of a name and codes, sorted by bytes. */
let table: Buffer | undefined;
/** A bit for each hash of a name: most texts do not name a division, and are not looked for in the table. */
const filter = new Uint8Array(BITS / 8);

const START = 0x811c9dc5;
/** One step of a hash (FNV-1a). */
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const bitOf = (hash: number): number => (hash ^ (hash >>> 15)) & (BITS - 1);

function load(): Buffer {
  table = readFileSync(join(packageRoot(), 'data', 'division_names.tsv'));
  const text = table.toString();
  let hash = START;
  let isName = true;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === LINE) [hash, isName] = [START, true];
    else if (unit !== TAB) hash = isName ? hashed(hash, unit) : hash;
    else {
      const bit = bitOf(hash);
      filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
      isName = false;
    }
  }
  return table;
}

/**
 * Returns the ISO 3166-2 codes of the divisions, at most four, that a folded text names in another language or script than
 * those of data/place_names.json: IN-KA for "ಕರ್ನಾಟಕ". Empty for other texts. Source: CLDR.
 */
export function codesOfDivision(folded: string): readonly string[] {
  const bytes = table ?? load();
  let hash = START;
  for (let i = 0; i < folded.length; i++) hash = hashed(hash, folded.charCodeAt(i));
  const bit = bitOf(hash);
  return ((filter[bit >> 3] as number) & (1 << (bit & 7))) === 0 ? [] : codesIn(bytes, folded);
}

/** Returns the codes on the line of a folded name in a table like this one, by bisection; empty if it has none. */
export function codesIn(bytes: Buffer, folded: string): readonly string[] {
  const wanted = Buffer.from(`${folded}\t`);
  let [from, to] = [0, bytes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(LINE, middle - 1) + 1;
    const order = bytes.compare(wanted, 0, wanted.length, start, Math.min(start + wanted.length, bytes.length));
    const end = bytes.indexOf(LINE, start);
    if (order === 0) return bytes.toString('latin1', bytes.indexOf(TAB, start) + 1, end).split(' ');
    if (order < 0) from = end + 1;
    else to = start;
  }
  return [];
}
