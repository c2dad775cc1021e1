import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/common/package_root.ts';
import { openExampleServer } from '../docs/example_fixture.ts';
import { blocksOf } from '../docs/texts.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';

const run = promisify(execFile);
let server: BoundaryTestServer;
let folder: string;
let env: NodeJS.ProcessEnv;
/** What `npm pack` says of the package that the tests install. */
let packed: { readonly filename: string; readonly size: number; readonly files: readonly PackedFile[] };
interface PackedFile {
  readonly path: string;
  readonly size: number;
}
beforeAll(async () => {
  server = await openExampleServer();
  const cache = join(packageRoot(), '.test-cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'clients-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const pack = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: join(packageRoot(), 'clients/js') });
  [packed] = JSON.parse(stdout);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder });
  const { key } = await server.key();
  env = { ...process.env, SERVICE: server.address, KEY: key };
});
afterAll(async () => {
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const PROGRAM = `
import { BoundaryError, BoundaryLookup } from 'boundary-lookup-client';

const client = new BoundaryLookup({ url: process.env.SERVICE, key: process.env.KEY });
const found = await client.searchBoundaries({ q: 'Sevilla', country: 'ES', limit: 3 });
const [first] = found.items;
const level: number | null = first.admin_level;
const children: string[] = [];
for await (const one of client.listChildrenPages({ id: 'iso:ES-AN', limit: 1 })) children.push(one.id);
const file = await client.stream('export_collection', { children_of: 'iso:ES-AN', format: 'csv', geometry: 'none' });
let bytes = 0;
for await (const part of file) bytes += part.byteLength;
const table = await client.crosswalk({ a: ['iso:ES-SE'], b: ['iso:ES-AN'], format: 'csv' });
let problem = '';
try {
  await client.getBoundary({ id: 'r404404', detail: 'low' });
} catch (error) {
  if (error instanceof BoundaryError) problem = error.code;
}
console.log(JSON.stringify({
  id: first.id, level, children, bytes, problem,
  table: table instanceof Uint8Array ? new TextDecoder().decode(table).split('\\n').length : 0,
}));
`;

const PYTHON = `
import json, os
from boundary_lookup import BoundaryError, BoundaryLookup

client = BoundaryLookup(os.environ["SERVICE"], key=os.environ["KEY"])
first = client.search_boundaries("Sevilla", country="ES", limit=3)["items"][0]
children = [one["id"] for one in client.list_children_pages("iso:ES-AN", limit=1)]
with client.stream("export_collection", children_of="iso:ES-AN", format="csv", geometry="none") as file:
    size = sum(len(part) for part in iter(lambda: file.read(1000), b""))
table = client.crosswalk(a=["iso:ES-SE"], b=["iso:ES-AN"], format="csv")
try:
    client.get_boundary("r404404", detail="low")
    problem = ""
except BoundaryError as error:
    problem = error.code
print(json.dumps({"id": first["id"], "level": first["admin_level"], "children": children, "bytes": size,
                  "problem": problem, "table": len(table.decode().split("\\n"))}))
`;

test('the package has the files and the sizes that its page says', async () => {
  const { size, files } = packed;
  const names = files.map(({ path }) => path).sort();
  expect(names).toEqual(['LICENSE', 'README.md', 'client.d.ts', 'client.js', 'operations.js', 'package.json']);
  const sizeOf = (ending: string): number =>
    files.reduce((sum, { path, size }) => sum + (path.endsWith(ending) ? size : 0), 0);
  const page = await readFile(join(packageRoot(), 'docs/clients.md'), 'utf8');
  const said = /has (\d+) kB: (\d+) kB of code and (\d+) kB of types/.exec(page)?.slice(1).map(Number);
  for (const [i, bytes] of [size, sizeOf('.js'), sizeOf('.d.ts')].entries()) {
    expect(Math.abs((said?.[i] ?? 0) / (bytes / 1000) - 1), `${i}: ${bytes}`).toBeLessThan(0.1);
  }
  const license = await readFile(join(folder, 'node_modules/boundary-lookup-client/LICENSE'), 'utf8');
  expect(license).toBe(await readFile(join(packageRoot(), 'LICENSE'), 'utf8'));
  const readme = await readFile(join(folder, 'node_modules/boundary-lookup-client/README.md'), 'utf8');
  expect(readme).toContain(`npm install ./${packed.filename}`);
});

test.each([
  ['the README of the package', 'clients/js/README.md'],
  ['the page of the clients', 'docs/clients.md'],
])('the programs of %s run as they are, in TypeScript too', async (_, path) => {
  const here = (text: string): string => text.replaceAll('http://127.0.0.1:8080', server.address);
  const programs = blocksOf(path).filter(({ language }) => language === 'js' || language === 'python');
  expect(programs.length).toBeGreaterThan(1);
  for (const { language, content } of programs) {
    const isJs = language === 'js';
    if (isJs) expect(await compiled(content)).toBe('');
    if (isJs) expect(await compiled(content, ['es2023'])).toBe('');
    await writeFile(
      join(folder, isJs ? 'first.mjs' : 'first.py'),
      here(content).replace('key="..."', `key="${env.KEY}"`),
    );
    const done = isJs ? run(process.execPath, ['first.mjs'], { cwd: folder, env }) : python('first.py');
    expect((await done).stdout).toMatch(/Sevilla|Huelva|Polygon/);
  }
  const file = path.startsWith('docs') ? 'andalucia.gpkg' : 'provinces.gpkg';
  expect((await stat(join(folder, file))).size).toBeGreaterThan(10_000);
});

/** Compiles a program as a stranger would, strictly, for a browser or for Node alone. Returns its complaints. */
async function compiled(program: string, lib = ['es2023', 'dom', 'dom.iterable']): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  const compilerOptions = {
    target: 'es2022',
    lib,
    module: 'nodenext',
    strict: true,
    types: ['node'],
    outDir: 'out',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const tsc = join(packageRoot(), 'node_modules/typescript/bin/tsc');
  return (await run(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch((e: { stdout: string }) => e)).stdout;
}

/** Runs a program in Python beside the client. */
function python(file: string) {
  const path = { PYTHONPATH: join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  return run('python3', [file], { cwd: folder, env: { ...env, ...path } });
}

test('both clients call a running service: types, pages, streams, problems', async () => {
  expect(await compiled(PROGRAM)).toBe('');
  const js = await run(process.execPath, ['out/program.js'], { cwd: folder, env });
  await writeFile(join(folder, 'program.py'), PYTHON);
  const py = await python('program.py');
  const [fromJs, fromPython] = [JSON.parse(js.stdout), JSON.parse(py.stdout)];
  expect(fromPython).toEqual(fromJs);
  expect(fromJs).toMatchObject({ id: 'r9000000003264', level: 6, problem: 'not_found', table: 3 });
  expect(fromJs.children).toHaveLength(2);
  expect(fromJs.bytes).toBeGreaterThan(100);
});

test('both clients wait as Retry-After says, and give up in the end', async () => {
  const times: number[] = [];
  const busy = createServer((request, response) => {
    request.resume();
    times.push(Date.now());
    const later = request.url?.endsWith('get_usage') || times.length === 1;
    response.writeHead(later ? 429 : 200, { 'Content-Type': 'application/json', 'Retry-After': '1' });
    response.end(JSON.stringify(later ? { code: 'rate_limited', detail: 'Later.' } : { items: [] }));
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
  try {
    for (const language of ['js', 'python'] as const) {
      times.length = 0;
      const code =
        language === 'js'
          ? `import { BoundaryLookup } from 'boundary-lookup-client';
             const c = new BoundaryLookup({ url: '${url}', retries: 1 });
             console.log((await c.listKinds()).items.length);
             await c.getUsage().catch((e) => console.log(e.code));`
          : `from boundary_lookup import *\nc = BoundaryLookup("${url}", retries=1)\nprint(len(c.list_kinds()["items"]))\ntry:\n    c.get_usage()\nexcept BoundaryError as e:\n    print(e.code)`;
      const file = join(folder, language === 'js' ? 'busy.mjs' : 'busy.py');
      await writeFile(file, code);
      const path = { PYTHONPATH: join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
      const program = language === 'js' ? process.execPath : 'python3';
      const { stdout } = await run(program, [file], { cwd: folder, env: { ...env, ...path } });
      expect(stdout.trim().split(/\s+/)).toEqual(['0', 'rate_limited']);
      expect(times).toHaveLength(4);
      expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(900);
    }
  } finally {
    busy.close();
  }
});

test('both clients repeat no write that may have happened, and take no redirect along with the key', async () => {
  const seen: { readonly path: string; readonly body: string; readonly key: string }[] = [];
  const listen = (status: (path: string) => number, location = '') =>
    new Promise<ReturnType<typeof createServer>>((resolve) => {
      const made = createServer(async (request, response) => {
        let body = '';
        for await (const part of request) body += String(part);
        const path = String(request.url);
        seen.push({ path, body, key: String(request.headers.authorization) });
        response.writeHead(status(path), { 'Retry-After': '0', ...(location && { Location: location }) });
        response.end('{}');
      });
      made.listen(0, '127.0.0.1', () => resolve(made));
    });
  const addressOf = (of: ReturnType<typeof createServer>) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
  const busy = await listen(() => 503);
  const other = await listen(() => 200);
  const moved = await listen(() => 302, `${addressOf(other)}/other`);
  try {
    const js = `import { BoundaryLookup } from 'boundary-lookup-client';
      const c = new BoundaryLookup({ url: '${addressOf(busy)}', key: 'k', retries: 2 });
      for (const call of [c.updateFile({ id: 'f', name: 'n' }), c.listChanges({ from: '2024-01-01', to: '2025-01-01' })])
        await call.catch((e) => console.log(e.status));`;
    const py = `from boundary_lookup import *
c = BoundaryLookup("${addressOf(busy)}", key="k", retries=2)
for call in [lambda: c.update_file("f", name="n"), lambda: c.list_changes("2024-01-01", to="2025-01-01"),
             lambda: BoundaryLookup("${addressOf(moved)}", key="k").list_kinds()]:
    try:
        call()
    except BoundaryError as e:
        print(e.status)
`;
    const path = { PYTHONPATH: join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
    for (const [name, text, program, statuses] of [
      ['writes.mjs', js, process.execPath, ['503', '503']],
      ['writes.py', py, 'python3', ['503', '503', '302']],
    ] as const) {
      seen.length = 0;
      await writeFile(join(folder, name), text);
      const { stdout } = await run(program, [join(folder, name)], { cwd: folder, env: { ...env, ...path } });
      expect(stdout.trim().split(/\s+/)).toEqual(statuses);
      const calls = (op: string) =>
        seen.filter((one) => one.path === `/v1/ops/${op}`).map(({ body }) => JSON.parse(body));
      expect(calls('update_file')).toEqual([{ id: 'f', name: 'n' }]);
      expect(calls('list_changes')).toEqual(Array(3).fill({ from: '2024-01-01', to: '2025-01-01' }));
      expect(seen.filter((one) => one.path === '/other')).toEqual([]);
    }
  } finally {
    for (const one of [busy, other, moved]) one.close();
  }
});
