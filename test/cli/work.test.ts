import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileName, runExport } from '../../src/cli/commands/export.ts';
import { runUnion } from '../../src/cli/commands/union.ts';
import { writeWhole } from '../../src/cli/files.ts';
import { reportOf } from '../../src/cli/render/report.ts';
import type { Terminal } from '../../src/cli/render/terminal.ts';
import { defined } from '../../src/common/elements.ts';
import { PROBLEMS, ProblemError } from '../../src/core/errors.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type CallTarget, serverTarget } from '../../src/transports/call.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureBoundary, fixtureWorld, HOSTILE, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { type Machine, openMachine } from './program.ts';

let testServer: BoundaryTestServer;
let machine: Machine;
let key: string;
let org: string;
let folder: string;
beforeAll(async () => {
  testServer = await openBoundaryTestServer();
  const world = fixtureWorld();
  const far = (x: number) => ringsOf(rectangle(x, -40, x + 1, -39));
  const named = [
    fixtureBoundary('r800', 'Springfield', far(10), { adminLevel: 8, names: { fr: 'Champ-du-Printemps' } }),
    fixtureBoundary('r801', 'Springfield', far(12), { adminLevel: 8 }),
    fixtureBoundary('r802', 'Alemannia', far(14), { adminLevel: 4, names: { fr: 'Allemagne' } }),
    fixtureBoundary('r803', 'Allemagne-en-Provence', far(16), { adminLevel: 8 }),
    fixtureBoundary('r804', 'Gampaha District', far(18), { adminLevel: 6 }),
  ];
  await storeBoundaries(
    { db: testServer.services.db, engine: testServer.engine },
    { ...world, boundaries: [...world.boundaries, ...named] },
  );
  ({ key, org } = await testServer.key());
  machine = openMachine();
  folder = mkdtempSync(join(tmpdir(), 'boundary-work-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  machine?.remove();
  await testServer?.close();
});

interface Told {
  exit: number;
  out: Buffer;
  err: string;
}

/** A terminal that no one looks at, and the service as the target. */
async function work(
  run: (target: CallTarget, terminal: Terminal) => Promise<unknown>,
  { target = serverTarget({ baseUrl: testServer.address, apiKey: key }), stdin = '' } = {},
): Promise<Told> {
  const result: Told = { exit: 0, out: Buffer.alloc(0), err: '' };
  const terminal: Terminal = {
    stdout: (content) => {
      result.out = Buffer.concat([result.out, Buffer.from(content)]);
    },
    stderr: (text) => {
      result.err += text;
    },
    stdin: () => Buffer.from(stdin),
    writeFile: writeWhole,
    isTerminal: false,
    colors: { out: false, err: false },
  };
  try {
    const exit = await run(target, terminal);
    if (typeof exit === 'number') result.exit = exit;
  } catch (error) {
    const report = reportOf(error);
    result.exit = report.exit;
    result.err += report.text;
  }
  return result;
}
const union = (names: string[], flags: Parameters<typeof runUnion>[2] = {}, more = {}) =>
  work((target, terminal) => runUnion(target, names, flags, terminal), more);
const areaOf = (file: Buffer): unknown => JSON.parse(file.toString()).properties.include;

describe('boundary union', () => {
  test('names and ids, mixed; what a name means goes to standard error', async () => {
    const result = await union(['Commune 11', '-112', 'wikidata:Q113', 'Commune 11']);
    expect(result.err).toBe(
      'Commune 11: Commune 11, municipality in Atlantis > Province 1 (r111)\n'.repeat(1) +
        'Commune 11: Commune 11, municipality in Atlantis > Province 1 (r111)\n',
    );
    expect([result.exit, areaOf(result.out)]).toEqual([0, ['r111', 'r112', 'r113']]);
    const direct = await testServer.ask('POST', '/v1/boundaries/union', {
      json: { include: ['r111', 'r112', 'r113'] },
      key,
    });
    expect(result.out.equals(direct.bytes)).toBe(true);
  });

  test('the format is that of the extension; --exclude, --detail and --json', async () => {
    const file = join(folder, 'area.KML');
    const result = await union(['Province 1'], { exclude: ['Commune 12'], output: file, detail: 'full', json: true });
    expect(JSON.parse(result.out.toString())).toMatchObject({
      file,
      include: ['r101'],
      exclude: ['r112'],
      format: 'kml',
      detail: 'full',
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^<\?xml.*\n<kml/);
    const piped = await union(['r101'], { format: 'wkt' });
    expect(piped.out.toString()).toMatch(/^POLYGON\(\(.*\)\)$/);
    expect((await union(['r101'], { output: join(folder, 'area.shp') })).err).toContain(
      'Choose the format with --format',
    );
    expect((await union(['r101'], { detail: 'huge' })).err).toContain('must be one of low, medium, high, full');
    expect((await union(['r101'], { format: 'shp' })).err).toContain('format: must be one of');
  });

  test('names from standard input, a line each', async () => {
    const result = await union(['-'], {}, { stdin: 'Commune 11\n\n r112 \r\n' });
    expect([result.exit, areaOf(result.out)]).toEqual([0, ['r111', 'r112']]);
    expect((await union(['-'], {}, { stdin: '\n' })).err).toContain('Name at least one boundary');
  });

  test('a name that means several is not guessed: candidates, exit code 2, nothing written or paid', async () => {
    const file = join(folder, 'none.kml');
    const before = await testServer.used(key);
    const result = await union(['Commune 11', 'Springfield'], { output: file });
    expect([result.exit, result.out.length, existsSync(file)]).toEqual([2, 0, false]);
    expect(result.err).toMatch(/^id +name +kind.*\nr800 +Springfield.*\nr801 +Springfield/m);
    expect(result.err).toContain(
      'error: invalid_input: 2 or more boundaries are called "Springfield": name one by its id, such as r800',
    );
    expect(await testServer.used(key)).toBe(before);
    expect((await union(['r800', 'Springfield'], { adminLevel: '8', near: '-39.5,12.5' })).exit).toBe(2);
  });

  test('names in other languages, without their type word, of one parent', async () => {
    expect(areaOf((await union(['Champ du Printemps'])).out)).toEqual(['r800']);
    expect(areaOf((await union(['allemagne'])).out)).toEqual(['r802']);
    expect(areaOf((await union(['Gampaha'])).out)).toEqual(['r804']);
    expect(areaOf((await union(['Commune 21, Province 2'])).out)).toEqual(['r121']);
    const other = await union(['Commune 21, Province 1']);
    // It is shown where it is, and not taken.
    expect([other.exit, other.err]).toEqual([2, expect.stringContaining('Atlantis > Province 2')]);
  });

  test('what only resembles a name is listed, and not taken', async () => {
    const result = await union(['Atlantys']);
    expect([result.exit, result.out.length]).toEqual([2, 0]);
    expect(result.err).toMatch(/r100 +Atlantis/);
    expect(result.err).toContain('no boundary is called exactly "Atlantys"');
    const none = await union(['Nowhere at all']);
    expect([none.exit, none.err]).toEqual([4, expect.stringContaining('No boundary is called "Nowhere at all".')]);
  });
});

const exported = (flags: Partial<Parameters<typeof runExport>[2]>, names: string[] = [], more = {}) =>
  work(
    (target, terminal) =>
      runExport(
        target,
        names,
        { out: join(folder, 'out'), format: 'geojson', ...flags },
        terminal,
        new AbortController().signal,
      ),
    more,
  );
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('boundary export', () => {
  test('siblings into files of one tolerance, that of the largest; again, all is there already', async () => {
    const out = join(folder, 'siblings');
    const result = await exported({ childrenOf: 'Atlantis', out, format: 'kml', json: true });
    expect(result.exit).toBe(0);
    const said = JSON.parse(result.out.toString());
    const files = ['Province 1 (r101).kml', 'Province 2 (r102).kml', 'Province 3 (r103).kml'];
    expect(said).toMatchObject({
      folder: out,
      format: 'kml',
      tolerance_m: 64,
      written: files,
      skipped: [],
      failed: [],
    });
    expect(readdirSync(out).sort()).toEqual([...files, 'boundary-export.jsonl'].sort());
    const direct = await testServer.get('/v1/boundaries/r102/export?format=kml&tolerance_m=64', key);
    expect(readFileSync(join(out, defined(files[1]))).equals(direct.bytes)).toBe(true);

    const used = await testServer.used(key);
    const again = await exported({ childrenOf: 'r100', out, format: 'kml', json: true });
    expect(JSON.parse(again.out.toString())).toMatchObject({ written: [], skipped: files });
    expect(await testServer.used(key)).toBe(used);
    expect((await exported({ childrenOf: 'r100', out, format: 'kml' })).err).toBe(`${out}: 0 written, 3 unchanged\n`);
  });

  test('of a place with subdivisions of two levels, what is left out is reported, and --levels has it', async () => {
    const out = join(folder, 'levels');
    const ends = (west: number, east: number) => ringsOf(rectangle(west, -30, east, -29));
    await storeBoundaries(
      { db: testServer.services.db, engine: testServer.engine },
      {
        ...fixtureWorld(),
        ways: new Map(),
        boundaries: [
          fixtureBoundary('r850', 'Mixed', ends(10, 14), { adminLevel: 4 }),
          fixtureBoundary('r851', 'Half', ends(10, 12), { adminLevel: 6 }),
          fixtureBoundary('r852', 'Quarter A', ends(12, 13), { adminLevel: 8 }),
          fixtureBoundary('r853', 'Quarter B', ends(13, 14), { adminLevel: 8 }),
        ],
      },
    );
    const some = await exported({ childrenOf: 'r850', out });
    expect(some.err).toMatch(
      /^r850: the 1 subdivisions listed cover (49|50)\.\d % of it; left out: 2 of level 8 \(--levels direct includes them\)\n.*1 written\n$/,
    );
    const direct = await exported({ childrenOf: 'r850', levels: 'direct', out });
    expect(direct.err).toBe(`${out}: 2 written, 1 unchanged\n`);
    expect((await exported({ childrenOf: 'r850', levels: 'all', out })).err).toContain('3 unchanged');
    expect((await exported({ childrenOf: 'r850', levels: 'all', level: '8', out })).exit).toBe(2);
  });

  test('goes through all pages of a long list, and begins again when the boundaries change on the way', async () => {
    const real = serverTarget({ baseUrl: testServer.address, apiKey: key });
    const cursors: unknown[] = [];
    const small: CallTarget = {
      ...real,
      call: async (op, input) => {
        if (op !== 'list_children') return real.call(op, input);
        cursors.push(input.cursor ?? null);
        if (cursors.length === 2) {
          await testServer.services.db.query("update boundary set population = 7 where id = 'r113'");
        }
        return real.call(op, { ...input, limit: 2 });
      },
    };
    const result = await exported({ childrenOf: 'r101', out: join(folder, 'paged') }, [], { target: small });
    expect([result.exit, result.err]).toEqual([0, expect.stringContaining('3 written')]);
    expect(cursors).toEqual([null, expect.any(String), null, expect.any(String)]);
  });

  test('goes on where it was ended: what is missing, cut off, changed or of another tolerance is made again', async () => {
    const out = join(folder, 'resumed');
    const flags = { childrenOf: 'r101', out, json: true };
    await exported(flags);
    const files = readdirSync(out)
      .filter((name) => name.endsWith('.geojson'))
      .sort();
    expect(files).toHaveLength(3);
    const whole = files.map((name) => sha256(readFileSync(join(out, name))));
    rmSync(join(out, defined(files[0])));
    writeFileSync(join(out, defined(files[1])), readFileSync(join(out, defined(files[1]))).subarray(0, 100));
    appendFileSync(join(out, 'boundary-export.jsonl'), '{"file":"cut o');
    const second = JSON.parse((await exported(flags)).out.toString());
    expect([second.written.sort(), second.skipped]).toEqual([[files[0], files[1]], [files[2]]]);
    expect(files.map((name) => sha256(readFileSync(join(out, name))))).toEqual(whole);
    expect(JSON.parse((await exported(flags)).out.toString()).skipped.sort()).toEqual(files);
    const finer = JSON.parse((await exported({ ...flags, toleranceM: '1' })).out.toString());
    expect(finer.written.sort()).toEqual(files);
    const full = JSON.parse((await exported({ ...flags, detail: 'full' })).out.toString());
    expect([full.detail, full.tolerance_m, full.written.length]).toEqual(['full', undefined, 3]);
  });

  test('names that no file may have, and what has no polygon', async () => {
    const out = join(folder, 'named');
    const result = await exported({ out }, ['r122', 'Commune 11', 'R111']);
    expect(result.exit).toBe(0);
    const files = readdirSync(out).filter((name) => name.endsWith('.geojson'));
    expect(files.sort()).toEqual(['Commune 11 (r111).geojson', `${fileName(HOSTILE)}(r122).geojson`].sort());
    expect((await exported({ out }, ['r300'])).err).toContain('no_geometry');
    expect([
      fileName('../../etc/passwd'),
      fileName('.. '),
      fileName('a\n\u202eb'),
      fileName('日本'.repeat(99)).length,
    ]).toEqual(['etc passwd ', '', 'a b ', 51]);
  });

  test('an unknown boundary, no subdivisions, wrong flags', async () => {
    expect(await exported({ childrenOf: 'r999999' })).toMatchObject({ exit: 4 });
    expect((await exported({ childrenOf: 'w500' })).err).toContain('w500 has no subdivisions');
    expect((await exported({}, [])).err).toContain('either names or --children-of');
    expect((await exported({ childrenOf: 'r101' }, ['r102'])).err).toContain('either names or --children-of');
    expect((await exported({ childrenOf: 'r101', toleranceM: '3' })).err).toContain('power of two');
    expect((await exported({ childrenOf: 'r101', toleranceM: '4', detail: 'low' })).err).toContain('not both');
    expect((await exported({ childrenOf: 'r101', parallel: '99' })).err).toContain('parallel: must be from 1 to 16');
    expect((await exported({ childrenOf: 'r101', level: '2' })).exit).toBe(2);
  });

  test('one that fails is named, the others are written; out of units, nothing goes on', async () => {
    const real = serverTarget({ baseUrl: testServer.address, apiKey: key });
    const failing: CallTarget = {
      ...real,
      call: (op, input) =>
        op === 'export_boundary' && input.id === 'r112'
          ? real.call('get_boundary', { id: 'r300' })
          : real.call(op, input),
    };
    const out = join(folder, 'partly');
    const result = await exported({ childrenOf: 'r101', out }, [], { target: failing });
    expect([result.exit, result.err]).toEqual([
      4,
      expect.stringMatching(/^Commune 12 \(r112\): no_geometry: .*\n.*2 written, 1 failed\n$/),
    ]);
    const poor = await testServer.key('free');
    await testServer.spend(poor.org, 1);
    const target = serverTarget({ baseUrl: testServer.address, apiKey: poor.key });
    const spent = await exported({ childrenOf: 'r101', out: join(folder, 'poor'), parallel: '1' }, [], { target });
    expect([spent.exit, spent.err]).toEqual([5, expect.stringContaining('quota_exceeded')]);
    expect(readdirSync(join(folder, 'poor'))).toHaveLength(2);
  });

  test('waits where the service asks for it, and takes no file that does not match its sha256', async () => {
    const real = serverTarget({ baseUrl: testServer.address, apiKey: key });
    let refused = 0;
    const busy: CallTarget = {
      ...real,
      call: (op, input) =>
        op === 'export_boundary' && refused++ < 2
          ? Promise.reject(new ProblemError('rate_limited', 'later', { retry_after: 0.01 }))
          : real.call(op, input),
    };
    expect((await exported({ childrenOf: 'r101', out: join(folder, 'busy') }, [], { target: busy })).err).toMatch(
      /3 written/,
    );
    const lying: CallTarget = {
      ...real,
      download: async (url) => {
        const answer = await real.download(url);
        return { ...answer, body: answer.body.subarray(1) };
      },
    };
    const result = await exported({ childrenOf: 'r101', out: join(folder, 'lies') }, [], { target: lying });
    expect([result.exit, result.err]).toEqual([1, expect.stringContaining('does not match its sha256')]);
    expect(readdirSync(join(folder, 'lies'))).toEqual([]);
  });
});

describe('whole or not at all', () => {
  const env = () => ({ BOUNDARY_BASE_URL: testServer.address, BOUNDARY_API_KEY: key });

  test('two exports into one folder at once', async () => {
    const args = ['export', '--children-of', 'r100', '--level', '8', '--out', 'both'];
    const outcomes = await Promise.all([machine.run(args, { env: env() }), machine.run(args, { env: env() })]);
    expect(outcomes.map(({ exit }) => exit)).toEqual([0, 0]);
    const names = readdirSync(machine.path('both'));
    expect(names.filter((name) => !name.endsWith('.geojson'))).toEqual(['boundary-export.jsonl']);
    for (const name of names.filter((one) => one.endsWith('.geojson'))) {
      expect(JSON.parse(readFileSync(machine.path('both', name), 'utf8')).type).toBe('Feature');
    }
    const lines = readFileSync(machine.path('both', 'boundary-export.jsonl'), 'utf8').trimEnd().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).file)).size).toBe(9);
  });

  test('the subdivisions of a place, by its name, as one file', async () => {
    const args = ['export', '--children-of', 'Atlantis', '--level', '8', '-o', 'communes.csv', '--json'];
    const csv = await machine.run(args, { env: env() });
    expect([csv.exit, JSON.parse(csv.out)]).toMatchObject([0, { file: 'communes.csv', format: 'csv', count: 9 }]);
    expect(readFileSync(machine.path('communes.csv'), 'utf8')).toMatch(/^id,name,local_name,.*,wkt\r\n/);
    const named = await machine.run(['export', 'r101', 'r102', '--as', 'geopackage', '-o', 'two'], { env: env() });
    expect([named.exit, named.err]).toEqual([
      0,
      expect.stringMatching(/^two: 2 boundaries, \d+ bytes, tolerance \d+ m\n$/),
    ]);
    expect(readFileSync(machine.path('two')).subarray(0, 13).toString()).toBe('SQLite format');
    for (const wrong of [['r101'], ['r101', '-o', 'a.xyz'], ['r101', '-o', 'a.csv', '--out', 'b'], ['-o', 'a.csv']]) {
      expect((await machine.run(['export', ...wrong], { env: env() })).exit, wrong.join(' ')).toBe(2);
    }
  });

  test('a full disk is reported, and nothing is left', async () => {
    const full = await machine.run(['get-boundary', 'r100', '-o', '/dev/full'], { env: env() });
    expect([full.exit, full.err]).toEqual([1, expect.stringContaining('ENOSPC')]);
    const piped = await machine.run(['$BOUNDARY get-boundary r100 > /dev/full; echo $?'], { env: env(), shell: true });
    expect([piped.out, piped.err]).toEqual(['1\n', expect.stringContaining('ENOSPC')]);
    const missing = await machine.run(['get-boundary', 'r100', '-o', 'no/such/folder.geojson'], { env: env() });
    expect([missing.exit, missing.err]).toEqual([
      1,
      expect.stringContaining('File not found: no/such/folder.geojson\n'),
    ]);
    expect(readdirSync(machine.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a reader that has seen enough is not a failure', async () => {
    const line = '$BOUNDARY get-boundary r100 --detail full --json | head -c 10; echo; echo $PIPESTATUS';
    const outcome = await machine.run([line], { env: env(), shell: true });
    expect([outcome.out, outcome.err]).toEqual(['{"type":"F\n0\n', '']);
  });

  test('a file stays as it was when the server goes away in the middle', async () => {
    const server: Server = createServer((asked, response) => {
      asked.resume();
      response.writeHead(200, { 'Content-Type': 'application/geo+json', 'Content-Length': '1000' });
      response.write('{"type":"Feature"', () => response.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    writeFileSync(machine.path('kept.geojson'), 'before');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const outcome = await machine.run(['get-boundary', 'r1', '-o', 'kept.geojson', '--url', url]);
    server.close();
    expect([outcome.exit, outcome.out, outcome.err]).toEqual([6, '', expect.stringContaining(`no answer from ${url}`)]);
    expect(readFileSync(machine.path('kept.geojson'), 'utf8')).toBe('before');
  });

  test('Ctrl-C in the middle of an export: whole files only, and it goes on the next time', async () => {
    // A server in between that lets two exports through, and then none.
    let through = 0;
    const between = createServer((asked, response) => {
      if (asked.url?.includes('export_boundary') && ++through > 2) return;
      const { hostname, port } = new URL(testServer.address);
      const { method, url, headers } = asked;
      asked.pipe(
        request({ hostname, port, method, path: url, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const args = ['export', '--children-of', 'r101', '--out', 'broken-off', '--parallel', '1'];
    const running = machine.start(args, { env: { ...env(), BOUNDARY_BASE_URL: url } });
    while (through < 3) await new Promise((done) => setTimeout(done, 20));
    running.child.kill('SIGINT');
    const ended = await running.ended;
    between.closeAllConnections();
    between.close();
    expect([ended.exit, ended.err]).toEqual([130, 'error: interrupted\n']);
    const names = () => readdirSync(machine.path('broken-off')).filter((name) => name.endsWith('.geojson'));
    expect(names()).toHaveLength(2);
    const next = await machine.run([...args, '--json'], { env: env() });
    expect(JSON.parse(next.out)).toMatchObject({ written: [expect.any(String)], skipped: names().slice(0, 2) });
    expect(readdirSync(machine.path('broken-off'))).toHaveLength(4);
  });

  test('links are followed, modes of the umask kept', () => {
    const path = join(folder, 'whole');
    writeWhole(path, 'a');
    writeWhole(path, Buffer.from('b'));
    expect(readFileSync(path, 'utf8')).toBe('b');
    expect(() => writeWhole(folder, 'x')).toThrow();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

test('numbers with a sign are values: ids and coordinates', async () => {
  const env = { BOUNDARY_BASE_URL: testServer.address, BOUNDARY_API_KEY: key };
  const shape = await machine.run(['get-boundary', '-100', '--detail', 'low'], { env });
  expect([shape.exit, JSON.parse(shape.out).id]).toEqual([0, 'r100']);
  const there = await machine.run(['reverse-boundaries', '30.5', '-29.4', '--json'], { env });
  expect([there.exit, JSON.parse(there.out).items[0].id]).toEqual([0, 'r100']);
});

test('an exit code for every class of problem', () => {
  const exits = new Set(Object.values(PROBLEMS).map(({ exit }) => exit));
  expect([...exits].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(org).toMatch(/^org_/);
});
