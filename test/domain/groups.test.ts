import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ProblemError } from '../../src/core/errors.ts';
import { readGroupTable } from '../../src/domain/boundaries/groups.ts';

const LIMITS = { members: 5, groups: 3 };
const read = async (text: string, limits = LIMITS) => Object.fromEntries(await readGroupTable(text, limits));
const refusal = async (text: string, limits = LIMITS) => {
  try {
    await read(text, limits);
    return null;
  } catch (error) {
    return error instanceof ProblemError
      ? defined((error.extra as { issues: { message: string }[] }).issues[0]).message
      : error;
  }
};

describe('readGroupTable', () => {
  it('reads two columns, with a header or without', async () => {
    const expected = { north: ['r1', 'r3'], south: ['r2'] };
    expect(await read('r1,north\nr2,south\nr3,north\n')).toEqual(expected);
    expect(await read('id,group\r\nr1,north\r\nr2,south\r\n\r\nr3,north')).toEqual(expected);
    expect(await read('\ufeffGroup;Name;ID\nnorth;x;r1\nsouth;y;r2\nnorth;z;r3')).toEqual(expected);
    expect(await read('name,match_id,group\nx,r1,north\ny,r2,south\nz,r3,north')).toEqual(expected);
    expect(await read('r1\tnorth\nr2\tsouth\nr3\tnorth\n')).toEqual(expected);
  });

  it('reads quoted cells', async () => {
    expect(await read('"r1","a ""b"", c"\nr2,"two\nlines"\nr3,plain\n')).toEqual({
      'a "b", c': ['r1'],
      'two\nlines': ['r2'],
      plain: ['r3'],
    });
  });

  it('keeps names that objects have', async () => {
    const groups = await readGroupTable('r1,__proto__\nr2,constructor\nr3,toString', LIMITS);
    expect([...groups.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it('refuses, with the line', async () => {
    expect(await refusal('')).toMatch(/no members/);
    expect(await refusal('id,group\n')).toMatch(/no members/);
    expect(await refusal('r1,a\nr2\n')).toMatch(/^line 2 must have an id and a group/);
    expect(await refusal('match_id,group\nr1,a\n,a\nr2,\nr3,a\n')).toMatch(
      /^lines 3, 4 must have an id and a group: write/,
    );
    const many = `match_id,group\n${',a\n'.repeat(12)}`;
    expect(await refusal(many, { members: 12, groups: 1 })).toMatch(
      /^lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more must have/,
    );
    expect(await refusal('r1,a\n,b\n')).toMatch(/^line 2 must have/);
    expect(await refusal(`r1,${'x'.repeat(201)}`)).toMatch(/^line 1 has an id or a group of more than 200/);
    expect(await refusal('r1,"a')).toMatch(/^line 1 has a quote that is not closed/);
    expect(await refusal('"r1"x,a')).toMatch(/^line 1 has text after a quoted cell/);
    const wide = ['id', ...Array(99).fill('x'), 'group'].join();
    expect(await refusal(`${wide}\n${wide}`)).toMatch(/^line 1 has more than 100 columns/);
    expect(await refusal(`"id"${wide.slice(2)}\n${wide}`)).toMatch(/^line 1 has more than 100 columns/);
    expect(await refusal('r1,a\n'.repeat(6))).toMatch(/^line 6 exceeds the limit of 5 members/);
    expect(await refusal('r1,a\nr1,b\nr1,c\nr1,d')).toMatch(/^line 4 exceeds the limit of 3 groups/);
    expect(await refusal('"r1","a\nb"\nr2')).toMatch(/^line 3 must have/);
  });

  it.each([
    ['quotes', '"'.repeat(8e6)],
    ['commas', ','.repeat(8e6)],
    ['line ends', '\n'.repeat(8e6)],
    ['an open quote', `"${'a'.repeat(8e6)}`],
    ['one cell', 'a'.repeat(8e6)],
    ['quoted cells', '"a",'.repeat(2e6)],
    ['empty quoted lines', '""\n'.repeat(2e6)],
  ])('a table of %s is refused at once', async (_name, text) => {
    expect(await refusal(text)).toEqual(expect.any(String));
  });

  it('gives others a turn, and stops with its call', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `r${i},g`).join('\n');
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await readGroupTable(lines, { members: 30_000, groups: 1 });
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(10);
    const ended = AbortSignal.abort(new Error('the client has gone'));
    await expect(readGroupTable(lines, { members: 30_000, groups: 1 }, ended)).rejects.toThrow('the client has gone');
  });
});
