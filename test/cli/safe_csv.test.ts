import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { safeCsv } from '../../src/common/safe_csv.ts';
import { leading } from '../setup/elements.ts';
import { openMachine } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-safe-csv-'));
const machine = openMachine();
afterAll(() => {
  rmSync(folder, { recursive: true });
  machine.remove();
});

/** The records of a CSV text, by the rules of RFC 4180. */
function parse(text: string): string[][] {
  const records: string[][] = [[]];
  let cell = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
    } else if (text[at] === ',' || text[at] === '\n') {
      records.at(-1)?.push(cell);
      cell = '';
      if (text[at] === '\n') records.push([]);
    } else cell += text[at];
  }
  return records.slice(0, -1);
}

describe('a CSV text without formulas', () => {
  test.each([
    ['=1+1,b\n', "'=1+1,b\n"],
    ['a,@SUM(1)\n', "a,'@SUM(1)\n"],
    ['"=cmd|\'/c calc\'!A0",2\n', `"'=cmd|'/c calc'!A0",2\n`],
    ['"a,\n=b",-x\n', `"a,\n=b",'-x\n`],
    ['-3.5,+4,-1e-7,.5\r\n-2\r\n', '-3.5,+4,-1e-7,.5\r\n-2\r\n'],
    ['"a ""=b"" c",=d', `"a ""=b"" c",'=d`],
    ['\tx,＝1\n', "'\tx,'＝1\n"],
    [',,\n-,""\n', ',,\n\'-,""\n'],
    ['-12-3,-1.2.3\n', "'-12-3,'-1.2.3\n"],
  ])('%j', (text, safe) => expect(safeCsv(text)).toBe(safe));

  test('with another separator', () => expect(safeCsv('a;=b,c\n', ';')).toBe("a;'=b,c\n"));

  test('has the same cells but for an apostrophe, whatever they hold', () => {
    const next = seeded(7);
    const letters = ['=', '+', '-', '@', ',', '"', '\n', 'a', '1', '.', ' ', '\t'];
    const word = () => Array.from({ length: Math.floor(next() * 5) }, () => letters[Math.floor(next() * 12)]).join('');
    for (let round = 0; round < 500; round++) {
      const records = Array.from({ length: 3 }, () => Array.from({ length: 3 }, word));
      const quoted = (cell: string) => (/[",\n]/.test(cell) || next() < 0.2 ? `"${cell.replaceAll('"', '""')}"` : cell);
      const text = records.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
      const expected = records.map((cells) =>
        cells.map((cell) => (/^[=+\-@\t]/.test(cell) && !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(cell) ? `'${cell}` : cell)),
      );
      expect(parse(safeCsv(text))).toEqual(expected);
    }
  });
});

const area = (name: string) =>
  JSON.stringify({
    type: 'Feature',
    properties: { name, west: -3.5 },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
  });

describe('the command line', () => {
  test('converts a name that is a formula to text, on request and for CSV only', async () => {
    const input = join(folder, 'in.geojson');
    const output = join(folder, 'out.csv');
    writeFileSync(input, area('=HYPERLINK("http://a.example")'));
    expect((await machine.run(['convert', input, output])).exit).toBe(0);
    const [, plain] = leading(parse(readFileSync(output, 'utf8')), 2);
    expect(plain).toContain('=HYPERLINK("http://a.example")');
    expect((await machine.run(['convert', input, output, '--safe-csv'])).exit).toBe(0);
    const [, safe] = parse(readFileSync(output, 'utf8'));
    expect(safe).toEqual(plain.map((cell) => (cell.startsWith('=') ? `'${cell}` : cell)));
    expect(safe).toContain('-3.5');
    const refused = await machine.run(['convert', input, join(folder, 'out.kml'), '--safe-csv']);
    expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('safe-csv') });
  });
});
