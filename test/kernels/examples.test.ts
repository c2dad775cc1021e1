import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { contract } from '../../workers/arcs/contraction.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { FULL } from '../../workers/contract.ts';
import { leading } from '../setup/elements.ts';
import { arrange, polygonsOf, rect, ringsOf } from './topology.ts';

const FOLDER = 'workers/arcs';
const DOCSTRING = /\/\*\*((?:(?!\*\/).)*)\*\/\nexport (?:async )?function\*? (\w+)/gs;
/** Functions that others call, and that need no state of their own. */
const WITH_EXAMPLE = ['assembleRings', 'chainBox', 'findConflicts', 'isValid', 'joinBoxes', 'levelFor', 'locate'];
WITH_EXAMPLE.push('materialize', 'meetsBox', 'mergeBoundaries', 'nearness', 'overlay', 'stitch', 'toleranceMeters');

/** Two squares side by side, 10 units wide, as signed arcs. */
const squares = arrange([[rect(0, 0, 10, 10)], [rect(10, 0, 20, 10)]]);
const arcOf = (ref: number): number => (ref < 0 ? ~ref : ref);
const [left, right] = leading(squares.refs, 2);
const rings = ringsOf(assembleRings(squares.table, Int32Array.from(left, arcOf)));
const polygons = polygonsOf(squares.table, rings);
const given = { table: squares.table, left, right, rings, polygons, arcOf, contract, FULL };

const docstrings = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(DOCSTRING)].map(([, text = '', name = '']) => {
      const [, example = ''] = text.split('@example');
      return { file, name, lines: [...example.matchAll(/^ \* (.+) \/\/ => (.+)$/gm)].map(([, ...sides]) => sides) };
    }),
  );

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
const plain = (value: unknown): unknown => (ArrayBuffer.isView(value) ? [...(value as Int32Array)] : value);

it.each(docstrings.filter(({ lines }) => lines.length > 0))('the example of $name is true', async ({ file, lines }) => {
  const scope = { ...given, ...(await import(pathToFileURL(resolve(FOLDER, file)).href)) };
  for (const [call, result] of lines) {
    const run = (code = '') => new AsyncFunction(...Object.keys(scope), `return ${code}`)(...Object.values(scope));
    expect(plain(await run(call)), call).toEqual(plain(await run(result)));
  }
});

it('public functions have an example', () => {
  const found = docstrings.filter(({ lines }) => lines.length > 0).map(({ name }) => name);
  expect(WITH_EXAMPLE.filter((name) => !found.includes(name))).toEqual([]);
});

/** The names that files outside of the folder import from it. */
function imported(): Set<string> {
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const names = files
    .filter((file) => file.endsWith('.ts') && !file.startsWith(FOLDER))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '[^']*arcs\/[^']*'/g)])
    .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return new Set(names.filter((name) => name !== '' && !name.startsWith('type ')));
}

/** The number of parameters, from the opening parenthesis on. */
function arity(text: string): number {
  let [depth, count] = [0, 0];
  for (const [i, letter] of [...text.replaceAll('=>', '  ')].entries()) {
    if ('([{<'.includes(letter)) depth++;
    if (')]}>'.includes(letter)) depth--;
    if (depth === 0) return /,\s*$/.test(text.slice(0, i)) ? count : count + 1;
    if (letter === ',' && depth === 1) count++;
  }
  throw new Error('no end of the parameters');
}

it('more than three parameters of a public function are described, with their units', () => {
  const names = imported();
  expect(names.size).toBeGreaterThan(60);
  const found = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
      return [...text.matchAll(DOCSTRING)].flatMap((match) => {
        const [whole, docstring = '', name = ''] = match;
        const rest = text.slice(match.index + whole.length);
        const many = names.has(name) && arity(rest.slice(rest.indexOf('('))) > 3;
        return many && !docstring.includes('@param') ? [`${file}: ${name}`] : [];
      });
    });
  expect(found).toEqual([]);
  expect(arity('(a: number, b: [number, number], c = 3) {')).toBe(3);
});
