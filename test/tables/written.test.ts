import { expect, it } from 'vitest';
import { foldName } from '../../src/domain/names/fold.ts';
import { abbreviatedWords, abbreviates, saysNothing } from '../../src/domain/tables/abbreviated.ts';
import { codeOfKind, nameAndCode, withZeros } from '../../src/domain/tables/code_forms.ts';
import { findTableColumns } from '../../src/domain/tables/columns.ts';
import { isCutOf, lengthOfCut, mayBeCut } from '../../src/domain/tables/cut.ts';
import { withoutMarks, withoutNotes } from '../../src/domain/tables/marks.ts';
import { withStateWrittenOut } from '../../src/domain/tables/press.ts';
import { otherEncodings, withLostLetters } from '../../src/domain/tables/spoiled.ts';
import { otherBlanks, otherOrders } from '../../src/domain/tables/written.ts';

it('takes numbers, marks and spoiled letters from a name', () => {
  const read = ['01 Araba', '12. Saarland', '3) Kerry [1]', 'LÃ©cera', 'L&eacute;cera', 'A &amp; B', '24 de Mayo', 'Ã'];
  expect(read.map(withoutNotes)).toEqual([
    ...['Araba', 'Saarland', 'Kerry', 'Lécera', 'Lécera', 'A & B', 'de Mayo', 'Ã'],
  ]);
});

it('repairs letters that were misread twice, and those whose last byte was a blank', () => {
  const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'));
  for (const name of ['Córdoba', 'Ávila', 'Győr', 'Łódź', 'A Coruña']) {
    expect([misread(name), misread(misread(name))].map(withoutNotes), name).toEqual([name, name]);
  }
  expect([misread('Gavà').trim(), misread(misread('Gavà')).trim()].map(withoutNotes)).toEqual(['Gavà', 'Gavà']);
  expect(['Ávila', 'Ângela Â', 'Łódź'].map(withoutNotes)).toEqual(['Ávila', 'Ângela Â', 'Łódź']);
});

it('takes a name and a code in one cell apart', () => {
  const texts = [
    'Torino (TO)',
    'TO - Torino',
    '2A Corse-du-Sud',
    'Ain [01]',
    'AL Autauga',
    'Autauga | AL',
    'Dos Hermanas',
  ];
  expect(texts.map((text) => Object.values(nameAndCode(text) ?? {}).join())).toEqual([
    ...['Torino,TO', 'Torino,TO', 'Corse-du-Sud,2A', 'Ain,01', 'Autauga,AL', 'Autauga,AL', ''],
  ]);
  expect(['Kt. ZH', 'Provincia TO', 'New YORK', 'Foo ZH'].map((text) => codeOfKind(text)?.code ?? null)).toEqual([
    ...['ZH', 'TO', null, null],
  ]);
  expect(['1', '1001', '17', '100'].map(withZeros)).toEqual([['01'], ['01001', '001001'], [], ['00100']]);
});

it('tells names that a column cuts from the longest of a column', () => {
  const of = (names: readonly string[], found: readonly string[]) =>
    lengthOfCut(names.map((name) => ({ name, isFound: found.includes(name) })));
  const cut = ['Villanueva d', 'Villar del P', 'San Bartolom', 'Zamora'];
  expect(of(cut, ['Zamora'])).toEqual({ length: 12, unit: 'bytes' });
  expect(of(['Villar del P', 'San Bartolom', 'San Fernández'], [])).toBeNull();
  expect(of(['Villanueva', 'San Vicente'], [])).toBeNull();
  // All are whole names.
  expect(of(cut, cut)).toBeNull();
  const ten = { length: 10, unit: 'bytes' } as const;
  expect(['Sant Marti', 'Sant Mart', 'Sant'].map((text) => mayBeCut(text, ten))).toEqual([true, true, false]);
  expect(isCutOf('Sant Mart', 'Sant Martí de Llémena', ten)).toBe(true);
  expect([isCutOf('Sant Mart', 'Sant Mart', ten), isCutOf('Sant Marti', 'Santa Marta', ten)]).toEqual([false, false]);
  expect(isCutOf('Jefferson', 'Jefferson Davis', ten)).toBe(true);
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
      ['NWT', 'Northwest Territories'],
      ['Emiratos Árabes', 'Emiratos Árabes Unidos'],
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
  expect([isShort('New York', 'New York City'), isShort('North Dakota', 'North')]).toEqual([false, false]);
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
  expect(of(['Kreisschlüssel', 'Wert'])).toEqual({ name: null, code: 0, within: [] });
  expect(of(['county', 'st'])).toEqual({ name: 0, code: null, within: [1] });
  expect(of(['county', 'st_road'])).toEqual({ name: 0, code: null, within: [] });
  expect(findTableColumns(['City'], {}).others).toContain('county');
  expect(findTableColumns(['County'], {}).others).not.toContain('county');
});

