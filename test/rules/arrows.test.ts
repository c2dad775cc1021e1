import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Which room of the program imports which: all arrows that there are, and no others. A room is a file of src, src/core
 * or src/common, or any other folder of src or workers without its sub-folders, except workers/formats, which is one
 * room with its folders; src/ is left out of its name. services.ts is a list of types: importing it imports no code, so
 * every room may import it, as types.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  adapters: [
    'common/address_ranges',
    'common/elements',
    'common/media_type',
    'common/page_text',
    'common/private_folder',
    'common/system_errors',
    'common/tracing',
    'common/version',
    'config',
    'core/errors',
  ],
  app: [
    'adapters',
    'common/elements',
    'common/log',
    'common/metrics',
    'common/private_folder',
    'common/repeat',
    'common/tracing',
    'common/version',
    'config',
    'core/errors',
    'core/input',
    'core/op',
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
    'geometry',
    'ops',
    'ops/jobs',
    'sources',
    'transports',
    'transports/pages',
  ],
  backup: ['adapters', 'common/elements', 'common/version', 'core/errors', 'db', 'domain/library', 'workers/formats'],
  bench: ['common/elements', 'transports'],
  cli: [
    'adapters',
    'app',
    'cli/commands',
    'cli/operator',
    'cli/render',
    'cli/server',
    'common/elements',
    'common/log',
    'common/umask',
    'common/version',
    'config',
    'core/errors',
    'core/op',
    'db',
    'domain/boundaries',
    'domain/search',
    'ops',
    'sources',
    'sources/coverage',
    'sources/proposal',
    'transports',
    'transports/docs',
    'transports/mcp',
    'workers',
    'workers/formats',
  ],
  'cli/commands': [
    'adapters',
    'app',
    'backup',
    'bench',
    'cli',
    'cli/operator',
    'cli/render',
    'common/elements',
    'common/kinds',
    'common/log',
    'common/memory_limit',
    'common/private_folder',
    'common/system_errors',
    'common/umask',
    'config',
    'core/access',
    'core/errors',
    'db',
    'domain/boundaries',
    'domain/people',
    'domain/points',
    'geometry',
    'ops',
    'sources',
    'sources/coverage',
    'sources/update',
    'tiles',
    'transports',
    'transports/http',
    'transports/mcp',
    'workers',
    'workers/arcs',
    'workers/formats',
  ],
  'cli/operator': [
    'adapters',
    'app',
    'backup',
    'common/log',
    'common/memory_limit',
    'common/system_errors',
    'common/version',
    'config',
    'core/access',
    'core/errors',
    'core/input_wording',
    'core/schemas',
    'db',
    'domain/boundaries',
    'domain/library',
    'domain/names',
    'domain/people',
    'geometry',
    'ops/library',
    'sources',
    'sources/seed',
    'sources/update',
    'tiles',
    'transports/tiles',
  ],
  'cli/render': ['adapters', 'cli', 'common/elements', 'common/system_errors', 'core/errors', 'sources', 'transports'],
  'cli/server': [
    'adapters',
    'app',
    'backup',
    'cli',
    'cli/commands',
    'cli/operator',
    'cli/render',
    'common/elements',
    'common/held_warnings',
    'common/log',
    'common/private_folder',
    'common/version',
    'config',
    'core/errors',
    'db',
    'domain/people',
    'ops',
    'sources',
    'sources/seed',
    'transports',
    'transports/http',
  ],
  'common/address_ranges': [],
  'common/code_ids': [],
  'common/disposition': [],
  'common/elements': [],
  'common/held_warnings': [],
  'common/kinds': [],
  'common/log': [],
  'common/media_type': [],
  'common/memory_limit': [],
  'common/metrics': [],
  'common/page_text': [],
  'common/plain_text': [],
  'common/private_folder': ['config'],
  'common/repeat': [],
  'common/system_errors': [],
  'common/tracing': [],
  'common/turns': [],
  'common/umask': [],
  'common/version': ['db'],
  config: ['common/address_ranges', 'common/elements'],
  'core/access': ['core/errors', 'core/roles'],
  'core/answers': ['core/errors'],
  'core/audit_actions': [],
  'core/computing': [],
  'core/deadline': ['core/computing', 'core/errors'],
  'core/errors': [],
  'core/input': ['core/errors', 'core/input_wording'],
  'core/input_wording': ['core/schemas'],
  'core/invoke': [
    'common/tracing',
    'core/access',
    'core/answers',
    'core/deadline',
    'core/errors',
    'core/input',
    'core/op',
  ],
  'core/op': ['core/access', 'core/answers', 'core/audit_actions', 'core/deadline', 'core/errors'],
  'core/roles': [],
  'core/schemas': ['common/kinds', 'common/plain_text', 'workers', 'workers/formats'],
  db: ['common/elements', 'common/private_folder', 'common/tracing', 'core/computing'],
  domain: ['common/elements', 'core/errors', 'db'],
  'domain/areas': [
    'common/elements',
    'common/turns',
    'core/schemas',
    'db',
    'domain/areas/vocabulary',
    'domain/boundaries',
    'domain/names',
    'domain/read_model',
    'domain/search',
    'workers',
    'workers/arcs',
  ],
  'domain/areas/vocabulary': ['domain/areas', 'domain/names'],
  'domain/billing': ['adapters', 'common/elements', 'core/access', 'core/errors', 'db', 'domain', 'domain/people'],
  'domain/boards': ['common/elements', 'core/errors', 'db', 'domain', 'domain/names'],
  'domain/boundaries': [
    'common/code_ids',
    'common/elements',
    'common/turns',
    'core/errors',
    'core/schemas',
    'db',
    'domain',
    'domain/names',
    'domain/read_model',
  ],
  'domain/delivery': ['adapters', 'common/elements', 'db', 'domain', 'domain/jobs'],
  'domain/jobs': [
    'common/elements',
    'core/access',
    'core/errors',
    'core/roles',
    'db',
    'domain',
    'domain/billing',
    'domain/delivery',
    'domain/library',
    'domain/people',
  ],
  'domain/library': [
    'adapters',
    'common/elements',
    'core/access',
    'core/errors',
    'core/roles',
    'core/schemas',
    'db',
    'domain',
    'domain/people',
    'workers/formats',
  ],
  'domain/names': ['common/elements', 'core/schemas', 'db'],
  'domain/people': [
    'common/address_ranges',
    'common/elements',
    'common/plain_text',
    'core/access',
    'core/audit_actions',
    'core/errors',
    'core/roles',
    'db',
    'domain',
    'domain/delivery',
    'domain/library',
  ],
  'domain/points': [
    'common/elements',
    'core/access',
    'core/errors',
    'core/schemas',
    'db',
    'domain/billing',
    'domain/boundaries',
    'domain/read_model',
  ],
  'domain/read_model': ['common/elements', 'core/schemas', 'db', 'domain/boundaries', 'domain/names'],
  'domain/search': [
    'adapters',
    'common/elements',
    'core/errors',
    'core/schemas',
    'db',
    'domain/boundaries',
    'domain/names',
    'domain/read_model',
    'domain/upstream',
  ],
  'domain/upstream': ['adapters', 'common/elements', 'core/errors', 'db', 'domain', 'domain/boundaries'],
  geometry: [
    'common/elements',
    'common/turns',
    'core/computing',
    'core/errors',
    'db',
    'workers',
    'workers/formats',
    'workers/arcs',
    'workers/tasks',
  ],
  main: ['cli', 'common/umask', 'common/version'],
  ops: [
    'core/op',
    'ops/account',
    'ops/areas',
    'ops/boundaries',
    'ops/feedback',
    'ops/jobs',
    'ops/library',
    'ops/orgs',
    'ops/reviews',
  ],
  'ops/account': ['config', 'core/access', 'core/errors', 'core/op', 'core/roles', 'core/schemas'],
  'ops/areas': [
    'adapters',
    'common/elements',
    'common/turns',
    'core/access',
    'core/computing',
    'core/errors',
    'core/op',
    'core/schemas',
    'db',
    'domain/areas',
    'domain/boundaries',
    'domain/names',
    'geometry',
    'ops/areas/execution',
    'ops/areas/steps',
    'ops/boundaries',
  ],
  'ops/areas/execution': [
    'common/elements',
    'common/turns',
    'core/errors',
    'core/op',
    'domain/areas',
    'domain/boundaries',
    'domain/names',
  ],
  'ops/areas/shores': [
    'common/turns',
    'db',
    'domain/areas',
    'domain/boundaries',
    'ops/areas/execution',
    'ops/boundaries',
    'sources',
  ],
  'ops/areas/steps': [
    'common/elements',
    'common/turns',
    'db',
    'domain/areas',
    'domain/boundaries',
    'domain/names',
    'geometry',
    'ops/areas/execution',
    'ops/areas/shores',
    'ops/boundaries',
  ],
  'ops/boundaries': [
    'adapters',
    'common/code_ids',
    'common/disposition',
    'common/elements',
    'common/kinds',
    'common/turns',
    'core/access',
    'core/errors',
    'core/input',
    'core/op',
    'core/schemas',
    'domain/boundaries',
    'domain/names',
    'domain/points',
    'domain/search',
    'domain/upstream',
    'geometry',
    'ops/orgs',
    'sources',
    'workers',
    'workers/arcs',
    'workers/formats',
  ],
  'ops/feedback': [
    'core/access',
    'core/errors',
    'core/op',
    'core/schemas',
    'domain/boards',
    'domain/people',
    'ops/account',
  ],
  'ops/jobs': [
    'common/elements',
    'core/access',
    'core/errors',
    'core/input',
    'core/op',
    'core/schemas',
    'domain/boundaries',
    'domain/delivery',
    'domain/jobs',
    'geometry',
    'ops/account',
    'ops/boundaries',
    'ops/library',
    'ops/orgs',
    'workers/formats',
    'workers/arcs',
  ],
  'ops/library': [
    'common/elements',
    'core/access',
    'core/errors',
    'core/input',
    'core/op',
    'core/schemas',
    'domain/boundaries',
    'domain/library',
    'domain/people',
    'geometry',
    'ops/account',
    'ops/areas',
    'ops/boundaries',
    'ops/orgs',
    'workers/formats',
  ],
  'ops/orgs': [
    'config',
    'core/access',
    'core/errors',
    'core/op',
    'core/roles',
    'core/schemas',
    'domain/people',
    'ops/account',
  ],
  'ops/reviews': [
    'core/access',
    'core/errors',
    'core/op',
    'core/schemas',
    'domain/boards',
    'domain/people',
    'ops/account',
    'ops/feedback',
  ],
  sources: [
    'common/code_ids',
    'common/elements',
    'core/schemas',
    'db',
    'domain',
    'domain/boundaries',
    'domain/names',
    'domain/upstream',
    'geometry',
    'sources/coverage',
    'sources/osm',
    'sources/seed',
    'sources/store',
    'workers',
    'workers/arcs',
    'workers/formats',
    'workers/osm',
  ],
  'sources/coverage': [
    'common/code_ids',
    'common/kinds',
    'sources',
    'workers',
    'workers/arcs',
    'workers/formats',
    'workers/projections',
  ],
  'sources/osm': [
    'common/elements',
    'common/page_text',
    'geometry',
    'sources',
    'sources/store',
    'workers/arcs',
    'workers/osm',
  ],
  'sources/proposal': ['common/kinds', 'domain/names', 'sources', 'sources/coverage'],
  'sources/seed': ['db', 'sources', 'sources/coverage', 'workers', 'workers/arcs'],
  'sources/store': [
    'common/elements',
    'db',
    'domain/names',
    'geometry',
    'sources',
    'sources/unshaped',
    'workers',
    'workers/arcs',
    'workers/osm',
    'workers/projections',
    'workers/tasks',
  ],
  'sources/unshaped': ['common/elements', 'db', 'geometry', 'sources', 'sources/store', 'workers/arcs'],
  'sources/update': [
    'common/elements',
    'common/version',
    'db',
    'geometry',
    'sources/osm',
    'sources/store',
    'workers/osm',
  ],
  tiles: [
    'common/elements',
    'core/errors',
    'domain/boundaries',
    'domain/library',
    'domain/names',
    'geometry',
    'workers/formats',
    'workers/arcs',
  ],
  transports: [
    'common/address_ranges',
    'common/media_type',
    'core/deadline',
    'core/errors',
    'core/input',
    'core/invoke',
    'core/op',
    'workers/formats',
  ],
  'transports/docs': [
    'common/elements',
    'common/version',
    'core/access',
    'core/answers',
    'core/errors',
    'core/op',
    'core/roles',
    'db',
    'transports',
    'transports/http',
    'transports/pages',
    'workers/formats',
  ],
  'transports/http': [
    'common/disposition',
    'common/elements',
    'common/log',
    'common/tracing',
    'config',
    'core/access',
    'core/answers',
    'core/deadline',
    'core/errors',
    'core/invoke',
    'core/op',
    'db',
    'transports',
    'transports/docs',
    'transports/mcp',
    'transports/ogc',
    'transports/pages',
    'transports/tiles',
    'workers/formats',
  ],
  'transports/mcp': [
    'common/elements',
    'common/version',
    'core/access',
    'core/deadline',
    'core/errors',
    'core/input',
    'core/invoke',
    'core/op',
    'transports',
    'transports/docs',
    'transports/http',
    'workers/formats',
  ],
  'transports/ogc': [
    'common/elements',
    'core/errors',
    'domain/boundaries',
    'domain/names',
    'geometry',
    'ops/boundaries',
    'transports',
    'workers/arcs',
  ],
  'transports/pages': [
    'common/held_warnings',
    'common/plain_text',
    'config',
    'core/access',
    'core/deadline',
    'core/errors',
    'core/input',
    'core/op',
    'core/schemas',
    'transports',
  ],
  'transports/tiles': [
    'common/elements',
    'core/errors',
    'core/op',
    'db',
    'domain/boundaries',
    'domain/names',
    'geometry',
    'ops/boundaries',
    'tiles',
    'transports',
    'transports/http',
    'transports/pages',
  ],
  workers: ['workers/formats', 'workers/arcs'],
  'workers/formats': ['workers', 'workers/projections'],
  'workers/arcs': ['workers'],
  'workers/osm': [],
  'workers/projections': [],
  'workers/tasks': ['workers', 'workers/formats', 'workers/arcs', 'workers/osm'],
};

