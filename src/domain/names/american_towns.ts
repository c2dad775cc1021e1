import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { codesIn } from './division_names.ts';
import { otherCodesOf } from './place_names.ts';

/** The bytes of data/american_towns.tsv, made by scripts/make_american_towns.ts: lines of a name and codes, sorted by bytes. */
let table: Buffer | undefined;

/** The codes of the counties (FIPS), at most one for each town, that the towns of a folded name are in, in all states. */
export function countiesOfTown(folded: string): readonly string[] {
  table ??= readFileSync(join(packageRoot(), 'data', 'american_towns.tsv'));
  return codesIn(table, folded);
}

/** The number of a state of the United States (FIPS) by its ISO 3166-2 code, "39" for US-OH; null for other codes. */
export function numberOfState(code: string): string | null {
  const [number] = code.startsWith('US-') ? otherCodesOf(code) : [];
  return number?.replace(/^US/, '') ?? null;
}