it('takes numbers, notes and figures of people from a name last', () => {
  const marked = [
    ...['#3 Almería', '(12) Soria', '3º Burgos', '5.- León', '6_Huesca', '8|Lugo', 'Nr. 7 Jaén', '* Ávila', 'Mali (a)'],
    ...[
      'Kosovo a)',
      'Israel 1/',
      'Peru [note 2]',
      'Italy (1,2)',
      'Ghana ¹,²',
      'Cádiz1',
      'Chur (421,878)',
      'Bern [133 883]',
    ],
    ...["Genf: 203'856", 'Wil - 18.592 Einw.', 'Thun (pop. 12,000)', 'Sion 34978'],
  ];
  expect(marked.map(withoutMarks)).toEqual([
    ...['Almería', 'Soria', 'Burgos', 'León', 'Huesca', 'Lugo', 'Jaén', 'Ávila', 'Mali', 'Kosovo', 'Israel', 'Peru'],
    ...['Italy', 'Ghana', 'Cádiz', 'Chur', 'Bern', 'Genf', 'Wil', 'Thun', 'Sion'],
  ]);
  expect(['Lyon 3', 'Ain (01)', 'Torino (TO)', 'La Rioja', 'A1'].map(withoutMarks)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

it('reads letters of addresses, of programs and of other encodings', () => {
  const spoiled = ['A%20Coru%C3%B1a', 'C%C3%A1diz+X', 'C\\u00f3rdoba', '&#193;vila', 'M√°laga', 'A&nbsp;B', 'Lugo<br>'];
  expect(spoiled.map(withoutNotes)).toEqual(['A Coruña', 'Cádiz X', 'Córdoba', 'Ávila', 'Málaga', 'A B', 'Lugo']);
  expect(['100%', '%E0%A4%A', '&#1114112;', '&#0;'].map(withoutNotes)).toEqual([
    '100%',
    '%E0%A4%A',
    '&#1114112;',
    '&#0;',
  ]);
  const others = ['C¢rdoba', 'C¾rdoba', 'CÛrdoba', 'leã³n'].map(otherEncodings);
  for (const [i, name] of ['Córdoba', 'Córdoba', 'Córdoba', 'león'].entries()) expect(others[i]).toContain(name);
  // É is a sign of a box in DOS, and no letter.
  expect([otherEncodings('Cordoba'), otherEncodings('Étranger').filter((one) => /\u2554/.test(one))]).toEqual([[], []]);
});

it('reads states as the press shortens them, and only with full stops', () => {
  const written = [
    'Adams County, Ind.',
    'Clay Co. Fla.',
    'Polk (N.C.)',
    'Mason - W.Va.',
    'Lee, Ind',
    'Ind.',
    'St. Louis',
  ];
  expect(written.map(withStateWrittenOut)).toEqual([
    ...[
      'Adams County, Indiana',
      'Clay Co., Florida',
      'Polk, North Carolina',
      'Mason, West Virginia',
      'Lee, Ind',
      'Ind.',
    ],
    'St. Louis',
  ]);
});

it('writes out saints, and finds both names of a place however they are put together', () => {
  expect(otherOrders('S.Maria a Monte')).toContain('Santa Maria a Monte');
  expect(otherOrders('S.ta Caterina')).toContain('Santa Caterina');
  expect(otherOrders('S. Angelo')).toContain("Sant'Angelo");
  expect(otherOrders('ST REMY ST GENEST')).toContain('Saint REMY Saint GENEST');
  expect(otherOrders("Dem. People's Republic")).toContain("democratic People's Republic");
  for (const both of ['Elche/Elx', 'Elche o Elx', 'Elche - Elx', 'Elche-Elx'])
    expect(otherOrders(both)).toContain('Elx/Elche');
});
