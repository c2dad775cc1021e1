import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import { spellingsIn } from '../../src/domain/read_model/spellings.ts';
import { Texts } from '../../src/domain/read_model/texts.ts';
import { allowedEdits, isShortWord, lettersOf, oneEditAway, similarityGrader } from '../../src/domain/search/typos.ts';

/** Optimal string alignment, every distance of it: from all of `a` to each start of `b`. */
function distances(a: readonly string[], b: readonly string[]): number[] {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => defined(defined(rows[i])[j]);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(at(i - 1, j) + 1, defined(row[j - 1]) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(defined(row[j]), at(i - 2, j - 2) + 1);
      }
    }
    rows.push(row);
  }
  return defined(rows[a.length]);
}

/** What similarityGrader() gives, by its words and without any bounds. */
function plainly(query: string, name: string, later: boolean, allowed: number): number | null {
  const [wanted, words] = [query.split(' '), name.split(' ')];
  const typos = (text: string) => defined(distances([...query], [...text])[[...text].length]);
  if (wanted.length > 1 && wanted.every((word) => words.some((other) => other.startsWith(word)))) return 5.5;
  // A blank too many or too few is one typo, and then no other.
  const isBlank = typos(name) > 1 && wanted.length !== words.length;
  // One word is two typos from a name of eight letters with the same first one, and from no word of a name.
  const isOther = typos(name) > 1 && wanted.length === 1 && ([...name].length < 8 || [...query][0] !== [...name][0]);
  // No word of several with fewer than four letters has two typos.
  const isOdd = (others: readonly string[]): boolean =>
    wanted.length > 1 &&
    wanted.length === others.length &&
    wanted.some((one, i) => {
      const [typed, other] = [[...one], [...defined(others[i])]];
      return Math.min(typed.length, other.length) < 4 && defined(distances(typed, other)[other.length]) > 1;
    });
  const isWhole = typos(name) <= allowed && !isBlank && !isOther && !(typos(name) > 1 && isOdd(words));
  if (isWhole) {
    const same = [...query].sort().join() === [...name].sort().join();
    const replaced = [...query].length === [...name].length && !same ? 0.05 : 0;
    // A letter too many that is none of its neighbors.
    const at = [...query].findIndex((letter, i) => letter !== [...name][i]);
    const isAdded = ![[...query][at - 1], [...query][at + 1]].includes([...query][at]);
    const added = [...query].length > [...name].length && isAdded ? 0.03 : 0;
    return (later ? 7 : 6) + typos(name) / 10 + (replaced + added + ([...query][0] === [...name][0] ? 0 : 0.02));
  }
  const runs = words.flatMap((_, i) => (i + wanted.length > words.length ? [] : [words.slice(i, i + wanted.length)]));
  const inside = Math.min(...runs.map((run) => (typos(run.join(' ')) > 1 && isOdd(run) ? 9 : typos(run.join(' ')))));
  if (inside <= (wanted.length === 1 ? Math.min(allowed, 1) : allowed)) return 7 + inside / 10;
  // The beginning of a name is that of several words.
  const start = Math.min(...distances([...query], [...name].slice(0, [...query].length + 1)));
  return wanted.length > 1 && [...query].length >= 7 && start <= 1 ? 8 + start / 10 : null;
}

describe('The typos that a query may have', () => {
  it.each([
    ['lux', 0],
    ['roma', 1],
    ['sevilla', 1],
    ['sevillas', 2],
    ['東京', 0],
    ['東京都', 1],
    ['𠮷𠮷𠮷', 1],
    ['a'.repeat(48), 2],
    ['a'.repeat(49), 0],
  ])('of %s are %i', (query, most) => {
    expect(allowedEdits(query)).toBe(most);
  });
});

