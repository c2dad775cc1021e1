import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { readGroupTable } from '../../src/domain/boundaries/groups.ts';

const LIMITS = { members: 5, groups: 3 };
const read = (text: string, limits = LIMITS) => Object.fromEntries(readGroupTable(text, limits));
const refusal = (text: string) => {
  try {
    read(text);
    return null;
  } catch (error) {
    return error instanceof ProblemError ? (error.extra as { issues: { message: string }[] }).issues[0].message : error;
  }
};

describe('readGroupTable', () => {
  it('reads two columns, with a header or without', () => {
    const expected = { north: ['r1', 'r3'], south: ['r2'] };
    expect(read('r1,north\nr2,south\nr3,north\n')).toEqual(expected);
    expect(read('id,group\r\nr1,north\r\nr2,south\r\n\r\nr3,north')).toEqual(expected);
    expect(read('\ufeffGroup;Name;ID\nnorth;x;r1\nsouth;y;r2\nnorth;z;r3')).toEqual(expected);
    expect(read('r1\tnorth\nr2\tsouth\nr3\tnorth\n')).toEqual(expected);
  });

  it('reads quoted cells', () => {
    expect(read('"r1","a ""b"", c"\nr2,"two\nlines"\nr3,plain\n')).toEqual({
      'a "b", c': ['r1'],
      'two\nlines': ['r2'],
      plain: ['r3'],
    });
  });

  it('keeps names that objects have', () => {
    const groups = readGroupTable('r1,__proto__\nr2,constructor\nr3,toString', LIMITS);
    expect([...groups.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it('refuses, with the line', () => {
    expect(refusal('')).toMatch(/no members/);
    expect(refusal('id,group\n')).toMatch(/no members/);
    expect(refusal('r1,a\nr2\n')).toMatch(/^line 2 must have an id and a group/);
    expect(refusal('r1,a\n,b\n')).toMatch(/^line 2 must have/);
    expect(refusal(`r1,${'x'.repeat(201)}`)).toMatch(/^line 1 has an id or a group of more than 200/);
    expect(refusal('r1,"a')).toMatch(/^line 1 has a quote that is not closed/);
    expect(refusal('"r1"x,a')).toMatch(/^line 1 has text after a quoted cell/);
    const wide = ['id', ...Array(99).fill('x'), 'group'].join();
    expect(refusal(`${wide}\n${wide}`)).toMatch(/^line 1 has more than 100 columns/);
    expect(refusal(`"id"${wide.slice(2)}\n${wide}`)).toMatch(/^line 1 has more than 100 columns/);
    expect(refusal('r1,a\n'.repeat(6))).toMatch(/^line 6 exceeds the limit of 5 members/);
    expect(refusal('r1,a\nr1,b\nr1,c\nr1,d')).toMatch(/^line 4 exceeds the limit of 3 groups/);
    expect(refusal('"r1","a\nb"\nr2')).toMatch(/^line 3 must have/);
  });

  it.each([
    ['quotes', '"'.repeat(8e6)],
    ['commas', ','.repeat(8e6)],
    ['line ends', '\n'.repeat(8e6)],
    ['an open quote', `"${'a'.repeat(8e6)}`],
    ['one cell', 'a'.repeat(8e6)],
    ['quoted cells', '"a",'.repeat(2e6)],
    ['empty quoted lines', '""\n'.repeat(2e6)],
  ])('a table of %s is refused at once', (_name, text) => {
    expect(refusal(text)).toEqual(expect.any(String));
  });
});
