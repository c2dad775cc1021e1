import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Spellings and words that read as translated, with what to write; the list may grow. */
const WORDS: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\b[Oo]rganisation/g, 'organization'],
  [/(?<![A-Za-z])[Cc]olour/g, 'color'],
  [/\b[Nn]eighbour(?!hood)/g, 'neighbor'],
  [/\b[Bb]ehaviour/g, 'behavior'],
  // In quotes it is the unit of a reference system.
  [/(?<!")\b(kilo|centi)?metres?\b/g, 'meter'],
  [/\b[Aa]uthoris(e|ation|ing)/g, 'authorize'],
  [/\b[Nn]ormalis/g, 'normalize'],
  [/\b[Rr]ecognis/g, 'recognize'],
  [/\b[Nn]obody\b/g, 'no one'],
  [/\b[Ss]omebody\b/g, 'someone'],
  [/(?<![\w.])anew\b/g, 'again'],
  [/\b[Mm]end(ed|s|ing)?\b/g, 'repair'],
  [/(?<![Tt]here )\b(is|are) no (?!longer\b|farther\b|later\b|larger\b|more than\b|one\b)\S+/g, 'is not a'],
  [/\btold\b(?! apart)/g, 'notified, reported'],
  [/\b(bury|buried|epitaph)\b/g, 'tombstone'],
  [/\b[Hh]alt(s|ed|ing)?\b/g, 'cancel, kill'],
  [/\bwish(es)?\b/g, 'flags, options'],
  [/\bcentres?\b/g, 'center'],
  [/\bhalf of the calls\b/g, 'p50'],
  [/\b19 of 20\b/g, 'p95'],
];

/** Where people read: code, tests, statements, documentation. Migrations are not edited after they landed. */
const FILES = ['src', 'workers', 'web/src', 'test', 'scripts', 'benchmarks', 'sql/queries', 'docs', 'deploy']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .concat(readdirSync('.'))
  // What people may write to us is spelled in every way, and pages have other languages.
  .filter(
    (path) =>
      /\.(tsx?|sql|md)$/.test(path) &&
      !/^(src\/domain\/areas\/vocabulary\/|(web\/src|src\/common)\/(texts|shared_texts)\/(?!en)|test\/rules\/words)/.test(
        path,
      ),
  );

it('words are spelled the American way, and the plain ones are used', () => {
  expect(FILES.length).toBeGreaterThan(300);
  const found = FILES.flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    return WORDS.flatMap(([wrong, right]) =>
      lines.flatMap((line, i) => [...line.matchAll(wrong)].map(([word]) => `${path}:${i + 1} ${word}: ${right}`)),
    );
  });
  expect(found).toEqual([]);
});
