import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Names of files in comments that are not in the repository, with what they are. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'admin_levels_libpostal.json': 'the argument of a script',
  'counties-10m.json': 'in the package us-atlas',
  'credentials.json': 'of the person who runs the command line',
  'lz4_Block_format.md': 'the specification of LZ4',
  'openapi.json': 'an answer of the server',
  'openapi-rpc.json': 'an answer of the server',
  'spec.md': 'the specification of PMTiles',
  '900001_good.sql': 'written by the test',
};

const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$|^\s*--.*$/gm;
const FILE = /(?<![\w./@*<>{}$'`-])(?:\.{0,2}\/)?(?:[\w.-]+\/)*[\w-]+\.(?:ts|md|sql|json|tsv)\b(?![\w*/'])/g;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
/** Every file by its path, and by each shorter end of it: `store/write.ts` for `src/sources/store/write.ts`. */
const known = new Set(files.flatMap((path) => path.split('/').map((_, i, parts) => parts.slice(i).join('/'))));

it('comments name files that exist, and no section of a document that readers do not have', () => {
  let read = 0;
  const found = files
    .filter((path) => /\.(ts|sql)$/.test(path) && !path.startsWith('sql/migrations/'))
    .flatMap((path) => {
      const comments = [...readFileSync(path, 'utf8').matchAll(COMMENT)].map(([text]) => text);
      return comments.flatMap((comment) => {
        const names = comment.match(FILE) ?? [];
        read += names.length;
        const unknown = names.filter(
          (name) => !known.has(name) && !known.has(join(dirname(path), name)) && !ELSEWHERE[basename(name)],
        );
        return [...unknown, ...(comment.match(/\bspec section \d/g) ?? [])].map((name) => `${path}: ${name}`);
      });
    });
  expect(read).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
