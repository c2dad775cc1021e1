import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

let words: ReadonlySet<string> | undefined;

/**
 * Whether a folded text is a common word of English, Spanish, German, French, Italian or Portuguese, of 4 letters or more,
 * and names no known place (data/common_words.json, made by scripts/make_common_words.ts).
 */
export function isCommonWord(folded: string): boolean {
  if (words === undefined) {
    const text = readFileSync(join(packageRoot(), 'data', 'common_words.json'), 'utf8');
    words = new Set((JSON.parse(text) as { readonly words: string }).words.split(';'));
  }
  return words.has(folded);
}
