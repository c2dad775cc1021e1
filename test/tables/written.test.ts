import { expect, it } from 'vitest';
import { foldName } from '../../src/domain/names/fold.ts';
import { abbreviatedWords, abbreviates, saysNothing } from '../../src/domain/tables/abbreviated.ts';
import { findTableColumns } from '../../src/domain/tables/columns.ts';
import { otherBlanks, otherOrders, withLostLetters, withoutNotes } from '../../src/domain/tables/written.ts';

it('takes numbers, marks and spoiled letters from a name', () => {
  const read = ['01 Araba', '12. Saarland', '3) Kerry [1]', 'LÃ©cera', 'L&eacute;cera', 'A &amp; B', '24 de Mayo', 'Ã'];
  expect(read.map(withoutNotes)).toEqual([
    ...['Araba', 'Saarland', 'Kerry', 'Lécera', 'Lécera', 'A & B', 'de Mayo', 'Ã'],
  ]);
});

it('tries letters where a program lost some, up to two', () => {
  expect(withLostLetters('C?rdoba')).toContain('Cordoba');
  expect(withLostLetters('Sant Juli\ufffd de la Pe\ufffda')).toContain('Sant Julia de la Pena');
  expect(withLostLetters('d?Almassora')).toContain('dAlmassora');
  expect(['Vaduz', 'Where ?', '?', '?x?y?z'].map((name) => withLostLetters(name).length)).toEqual([0, 0, 0, 0]);
  expect(withLostLetters('?x?').length).toBe(64);
});

it('puts what lists have behind a name in front of it', () => {
  const has = (name: string, wanted: string) => otherOrders(name).map(foldName).includes(foldName(wanted));
  expect(has('Coruña, A', 'A Coruña')).toBe(true);
  expect(has("Hospitalet de Llobregat, L'", "L'Hospitalet de Llobregat")).toBe(true);
  expect(has('Korea, Rep.', 'Republic of Korea')).toBe(true);
  expect(has('Congo, Dem. Rep.', 'Democratic Republic of the Congo')).toBe(true);
  expect(has('Micronesia (Fed. States of)', 'Federated States of Micronesia')).toBe(true);
  expect(has('Elche/Elx', 'Elx/Elche')).toBe(true);
  expect(has('Jammu & Kashmir', 'Jammu and Kashmir')).toBe(true);
  expect(otherOrders('Vaduz')).toEqual([]);
  expect(otherOrders('a, b, c')).toEqual([]);
  expect(otherOrders(`${'Rep. & '.repeat(28)}, Dem. Rep.`).length).toBeLessThanOrEqual(24);
  expect([otherBlanks('de witt'), otherBlanks('lasalle'), otherBlanks('sevilla')]).toEqual([
    ['dewitt'],
    ['la salle'],
    [],
  ]);
});

it('tells what a name may be short for', () => {
  const isShort = (text: string, name: string) => abbreviates(abbreviatedWords(text) ?? [], foldName(name));
  const pairs = [
    ...[
      ['N. Dakota', 'North Dakota'],
      ['W. Va.', 'West Virginia'],
      ['West Va', 'West Virginia'],
      ['PEI', 'Prince Edward Island'],
    ],
    ...[
      ['Sgo. del Estero', 'Santiago del Estero'],
      ['Qro.', 'Querétaro'],
      ['Schleswig-Holst.', 'Schleswig-Holstein'],
    ],
  ] as const;
  for (const [text, name] of pairs) expect(isShort(text, name), text).toBe(true);
  expect(isShort('N. Dakota', 'South Dakota')).toBe(false);
  expect(isShort('Man.', 'Isle of Man')).toBe(false);
  expect(['n.a.', 'Ohio', 'W.', 'new'].map(abbreviatedWords)).toEqual([null, null, null, null]);
  expect(['N/A', '#N/A', '–', '', 'n. a.', 'NULL', 'ND', 'Nan'].map(saysNothing)).toEqual([
    ...[true, true, true, true, true, true, false, true],
  ]);
});

it('takes the code beside the name of its place, and no numbers for names', () => {
  const cells = (rows: readonly (readonly string[])[]) => (at: number) => rows.map((row) => row[at] ?? '');
  const of = (columns: readonly string[], rows: readonly (readonly string[])[] = []) => {
    const { name, code, within } = findTableColumns(columns, {}, cells(rows));
    return { name, code, within };
  };
  expect(of(['Country Name', 'Country Code'])).toEqual({ name: 0, code: 1, within: [] });
  expect(of(['state', 'country_code'])).toEqual({ name: 0, code: null, within: [1] });
  expect(of(['name', 'state_code'])).toEqual({ name: 0, code: null, within: [1] });
  expect(
    of(
      ["Pays d'origine", 'Nombre'],
      [
        ['Suisse', '3'],
        ['Italie', '4'],
      ],
    ),
  ).toEqual({ name: 0, code: null, within: [] });
  expect(of(['Provincias', 'Total'])).toEqual({ name: 0, code: null, within: [] });
  expect(findTableColumns(['City'], {}).others).toContain('county');
  expect(findTableColumns(['County'], {}).others).not.toContain('county');
});
