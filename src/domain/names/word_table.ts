import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

/**
 * Creates a function that says whether a folded text is in a committed table of words, which is read at the first call.
 * @param file in the folder data: an object
 * @param key its property with the words, folded, with semicolons between them
 */
export function wordTable(file: string, key: string): (folded: string) => boolean {
  let words: ReadonlySet<string> | undefined;
  return (folded) => {
    if (words === undefined) {
      const table = JSON.parse(readFileSync(join(packageRoot(), 'data', file), 'utf8')) as Record<string, string>;
      words = new Set((table[key] ?? '').split(';'));
    }
    return words.has(folded);
  };
}
