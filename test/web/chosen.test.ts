import { describe, expect, test } from 'vitest';
import {
  codesIn,
  fragmentOf,
  hasLevel,
  isPart,
  isSelected,
  NOTHING,
  readSelection,
  type Selectable,
  type Selection,
  toggled,
  withIds,
  withLevel,
  withoutLevel,
} from '../../web/src/select/chosen.ts';

/** A country of three regions of four towns: r1; r11 … r13; r111 … r134. */
const WORLD: readonly Selectable[] = [
  { id: 'r1', level: 2, path: ['world'] },
  ...[1, 2, 3].flatMap((x): Selectable[] => [
    { id: `r1${x}`, level: 4, path: ['world', 'r1'] },
    ...[1, 2, 3, 4].map((y) => ({ id: `r1${x}${y}`, level: 8, path: ['world', 'r1', `r1${x}`] })),
  ]),
];
const KNOWN = new Map(WORLD.map((one) => [one.id, one]));
const known = (id: string): Selectable => KNOWN.get(id) as Selectable;
const membersOf = (of: string, level: number): string[] =>
  WORLD.filter((one) => one.level === level && one.path.includes(of)).map(({ id }) => id);

/** What a file of it has. */
function inFile({ ids, levels }: Selection): string[] {
  const all = new Set(ids);
  for (const { of, level, without } of levels)
    for (const id of membersOf(of, level)) if (!without.includes(id)) all.add(id);
  return [...all].sort();
}
const shown = (selection: Selection): string[] =>
  WORLD.filter((one) => isSelected(selection, one))
    .map(({ id }) => id)
    .sort();

const toggledLevel = (selection: Selection, of: string, level: number): Selection => {
  const row = { of: known(of), level };
  if (!hasLevel(selection, row)) return withLevel(selection, row, KNOWN);
  return withoutLevel(selection, row, isPart(selection, row) ? membersOf(of, level) : []);
};

describe('a selection', () => {
  test('of a level in a region and then in its country: one that is unchecked is in no file', () => {
    const link = readSelection('select=r11*8,r1*8,r111');
    const out = toggled(link, known('r111'));
    expect(isSelected(out, known('r111'))).toBe(false);
    expect(inFile(out)).not.toContain('r111');
    expect(inFile(out).length).toBe(11);
    expect(inFile(toggled(out, known('r111')))).toContain('r111');
  });

  test('of a level replaces what is known to be part of it', () => {
    const parts = readSelection('select=r111,r12,r11*8!r112,r11*4,r99');
    const whole = toggledLevel(parts, 'r1', 8);
    expect(whole).toEqual(readSelection('select=r12,r99,r11*4,r1*8'));
  });

  test('a level within one that is selected is shown as it is, and can be taken out of it', () => {
    const country = toggledLevel(NOTHING, 'r1', 8);
    expect(hasLevel(country, { of: known('r12'), level: 8 })).toBe(true);
    const out = toggledLevel(country, 'r12', 8);
    expect(hasLevel(out, { of: known('r12'), level: 8 })).toBe(false);
    expect(inFile(out)).toEqual([...membersOf('r11', 8), ...membersOf('r13', 8)]);
  });

  test('shows what its file has, whatever is checked and unchecked', () => {
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    for (let round = 0; round < 60; round++) {
      let selection: Selection = NOTHING;
      for (let step = 0; step < 25; step++) {
        const one = WORLD[random(WORLD.length)] as Selectable;
        const before = isSelected(selection, one);
        const level = [4, 8][random(2)] as number;
        if (random(3) > 0) {
          selection = toggled(selection, one);
          expect(isSelected(selection, one)).toBe(!before);
        } else if (one.level !== 8 && level > (one.level as number)) {
          const row = { of: one, level };
          const had = hasLevel(selection, row);
          selection = toggledLevel(selection, one.id, level);
          expect(hasLevel(selection, row)).toBe(!had);
        }
        expect(shown(selection)).toEqual(inFile(selection));
        expect(readSelection(fragmentOf(selection).slice(1))).toEqual(selection);
      }
    }
  });

  test('by codes is that of their ids', () => {
    const selection = readSelection('select=iso:ES-SE,r2,wikidata:Q29*4!iso:ES-AN');
    expect(codesIn(selection)).toEqual(['iso:ES-SE', 'wikidata:Q29', 'iso:ES-AN']);
    const ids = new Map([
      ['iso:ES-SE', 'r2'],
      ['wikidata:Q29', 'r1'],
      ['iso:ES-AN', 'r3'],
    ]);
    expect(withIds(selection, ids)).toEqual(readSelection('select=r2,r1*4!r3'));
  });
});
