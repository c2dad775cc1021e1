import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

const IDEOGRAPH = /\p{Script=Han}/gu;

let forms: ReadonlyMap<string, string> | undefined;

/** Reads data/ideographs.json, made by scripts/make_ideographs.ts: the folded form of each ideograph that has one. */
function load(): ReadonlyMap<string, string> {
  if (forms) return forms;
  const table = JSON.parse(readFileSync(join(packageRoot(), 'data', 'ideographs.json'), 'utf8')) as {
    readonly groups: readonly string[];
  };
  const groups = table.groups.flatMap((line) => line.split(' ').map((group) => [...group]));
  forms = new Map(groups.flatMap(([folded = '', ...others]) => others.map((other) => [other, folded] as const)));
  return forms;
}

/**
 * Replaces ideographs that people write for one another by one form, the simplified one of mainland China: traditional
 * and simplified Chinese (臺 and 台, 廣 and 广), variants of Taiwan and Hong Kong, and the simplified forms of Japan (広).
 * Folding is idempotent.
 */
export function foldIdeographs(text: string): string {
  return text.replace(IDEOGRAPH, (ideograph) => load().get(ideograph) ?? ideograph);
}
