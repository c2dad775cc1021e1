import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Which room of the program imports which: all arrows that there are, and no others. A room is a file that lies in src
 * itself, or a folder of src or workers without its sub-folders; src/ is left out of its name. services.ts is a list of
 * types: who names it imports no code, so every room may, as types.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  access: ['errors', 'roles'],
  adapters: [
    'address_ranges',
    'config',
    'elements',
    'errors',
    'media_type',
    'page_text',
    'private_folder',
    'tracing',
    'version',
  ],
  address_ranges: [],
  answers: ['errors'],
  app: [
    'adapters',
    'config',
    'db',
    'domain/billing',
    'domain/boards',
    'domain/boundaries',
    'domain/delivery',
    'domain/jobs',
    'domain/library',
    'domain/people',
    'domain/read_model',
    'domain/search',
    'domain/upstream',
    'elements',
    'errors',
    'geometry',
    'input',
    'log',
    'metrics',
    'op',
    'ops',
    'ops/jobs',
    'private_folder',
    'repeat',
    'sources',
    'tracing',
    'transports',
    'transports/pages',
    'version',
  ],
  audit_actions: [],
  backup: ['adapters', 'db', 'domain/library', 'elements', 'errors', 'file_formats', 'version'],
  bench: ['elements', 'transports'],
  cli: [
    'app',
    'cli/commands',
    'cli/operator',
    'cli/render',
    'cli/server',
    'config',
    'db',
    'domain/boundaries',
    'domain/search',
    'elements',
    'errors',
    'log',
    'op',
    'ops',
    'transports',
    'transports/docs',
    'transports/mcp',
    'umask',
    'version',
    'workers',
    'workers/formats/collection',
    'workers/readers',
  ],
  'cli/commands': [
    'access',
    'adapters',
    'app',
    'backup',
    'bench',
    'cli',
    'cli/operator',
    'cli/render',
    'config',
    'db',
    'domain/boundaries',
    'domain/people',
    'domain/points',
    'elements',
    'errors',
    'geometry',
    'kinds',
    'log',
    'ops',
    'private_folder',
    'sources',
    'sources/update',
    'system_errors',
    'tiles',
    'transports',
    'transports/http',
    'transports/mcp',
    'workers',
    'workers/formats',
    'workers/formats/collection',
    'workers/kernels',
    'workers/readers',
  ],
  'cli/operator': [
    'access',
    'adapters',
    'app',
    'backup',
    'config',
    'db',
    'domain/boundaries',
    'domain/library',
    'domain/names',
    'domain/people',
    'errors',
    'input_wording',
    'log',
    'ops/library',
    'schemas',
    'sources',
    'sources/seed',
    'sources/update',
    'system_errors',
    'tiles',
    'transports/tiles',
    'version',
  ],
  'cli/render': ['adapters', 'cli', 'elements', 'errors', 'sources', 'system_errors', 'transports'],
  'cli/server': [
    'adapters',
    'app',
    'backup',
    'cli',
    'cli/commands',
    'cli/operator',
    'cli/render',
    'config',
    'db',
    'domain/people',
    'elements',
    'errors',
    'log',
    'ops',
    'private_folder',
    'sources',
    'sources/seed',
    'transports',
    'transports/http',
    'version',
  ],
  computing: [],
  config: ['address_ranges', 'elements'],
  db: ['computing', 'elements', 'private_folder', 'tracing'],
  deadline: ['computing', 'errors'],
  disposition: [],
  domain: ['db', 'elements', 'errors'],
  'domain/areas': [
    'db',
    'domain/areas/vocabulary',
    'domain/boundaries',
    'domain/names',
    'domain/read_model',
    'domain/search',
    'elements',
    'schemas',
  ],
  'domain/areas/vocabulary': ['domain/areas', 'domain/names'],
  'domain/billing': ['access', 'adapters', 'db', 'domain', 'domain/people', 'elements', 'errors'],
  'domain/boards': ['db', 'domain', 'domain/names', 'elements', 'errors'],
  'domain/boundaries': ['db', 'domain', 'domain/names', 'domain/read_model', 'elements', 'errors', 'schemas'],
  'domain/delivery': ['adapters', 'db', 'domain', 'domain/jobs', 'elements'],
  'domain/jobs': [
    'access',
    'db',
    'domain',
    'domain/billing',
    'domain/delivery',
    'domain/library',
    'domain/people',
    'elements',
    'errors',
    'roles',
  ],
  'domain/library': [
    'access',
    'adapters',
    'db',
    'domain',
    'domain/people',
    'elements',
    'errors',
    'file_formats',
    'roles',
    'schemas',
  ],
  'domain/names': ['db', 'elements', 'schemas'],
  'domain/people': [
    'access',
    'address_ranges',
    'audit_actions',
    'db',
    'domain',
    'domain/delivery',
    'domain/library',
    'elements',
    'errors',
    'plain_text',
    'roles',
  ],
  'domain/points': [
    'access',
    'db',
    'domain/billing',
    'domain/boundaries',
    'domain/read_model',
    'elements',
    'errors',
    'schemas',
  ],
  'domain/read_model': ['db', 'domain/boundaries', 'domain/names', 'elements', 'schemas'],
  'domain/search': [
    'adapters',
    'db',
    'domain/boundaries',
    'domain/names',
    'domain/read_model',
    'domain/upstream',
    'elements',
    'errors',
    'schemas',
  ],
  'domain/upstream': ['adapters', 'db', 'domain', 'domain/boundaries', 'elements', 'errors'],
  elements: [],
  errors: [],
  file_formats: ['workers', 'workers/formats', 'workers/formats/collection'],
  geometry: [
    'computing',
    'db',
    'elements',
    'errors',
    'workers',
    'workers/formats/collection',
    'workers/kernels',
    'workers/osm',
  ],
  input: ['errors', 'input_wording'],
  input_wording: [],
  invoke: ['access', 'answers', 'deadline', 'errors', 'input', 'op', 'tracing'],
  kinds: [],
  log: [],
  main: ['cli', 'umask', 'version'],
  media_type: [],
  metrics: [],
  op: ['access', 'answers', 'audit_actions', 'deadline', 'errors'],
  ops: [
    'op',
    'ops/account',
    'ops/areas',
    'ops/boundaries',
    'ops/feedback',
    'ops/jobs',
    'ops/library',
    'ops/orgs',
    'ops/reviews',
  ],
  'ops/account': ['access', 'config', 'errors', 'op', 'roles', 'schemas'],
  'ops/areas': [
    'access',
    'adapters',
    'db',
    'domain/areas',
    'domain/boundaries',
    'domain/names',
    'elements',
    'errors',
    'geometry',
    'op',
    'ops/boundaries',
    'schemas',
    'sources',
  ],
  'ops/boundaries': [
    'access',
    'adapters',
    'disposition',
    'domain/boundaries',
    'domain/names',
    'domain/points',
    'domain/search',
    'domain/upstream',
    'elements',
    'errors',
    'geometry',
    'input',
    'kinds',
    'op',
    'ops/orgs',
    'schemas',
    'sources',
    'workers',
    'workers/formats',
    'workers/formats/collection',
    'workers/kernels',
  ],
  'ops/feedback': ['access', 'domain/boards', 'domain/people', 'errors', 'op', 'ops/account', 'schemas'],
  'ops/jobs': [
    'access',
    'domain/boundaries',
    'domain/delivery',
    'domain/jobs',
    'elements',
    'errors',
    'file_formats',
    'geometry',
    'input',
    'op',
    'ops/account',
    'ops/boundaries',
    'ops/library',
    'ops/orgs',
    'schemas',
    'workers/kernels',
  ],
  'ops/library': [
    'access',
    'domain/boundaries',
    'domain/library',
    'domain/people',
    'elements',
    'errors',
    'file_formats',
    'geometry',
    'input',
    'op',
    'ops/account',
    'ops/areas',
    'ops/boundaries',
    'ops/orgs',
    'schemas',
  ],
  'ops/orgs': ['access', 'config', 'domain/people', 'errors', 'op', 'ops/account', 'roles', 'schemas'],
  'ops/reviews': ['access', 'domain/boards', 'domain/people', 'errors', 'op', 'ops/account', 'ops/feedback', 'schemas'],
  page_text: [],
  plain_text: [],
  private_folder: ['config'],
  repeat: [],
  roles: [],
  schemas: ['kinds', 'plain_text', 'workers', 'workers/formats/collection'],
  sources: [
    'db',
    'domain',
    'domain/boundaries',
    'domain/names',
    'domain/upstream',
    'elements',
    'geometry',
    'schemas',
    'sources/coverage',
    'sources/osm',
    'sources/seed',
    'sources/store',
    'workers',
    'workers/kernels',
    'workers/osm',
  ],
  'sources/coverage': ['kinds', 'sources', 'workers', 'workers/kernels'],
  'sources/osm': ['elements', 'geometry', 'page_text', 'sources', 'sources/store', 'workers/kernels', 'workers/osm'],
  'sources/seed': ['db', 'sources', 'sources/coverage', 'workers', 'workers/kernels'],
  'sources/store': [
    'db',
    'elements',
    'geometry',
    'sources',
    'sources/unshaped',
    'workers',
    'workers/kernels',
    'workers/osm',
  ],
  'sources/unshaped': ['db', 'elements', 'geometry', 'sources', 'sources/store', 'workers/kernels'],
  'sources/update': ['db', 'elements', 'geometry', 'sources/osm', 'sources/store', 'version', 'workers/osm'],
  system_errors: [],
  tiles: [
    'domain/boundaries',
    'domain/library',
    'elements',
    'errors',
    'geometry',
    'workers/formats/tile',
    'workers/kernels',
  ],
  tracing: [],
  transports: [
    'address_ranges',
    'deadline',
    'errors',
    'input',
    'invoke',
    'media_type',
    'op',
    'workers',
    'workers/formats',
    'workers/formats/collection',
  ],
  'transports/docs': [
    'access',
    'answers',
    'db',
    'elements',
    'errors',
    'op',
    'roles',
    'transports',
    'transports/http',
    'transports/pages',
    'version',
    'workers',
    'workers/formats',
    'workers/formats/collection',
  ],
  'transports/http': [
    'access',
    'answers',
    'config',
    'db',
    'deadline',
    'disposition',
    'elements',
    'errors',
    'file_formats',
    'invoke',
    'log',
    'op',
    'tracing',
    'transports',
    'transports/docs',
    'transports/mcp',
    'transports/ogc',
    'transports/pages',
    'transports/tiles',
    'workers',
    'workers/formats',
  ],
  'transports/mcp': [
    'access',
    'deadline',
    'elements',
    'errors',
    'file_formats',
    'input',
    'invoke',
    'op',
    'transports',
    'transports/docs',
    'transports/http',
    'version',
  ],
  'transports/ogc': [
    'domain/boundaries',
    'domain/names',
    'elements',
    'errors',
    'geometry',
    'ops/boundaries',
    'transports',
    'workers/kernels',
  ],
  'transports/pages': ['access', 'config', 'deadline', 'errors', 'input', 'op', 'plain_text', 'schemas', 'transports'],
  'transports/tiles': [
    'db',
    'domain/boundaries',
    'domain/names',
    'elements',
    'errors',
    'geometry',
    'op',
    'ops/boundaries',
    'tiles',
    'transports',
    'transports/http',
    'transports/pages',
  ],
  umask: [],
  version: ['db'],
  workers: [
    'workers/formats',
    'workers/formats/collection',
    'workers/formats/tile',
    'workers/kernels',
    'workers/osm',
    'workers/readers',
  ],
  'workers/formats': ['workers'],
  'workers/formats/collection': ['workers', 'workers/formats'],
  'workers/formats/tile': [],
  'workers/kernels': ['workers'],
  'workers/osm': [],
  'workers/readers': [],
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
  /^[ \t]*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\((type\s)?\s*'(\.[^']+)'|new URL\(\s*['`](\.[^'`$]+\.[jt]s)['`]/gm;

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

function roomOf(file: string): string {
  const folder = posix.dirname(file);
  return (folder === 'src' ? file.replace(/\.ts$/, '') : folder).replace(/^src\//, '');
}

/** Every arrow between rooms that a file makes, with what is wrong with it: null when nothing is. */
function arrowsOf(program: ReadonlyMap<string, string>): { from: string; to: string; fault: string | null }[] {
  return [...program].flatMap(([file, text]) =>
    importsOf(file, text).flatMap(({ target, types }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      const fault = faultOf(from, to, target, types);
      return from === to ? [] : [{ from, to, fault: fault && `${file} -> ${target}: ${fault}` }];
    }),
  );
}

function faultOf(from: string, to: string, target: string, types: boolean): string | null {
  if (to === 'services' || from === 'services') return types ? null : 'services.ts is types alone';
  if (from === to) return null;
  if (!ARROWS[from]?.includes(to)) return `no arrow leads from ${from} to ${to}`;
  const fromOutside = /^(ops|transports)\b/.test(from) && /^workers\b/.test(to);
  return fromOutside && !SHARED.includes(target) ? 'only the geometry calls the workers' : null;
}

/** What is wrong with the imports of a program, in words; empty when nothing is. */
function faults(program: ReadonlyMap<string, string>): string[] {
  return arrowsOf(program).flatMap(({ fault }) => fault ?? []);
}

/**
 * Files that import one another in a circle, each with the way around. op.ts and services.ts may: each names the types
 * of the other.
 */
function circles(program: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    for (const { target } of importsOf(file, program.get(file) ?? '')) {
      if (program.has(target) && target !== 'src/services.ts') walk(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of program.keys()) walk(file, []);
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

describe('the arrows between the rooms', () => {
  test('every import follows one, and each is followed', () => {
    expect(program.size).toBeGreaterThan(100);
    expect(faults(program)).toEqual([]);
    const rooms = new Set([...program.keys()].map(roomOf).filter((room) => room !== 'services'));
    expect(Object.keys(ARROWS).toSorted()).toEqual([...rooms].toSorted());
    const drawn = Object.entries(ARROWS).flatMap(([from, all]) => all.map((to) => `${from} -> ${to}`));
    const followed = new Set(arrowsOf(program).map(({ from, to }) => `${from} -> ${to}`));
    expect(drawn.filter((arrow) => !followed.has(arrow))).toEqual([]);
  });

  test('no file imports itself by way of others', () => {
    expect(circles(program)).toEqual([]);
    const round = new Map([
      ['src/a.ts', "import { b } from './b/b.ts';"],
      ['src/b/b.ts', "import type { C } from './c.ts';"],
      ['src/b/c.ts', "export { a } from '../a.ts';"],
    ]);
    expect(circles(round)).toEqual(['src/a.ts -> src/b/b.ts -> src/b/c.ts -> src/a.ts']);
  });

  test('no operation imports the file of another', () => {
    const ops = [...program.keys()].filter(
      (file) => /\bdefineOp\(/.test(program.get(file) ?? '') && file !== 'src/op.ts',
    );
    expect(ops.length).toBeGreaterThan(50);
    const lists = new Set(['src/ops/index.ts']);
    const crossed = ops
      .filter((file) => !lists.has(file))
      .flatMap((file) =>
        importsOf(file, program.get(file) ?? '').flatMap(({ target }) =>
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
    expect(named.map((one) => posix.basename(one.target)[0]).join('')).toBe('abdefghi');
    expect(named.map((one) => one.target)).toContain('src/x/b.ts');
    expect(named.filter((one) => one.types)).toEqual([{ target: 'src/d.ts', types: true }]);
  });

  test.each([
    ['src/domain/search/search.ts', "import { foldName } from '../sources/fold.ts';"],
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