/** What of the workers is shared with the callers of the geometry: types, names of formats, levels of detail. */
const SHARED = [
  'workers/contract.ts',
  'workers/formats/registry.ts',
  'workers/formats/types.ts',
  'workers/arcs/levels.ts',
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

/** Folders whose files are rooms of their own. */
const OF_FILES = ['src', 'src/core', 'src/common'];

function roomOf(file: string): string {
  const folder = posix.dirname(file).replace(/^(workers\/formats)\/.*/, '$1');
  return (OF_FILES.includes(folder) ? file.replace(/\.ts$/, '') : folder).replace(/^src\//, '');
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
      (file) => /\bdefineOp\(/.test(program.get(file) ?? '') && file !== 'src/core/op.ts',
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
    ['src/core/errors.ts', "import type { AnyOp } from './op.ts';"],
    ['src/core/op.ts', "import { ops } from '../ops/index.ts';"],
    ['src/core/op.ts', "import { services } from '../services.ts';"],
    ['src/services.ts', "import { createBlobs } from './adapters/blobs.ts';"],
    ['src/transports/http/http.ts', "import { createBilling } from '../../domain/billing.ts';"],
    ['src/ops/files/get_file.ts', "import { mergeArcs } from '../../../workers/arcs/merge.ts';"],
    ['src/geometry/engine.ts', "import { toSummary } from '../domain/boundaries.ts';"],
    ['workers/arcs/area.ts', "import { problem } from '../../src/core/errors.ts';"],
    ['src/stray.ts', "import { problem } from './errors.ts';"],
  ])('the rule notices %s with %s', (file, text) => {
    expect(faults(new Map([[file, text]]))).toHaveLength(1);
  });
});
