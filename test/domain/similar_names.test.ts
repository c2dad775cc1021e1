import { expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import { mostAlike } from '../../src/domain/read_model/most_alike.ts';
import { indexTrigrams, trigramsOf } from '../../src/domain/read_model/trigrams.ts';
import { allowedEdits, leastShareOf, lettersOf, similarityGrader } from '../../src/domain/search/typos.ts';

const next = seeded(20_261_127);
const below = (count: number): number => Math.floor(next() * count);
const pick = <T>(list: ArrayLike<T>): T => defined(list[below(list.length)]);

it('the most alike of many rows are those of a full comparison, of which few are needed', () => {
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: below(300) }, (_, i) => i);
    const bounds = rows.map(() => Math.fround(below(6) / 5));
    const likenesses = bounds.map((bound) => Math.fround(next() < 0.5 ? bound : bound * next()));
    const weights = rows.map(() => below(4));
    const compare = (a: number, b: number): number => defined(weights[b]) - defined(weights[a]) || a - b;
    const likenessOf = (i: number): number => defined(likenesses[i]);
    const all = rows.toSorted((a, b) => likenessOf(b) - likenessOf(a) || compare(a, b));
    const first = mostAlike(rows, bounds, 20, { likenessOf, compare });
    expect(first.map(({ i }) => i)).toEqual(all.slice(0, 20));
  }
  // Thousands of names that have all trigrams of a query: "saint".
  let compared = 0;
  const rows = Array.from({ length: 20_000 }, (_, i) => i);
  const likenessOf = (): number => {
    compared++;
    return 1;
  };
  mostAlike(rows, new Array(20_000).fill(1), 200, { likenessOf, compare: (a, b) => a - b });
  expect(compared).toBe(200);
});

it('texts that share few trigrams are left out when they are too many, and those that do not fit', async () => {
  const words = ['inn', 'ind', 'insel', 'nim', 'nemours', 'nm', 'in'];
  const texts = Array.from({ length: 3_000 }, () => `${pick(words)} ${pick(words)}`);
  const index = await indexTrigrams(texts.length, (i) => defined(texts[i]));
  const query = trigramsOf('nm in');
  const having = (most: number, fits = (_: number) => true) => index.having(query, { least: 0.3, most, fits });
  const all = having(3_000);
  expect(all.rows.length).toBeGreaterThan(1_500);
  const most = having(500);
  expect(most.rows.length).toBeLessThanOrEqual(500);
  expect(most.rows.length).toBeGreaterThan(50);
  const least = Math.min(...most.parts);
  expect(most.rows).toEqual(all.rows.filter((_, k) => defined(all.parts[k]) >= least));
  // Those with all trigrams are not left out.
  expect(new Set(having(1).parts)).toEqual(new Set([1]));
  const even = having(3_000, (i) => i % 2 === 0);
  expect(even.rows).toEqual(all.rows.filter((i) => i % 2 === 0));
});

it('where the lists of a query are long, texts with most of its trigrams are found still, and others are not', async () => {
  const texts = Array.from({ length: 60_000 }, (_, i) => (i < 10 ? 'bab bexim' : 'bab'));
  const index = await indexTrigrams(texts.length, (i) => defined(texts[i]));
  // Four of nine trigrams are those of "bab" alone.
  const query = trigramsOf('bab berim');
  const { rows } = index.having(query, { least: 0.4, most: 100_000, fits: () => true });
  expect(rows).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a name with a typo has the least share of the trigrams of a query', () => {
  const word = (): string => Array.from({ length: 1 + below(7) }, () => pick('abcdeilnorst')).join('');
  let [graded, bounded] = [0, 0];
  for (let round = 0; round < 20_000; round++) {
    const name = Array.from({ length: 1 + below(4) }, word).join(' ');
    const letters = [...name];
    for (let typos = below(3); typos > 0; typos--) {
      const [at, letter] = [below(letters.length), pick('abcdeilnorst')];
      const here = letters[at] ?? '';
      letters.splice(
        at,
        2,
        ...pick([
          [letters[at + 1] ?? '', here],
          [here],
          [letter, letters[at + 1] ?? ''],
          [here, here, letters[at + 1] ?? ''],
        ]),
      );
    }
    const q = letters.join('').replace(/ +/g, ' ').trim();
    if (q === '' || allowedEdits(q) === 0) continue;
    const step = similarityGrader(q, allowedEdits(q))(lettersOf(name), name.length, false);
    if (step === null) continue;
    graded++;
    const wanted = new Set(trigramsOf(q));
    const has = new Set(trigramsOf(name));
    const share = [...wanted].filter((code) => has.has(code)).length / wanted.size;
    const least = leastShareOf(q, q);
    if (least > 0) bounded++;
    expect(share + 1e-9, `${q} | ${name}`).toBeGreaterThanOrEqual(least);
  }
  expect(graded).toBeGreaterThan(3_000);
  expect(bounded).toBeGreaterThan(1_000);
  // Letters that are written with several.
  expect(leastShareOf('москва', '9m39nu9n')).toBe(0);
});
