import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

const [TAB, LINE] = [9, 10];

/** The bytes of data/division_names.tsv, made by scripts/make_division_names.ts: lines of a name and codes, sorted by bytes. */
let table: Buffer | undefined;

/**
 * Returns the ISO 3166-2 codes of the divisions, at most four, that a folded text names in another language or script than
 * those of data/place_names.json: IN-KA for "ಕರ್ನಾಟಕ". Empty for other texts. Source: CLDR.
 */
export function codesOfDivision(folded: string): readonly string[] {
  table ??= readFileSync(join(packageRoot(), 'data', 'division_names.tsv'));
  const wanted = Buffer.from(`${folded}\t`);
  let [from, to] = [0, table.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const start = middle === 0 ? 0 : table.lastIndexOf(LINE, middle - 1) + 1;
    const order = table.compare(wanted, 0, wanted.length, start, Math.min(start + wanted.length, table.length));
    const end = table.indexOf(LINE, start);
    if (order === 0) return table.toString('latin1', table.indexOf(TAB, start) + 1, end).split(' ');
    if (order < 0) from = end + 1;
    else to = start;
  }
  return [];
}
