import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toPlan } from '../../src/domain/areas/algebra.ts';
import { findUnfaithful, wordsBeside } from '../../src/domain/areas/faithful.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { restrictionsIn } from '../../src/domain/areas/restricting.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { leading } from '../setup/elements.ts';

const KNOWN = new Set(
  ['Luxembourg', 'Andalucía', 'Sevilla', 'Bayern', 'Nigeria', 'Side', 'New York City'].map(foldName),
);
const lexicon = { has: (name: string) => KNOWN.has(name), relation: () => null };
const nothing = { has: () => false, relation: () => null };
const planOf = (...names: string[]) => ({
  steps: [
    ...names.map((name) => ({ op: 'place' as const, name })),
    { op: 'union' as const, of: names.map((_, i) => i) },
  ],
});
const westOf = (...names: string[]) => ({
  steps: [...planOf(...names).steps, { op: 'clip' as const, of: names.length, direction: 'west' as const }],
});

describe('a plan that drops a choice', () => {
  it.each([
    ['Luxembourg with more than 5 windmills', 'with more than'],
    ['Luxembourg, and only its leafy half', 'half'],
    ['the coast of Luxembourg', 'coast'],
    ['Luxembourg sin sus viñas', 'sin'],
    ['die 3 schönsten Orte in Luxembourg', '3'],
  ])('of "%s" is refused', (description, said) => {
    expect(findUnfaithful(planOf('Luxembourg'), description, lexicon)).toContain(`says "${said}`);
  });

  it.each([
    [['Side'], 'Hello, please send me a map of Side, thank you'],
    [['Luxembourg', 'Nigeria'], 'Luxembourg and Nigeria thank you'],
  ])('has to drop one: %j for "%s"', (names, description) => {
    expect(findUnfaithful(planOf(...names), description, lexicon)).toBeNull();
  });
});

describe('words beside the names and the grammar', () => {
  it.each([
    [['Luxembourg'], 'the wealthy rainy parts of Luxembourg', ['wealthy', 'rainy']],
    [['Luxembourg', 'Sevilla'], 'Please send us a map of Luxembourg and Sevilla. Thanks!', []],
    [['New York City'], 'all of New York City', []],
  ])('%j of "%s" are %j', (names, description, beside) => {
    expect(wordsBeside(planOf(...names), description, lexicon)).toEqual(beside);
  });
});

describe('a plan with a distance', () => {
  const nearOf = (km: number) => ({
    steps: [
      { op: 'place' as const, name: 'Sevilla' },
      { op: 'around' as const, from: 0, km, level: 'municipality' as const },
    ],
  });
  it.each(['the towns close to Sevilla', 'los pueblos de alrededor de Sevilla'])(
    'invents it in "%s"',
    (description) => {
      expect(findUnfaithful(nearOf(20), description, lexicon)).toContain('has no number');
    },
  );

  it.each(['20 km around Sevilla, villages only', 'zwanzig km weit um Sevilla', 'entro 20 km da Sevilla'])(
    'takes it from "%s"',
    (description) => {
      expect(findUnfaithful(nearOf(20), description, lexicon)).toBeNull();
    },
  );
});

describe('a plan that drops or adds a place', () => {
  it.each([
    [['Luxembourg'], 'Luxembourg without Atlantis', 'names "Atlantis"'],
    [['Luxembourg'], 'luxembourg without atlantis', 'names "atlantis"'],
    [['Luxembourg'], 'Luxembourg senza Atlantide', 'names "Atlantide"'],
    [['Luxembourg'], 'Show me Luxembourg plus the Republic of Atlantis', 'names'],
    [['Bayern'], 'der linke Teil Bayerns ohne Atlantis', 'names "Atlantis"'],
    [['Luxembourg'], 'Luxembourg, but not sevilla', 'names "sevilla"'],
    [['Luxembourg', 'Sevilla'], 'Luxembourg, left side', '"Sevilla" is not'],
    [['Niger'], 'the left of Nigeria', '"Niger" is not'],
    [['Luxembourg'], 'ルクセンブルク', '"Luxembourg" is not'],
    [['France'], 'the zorgly lands', '"France" is not'],
    [['and'], 'the zorgly lands and the lake', '"and" is not'],
    [['in'], 'the zorgly lands in the west', '"in" is not'],
  ])('%j for "%s" is refused', (names, description, reason) => {
    expect(findUnfaithful(planOf(...names), description, lexicon)).toContain(reason);
  });

  it.each([
    [['Luxembourg'], 'Luxembourg, left side'],
    [['Luxembourg'], 'Please draw the left part of Luxembourg. Thanks!'],
    [['Bayern'], 'die linke Seite Bayerns'],
    [['Spain', 'Frankreich'], 'Spanish provinces on the French border, left side'],
    [['California'], 'Californian counties on the left'],
    [['Andalucía', 'Sevilla'], 'andalucia senza sevilla'],
    [['スペイン'], 'スペインの左側'],
    [['New York City'], "New York City's left half"],
  ])('%j for "%s" is not', (names, description) => {
    expect(findUnfaithful(westOf(...names), description, lexicon)).toBeNull();
  });

  it('is never what the grammar makes of a description itself', async () => {
    let tried = 0;
    for (const file of ['descriptions', 'second', 'third']) {
      const rows = readFileSync(new URL(`${file}.tsv`, import.meta.url), 'utf8')
        .trim()
        .split('\n')
        .slice(1);
      for (const row of rows) {
        const [, , description] = leading(row.split('\t'), 3);
        let plan: ReturnType<typeof toPlan>;
        try {
          plan = toPlan((await parseDescription(description, nothing)).expression);
        } catch {
          continue;
        }
        // The largest country is one of the world.
        if (plan.steps.some((step) => step.op === 'group' && step.name === 'World')) continue;
        // Where no name is known, one may have words that choose in it, and be longer than a name can be.
        if (plan.steps.some((step) => step.op === 'place' && restrictionsIn(step.name ?? '', false).length > 0))
          continue;
        // An adjective is a country by its code, which the plan of a model cannot have.
        if (plan.steps.some((step) => step.op === 'place' && step.id !== undefined)) continue;
        tried++;
        expect(findUnfaithful(plan, description, nothing), description).toBeNull();
      }
    }
    expect(tried).toBeGreaterThan(300);
  });
});
