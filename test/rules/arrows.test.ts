import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What everything may lean on: these know nothing of what stands above them. */
const GROUND = [
  'errors',
  'answers',
  'schemas',
  'access',
  'config',
  'input',
  'log',
  'metrics',
  'version',
  'disposition',
  'kinds',
  'plain_text',
  'private_folder',
  'umask',
  'page_text',
  'computing',
  'repeat',
  'system_errors',
];

/**
 * Which part of the program may import which. A part is a folder of src, a file that lies in src itself, or workers.
 * services.ts is a list of types: who names it imports no code, so every part may, as types.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'transports', 'ops', ...GROUND],
  // Where a person types: the terminal side of operations and commands.
  cli: ['app', 'commands', 'transports', 'op', 'ops', 'sources', 'domain', 'geometry', 'db', 'workers', ...GROUND],
  commands: ['app', 'ops', 'sources', 'domain', 'geometry', 'db', ...GROUND],
  app: ['transports', 'op', 'ops', 'sources', 'geometry', 'domain', 'adapters', 'db', 'workers', ...GROUND],
  transports: ['op', 'workers', ...GROUND],
  ops: ['op', 'domain', 'geometry', 'sources', 'adapters', 'workers', ...GROUND],
  op: GROUND,
  sources: ['domain', 'geometry', 'db', 'workers', ...GROUND],
  geometry: ['db', 'workers', ...GROUND],
  domain: ['db', 'adapters', ...GROUND],
  adapters: GROUND,
  db: GROUND,
  errors: [],
  answers: ['errors'],
  schemas: ['workers', 'kinds', 'plain_text'],
  kinds: [],
  access: ['errors'],
  config: [],
  plain_text: [],
  private_folder: ['config'],
  umask: [],
  input: ['errors'],
  log: [],
  disposition: [],
  page_text: [],
  computing: [],
  repeat: [],
  system_errors: [],
  metrics: [],
  // The number is in package.json, and only db/root.ts knows where that lies.
  version: ['db'],
  workers: [],
};

/** What of the workers is shared with the callers of the geometry: types, names of formats, levels of detail. */
const SHARED = [
  'workers/contract.ts',
  'workers/formats/index.ts',
  'workers/formats/collection/formats.ts',
  'workers/formats/collection/types.ts',
  'workers/kernels/levels.ts',
];

const IMPORT =
  /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\((type\s)?\s*'(\.[^']+)'|new URL\(\s*['`](\.[^'`$]+)/gm;

interface Import {
  readonly target: string;
  readonly types: boolean;
}

/** The files of ours that a source text names, from the root of the repository. */
function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, target, , dynamic, url]) => ({
    target: posix.join(posix.dirname(file), target ?? dynamic ?? url),
    types: type !== undefined,
  }));
}

function partOf(file: string): string {
  const [root, name] = file.split('/');
  return root === 'src' ? name.replace(/\.ts$/, '') : root;
}

/** What is wrong with the imports of a program, in words; empty when nothing is. */
function faults(program: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [file, text] of program) {
    const from = partOf(file);
    for (const { target, types } of importsOf(file, text)) {
      const to = partOf(target);
      const fault = (why: string): void => void found.push(`${file} -> ${target}: ${why}`);
      if (to === 'services' || from === 'services') {
        if (!types) fault('services.ts is types alone');
      } else if (from !== to && !ARROWS[from]?.includes(to)) {
        fault(`no arrow leads from ${from} to ${to}`);
      } else if (to === 'workers' && (from === 'ops' || from === 'transports') && !SHARED.includes(target)) {
        fault('only the geometry calls the workers');
      }
    }
  }
  return found;
}

const program = new Map(
  ['src', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => join(folder, name))
      .map((file) => [file.split(sep).join('/'), readFileSync(file, 'utf8')]),
  ),
);

describe('the arrows between the parts', () => {
  test('every import follows one', () => {
    expect(program.size).toBeGreaterThan(100);
    expect(new Set([...program.keys()].map(partOf))).toEqual(new Set([...Object.keys(ARROWS), 'services']));
    expect(faults(program)).toEqual([]);
  });

  test('they lead one way', () => {
    const under = (part: string, path: readonly string[] = []): void => {
      expect(path, `${part} is above itself`).not.toContain(part);
      for (const next of ARROWS[part].filter((one) => one !== 'version')) under(next, [...path, part]);
    };
    for (const part of Object.keys(ARROWS)) under(part);
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
    expect(named.map((one) => posix.basename(one.target)[0]).join('')).toBe('abdefghi');
    expect(named.map((one) => one.target)).toContain('src/x/b.ts');
    expect(named.filter((one) => one.types)).toEqual([{ target: 'src/d.ts', types: true }]);
  });

  test.each([
    ['src/domain/search.ts', "import { foldName } from '../sources/fold.ts';"],
    ['src/errors.ts', "import type { AnyOp } from './op.ts';"],
    ['src/op.ts', "import { ops } from './ops/index.ts';"],
    ['src/op.ts', "import { services } from './services.ts';"],
    ['src/services.ts', "import { createBlobs } from './adapters/blobs.ts';"],
    ['src/transports/http/http.ts', "import { createBilling } from '../../domain/billing.ts';"],
    ['src/ops/files/get_file.ts', "import { mergeArcs } from '../../../workers/kernels/merge.ts';"],
    ['src/geometry/engine.ts', "import { toSummary } from '../domain/boundaries.ts';"],
    ['workers/kernels/area.ts', "import { problem } from '../../src/errors.ts';"],
    ['src/stray.ts', "import { problem } from './errors.ts';"],
  ])('the rule notices %s with %s', (file, text) => {
    expect(faults(new Map([[file, text]]))).toHaveLength(1);
  });
});
