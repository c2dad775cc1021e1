import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';

/**
 * The layers as docs/architecture.md draws them, top first. Files of a layer import only what is in lower layers, or in
 * the same entry of their own layer. An entry is a folder with its sub-folders, or a file; the longest one counts.
 */
const LAYERS: readonly (readonly string[])[] = (
  /\n## Layers\n[\s\S]*?\n```text\n([\s\S]*?)\n```\n/.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1] ?? ''
)
  .split('\n')
  .map((line) =>
    line
      .replace(/ {2,}# .*$/, '')
      .trim()
      .split(/ +/),
  );

/** Which layer each entry is in, 0 the highest. */
const HEIGHTS = new Map(LAYERS.flatMap((entries, height) => entries.map((entry) => [entry, height] as const)));

/** What of the workers is shared with the callers of the geometry: types, names of formats, levels of detail. */
const SHARED = [
  'workers/contract.ts',
  'workers/digits.ts',
  'workers/notation.ts',
  'workers/formats/registry.ts',
  'workers/formats/types.ts',
  'workers/arcs/levels.ts',
];

const IMPORT =
  /^[ \t]*(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|new URL\(\s*['`](\.[^'`$]+\.[jt]s)['`]/gm;

/** The files of ours that a source text imports, also for types alone, from the root of the repository. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, target, dynamic, url]) =>
    posix.join(posix.dirname(file), target ?? dynamic ?? defined(url)),
  );
}

/** The entry of the drawing that a file belongs to; undefined if none does. */
function entryOf(file: string): string | undefined {
  for (let path = shortened(file); path !== '.'; path = posix.dirname(path)) if (HEIGHTS.has(path)) return path;
  return undefined;
}

/** A path as the drawing writes it. */
const shortened = (file: string): string => file.replace(/\.[jt]s$/, '').replace(/^src\//, '');

/**
 * The room of a file: its folder. A file beside folders is a room of its own, as is a file that the drawing names; the
 * formats, which one registry joins, are one room.
 */
function roomsOf(program: ReadonlyMap<string, string>): (file: string) => string {
  const folders = new Set([...program.keys()].map((file) => posix.dirname(file)));
  const beside = new Set([...folders].map((folder) => posix.dirname(folder)));
  return (file) => {
    if (file.startsWith('workers/formats/')) return 'workers/formats';
    const folder = posix.dirname(file);
    return beside.has(folder) || HEIGHTS.has(shortened(file)) ? file : folder;
  };
}

/** What is wrong with the imports of a program, in words; empty when nothing is. */
function faults(program: ReadonlyMap<string, string>): string[] {
  return [...program].flatMap(([file, text]) =>
    importsOf(file, text).flatMap((target) => {
      const fault = faultOf(file, target);
      return fault === null ? [] : [`${file} -> ${target}: ${fault}`];
    }),
  );
}

function faultOf(file: string, target: string): string | null {
  const [from, to] = [entryOf(file), entryOf(target)];
  if (from === undefined || to === undefined) return `no layer has ${from === undefined ? file : target}`;
  const down = (HEIGHTS.get(to) ?? 0) - (HEIGHTS.get(from) ?? 0);
  if (down < 0) return `${from} is below ${to}`;
  if (down === 0 && from !== to) return `${from} and ${to} are beside each other`;
  const fromOutside = /^(ops|transports)\b/.test(from) && /^workers\b/.test(to);
  return fromOutside && !SHARED.includes(target) ? 'only the geometry calls the workers' : null;
}

/** Rooms, or files with `roomOf` unset, that import one another in a circle, each with the way around. */
function circles(program: ReadonlyMap<string, string>, roomOf = (file: string): string => file): string[] {
  const arrows = new Map<string, Set<string>>([...program.keys()].map((file) => [roomOf(file), new Set()]));
  for (const [file, text] of program)
    for (const target of importsOf(file, text)) if (program.has(target)) arrows.get(roomOf(file))?.add(roomOf(target));
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (room: string, path: readonly string[]): void => {
    const at = path.indexOf(room);
    if (at >= 0) found.push([...path.slice(at), room].join(' -> '));
    if (at >= 0 || done.has(room)) return;
    for (const next of arrows.get(room) ?? []) if (next !== room) walk(next, [...path, room]);
    done.add(room);
  };
  for (const room of arrows.keys()) walk(room, []);
  return found;
}

/** All files of src and workers, by path. */
const program = new Map(
  ['src', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => join(folder, name))
      .map((file) => [file.split(sep).join('/'), readFileSync(file, 'utf8')]),
  ),
);

describe('the arrows between the rooms', () => {
  test('every import leads down', () => {
    expect(program.size).toBeGreaterThan(100);
    expect(faults(program)).toEqual([]);
  });

  test('the drawing names each entry once, and only what exists', () => {
    const entries = LAYERS.flat();
    expect(entries.length).toBeGreaterThan(10);
    expect(new Set(entries).size).toBe(entries.length);
    const used = new Set([...program.keys()].map(entryOf));
    expect(entries.filter((entry) => !used.has(entry))).toEqual([]);
  });

  test('no file and no room imports itself by way of others', () => {
    expect(circles(program)).toEqual([]);
    expect(circles(program, roomsOf(program))).toEqual([]);
  });

  test('the rule notices circles', () => {
    const files = new Map([
      ['src/a.ts', "import { b } from './b/b.ts';"],
      ['src/b/b.ts', "import type { C } from './c.ts';"],
      ['src/b/c.ts', "export { a } from '../a.ts';"],
    ]);
    expect(circles(files)).toEqual(['src/a.ts -> src/b/b.ts -> src/b/c.ts -> src/a.ts']);
    const rooms = new Map([
      ['src/ops/a/a.ts', "import { b } from '../b/b.ts';"],
      ['src/ops/b/b.ts', ''],
      ['src/ops/b/c.ts', "import { d } from '../a/d.ts';"],
      ['src/ops/a/d.ts', ''],
    ]);
    expect(circles(rooms)).toEqual([]);
    expect(circles(rooms, roomsOf(rooms))).toEqual(['src/ops/a -> src/ops/b -> src/ops/a']);
  });

  test('no operation imports the file of another', () => {
    const ops = [...program.keys()].filter(
      (file) => /\bdefineOp\(/.test(program.get(file) ?? '') && file !== 'src/core/op.ts',
    );
    expect(ops.length).toBeGreaterThan(50);
    const lists = new Set(['src/ops/index.ts']);
    const crossed = ops
      .filter((file) => !lists.has(file))
      .flatMap((file) =>
        importsOf(file, program.get(file) ?? '').flatMap((target) =>
          ops.includes(target) ? [`${file} -> ${target}`] : [],
        ),
      );
    expect(crossed).toEqual([]);
  });

  test('the rule reads every way to name a file', () => {
    const text = [
      "import { a } from './a.ts';",
      "import {\n  b,\n  type c,\n} from '../b.ts';",
      "import type { D } from '../../d.ts';",
      "export { e } from './e.ts';",
      "export * from './f.ts';",
      "import './g.ts';",
      "const h = await import('./h.ts');",
      "const worker = new Worker(new URL('./i.js', import.meta.url));",
      "import { z } from 'zod';",
      "const text = 'words from ./nowhere.ts';",
    ].join('\n');
    const named = importsOf('src/x/y/z.ts', text);
    expect(named.map((one) => posix.basename(one)[0]).join('')).toBe('abdefghi');
    expect(named).toContain('src/x/b.ts');
  });

  test.each([
    ['src/domain/search/search.ts', "import { foldName } from '../../sources/fold.ts';"],
    ['src/core/errors.ts', "import type { AnyOp } from './op.ts';"],
    ['src/core/op.ts', "import { ops } from '../ops/index.ts';"],
    ['src/services.ts', "import type { AnyOp } from './core/op.ts';"],
    ['src/db/query.ts', "import { problem } from '../core/errors.ts';"],
    ['src/tiles/archive.ts', "import { ops } from '../ops/index.ts';"],
    ['src/ops/files/get_file.ts', "import { mergeArcs } from '../../../workers/arcs/merge.ts';"],
    ['src/geometry/engine.ts', "import { toSummary } from '../domain/boundaries.ts';"],
    ['workers/arcs/area.ts', "import { problem } from '../../src/core/errors.ts';"],
    ['src/stray.ts', "import { problem } from './errors.ts';"],
  ])('the rule notices %s with %s', (file, text) => {
    expect(faults(new Map([[file, text]]))).toHaveLength(1);
  });
});