describe('Resemblance of names', () => {
  const next = seeded(20_261_123);
  const pick = <T>(list: ArrayLike<T>): T => defined(list[Math.floor(next() * list.length)]);
  const LETTERS = ['a', 'b', 'c', 'ł', '京', '𠮷'];
  const word = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(LETTERS)).join('');
  const text = () => Array.from({ length: 1 + Math.floor(next() * 4) }, () => word(6)).join(' ');

  /** Some letters lost, doubled, swapped or replaced. */
  function misspelled(name: string): string {
    const letters = [...name];
    for (let typos = Math.floor(next() * 4); typos > 0; typos--) {
      const at = Math.floor(next() * letters.length);
      const letter = letters[at] ?? '';
      const instead = pick([[], [letter, letter], [letters[at + 1] ?? 'a', letter], [pick(LETTERS)]]);
      letters.splice(at, instead.length === 2 ? 2 : 1, ...instead);
    }
    return letters.join('').replace(/ +/g, ' ').trim();
  }

  it('is what all distances give', () => {
    const steps = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const name = text();
      const from = next() < 0.5 ? 0 : name.indexOf(' ') + 1;
      const part = [...name.slice(from)].slice(0, 3 + Math.floor(next() * 45));
      const query = misspelled(part.join('').trim());
      if (query === '') continue;
      const [later, allowed] = [next() < 0.3, 1 + Math.floor(next() * 2)];
      const letters = lettersOf(`${name} beyond`);
      const step = similarityGrader(query, allowed)(letters, lettersOf(name).length, later);
      expect(step, `${query} | ${name} | ${later} | ${allowed}`).toBe(plainly(query, name, later, allowed));
      const sort = step === null ? 'none' : String(Math.floor(step));
      steps.set(sort, (steps.get(sort) ?? 0) + 1);
    }
    for (const sort of ['none', '5', '6', '7', '8']) expect(steps.get(sort), sort).toBeGreaterThan(100);
  });

  it.each([
    ['westeros', 'western district', null],
    ['westeros', 'western', null],
    ['latveria', 'latvia', null],
    ['lummerland', 'cumberland', null],
    ['vallladoldi', 'valladolid', 6.2],
    ['massachusets', 'massachusetts', 6.1],
    ['southeros', 'french southern territories', null],
    ['san fransicso', 'san francisco', 6.25],
    ['ana costa', 'la costa', null],
    ['arcahon', 'archon', 6.13],
    ['arcahon', 'arcachon', 6.1],
  ])('of %s and %s is %s', (query, name, step) => {
    expect(similarityGrader(query, 2)(lettersOf(name), name.length, false)).toBe(step);
  });

  it('reads texts of any letters, and finds those that begin with others, one after another', () => {
    const byPoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const list = Array.from({ length: 3_000 }, text).sort(byPoints);
    const texts = new Texts(list.length, 200_000);
    for (const one of list) expect(texts.push(one)).toBe(true);
    const into = new Uint32Array(texts.longest);
    list.forEach((one, i) => {
      expect([...into.subarray(0, texts.read(i, into))]).toEqual([...lettersOf(one)]);
    });
    const beginning = texts.starts();
    let found = 0;
    for (let i = 0; i < 3_000; i++) {
      const prefix = next() < 0.7 ? [...misspelled(pick(list))].slice(0, 1 + Math.floor(next() * 5)).join('') : word(3);
      const [first, beyond] = beginning(prefix);
      const wanted = list.filter((one) => one.startsWith(prefix));
      expect(list.slice(first, beyond), prefix).toEqual(wanted);

      found += Number(wanted.length > 0);
    }
    expect(found).toBeGreaterThan(1_000);
  });

  it('finds in sorted texts the spellings of a word that some text begins with', () => {
    const expectSame = (begun: readonly string[], word: string) => {
      const list = [...new Set(begun)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const texts = new Texts(list.length + 1, 1_000);
      for (const one of list) expect(texts.push(one)).toBe(true);
      const wanted = oneEditAway(word).filter((spelling) => list.some((one) => one.startsWith(spelling)));
      expect(spellingsIn(texts, word).sort(), `${word} in ${list.join()}`).toEqual(wanted.sort());
      return wanted.length;
    };
    const begun = 'sevi,sevil,sevilla,sev illa,sant,santa cruz,ávila,avila,avil\u{10ffff},leon,san,st anta'.split(',');
    const words = 'sevlla,avill,sevi,seviila,snta,aavi,leoon,santac,lean,sxvi,ssevill,santa'.split(',');
    for (const word of words) expect(isShortWord(word), word).toBe(true);
    expect(words.filter((word) => expectSame(begun, word) > 0).length).toBeGreaterThan(8);
    expect(expectSame([], 'sevilla')).toBe(0);
    const text = fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'b', ' ', 'é'), minLength: 3, maxLength: 9 });
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 7 });
    let found = 0;
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), word, (list, one) => {
        found += expectSame(list, one);
      }),
      { numRuns: 1_000 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
