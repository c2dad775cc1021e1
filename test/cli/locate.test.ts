import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLocate } from '../../src/cli/commands/locate.ts';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type StreamTarget, serverTarget } from '../../src/transports/call.ts';
import { localTarget } from '../../src/transports/local.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
let folder: string;
let local: StreamTarget;
let remote: StreamTarget;
const never = new AbortController().signal;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  folder = mkdtempSync(join(tmpdir(), 'locate-'));
  local = localTarget(server.services, ops, never);
  remote = serverTarget({ baseUrl: server.address, apiKey: (await server.key()).key });
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const ROWS = 45_000;
const input = () => {
  const path = join(folder, 'points.csv');
  const rows = Array.from({ length: ROWS }, (_, i) =>
    i % 1000 === 500 ? `"a\n${i}",,` : `${i},${SOUTH + 0.5},${WEST + (i % 3) + 0.5}`,
  );
  writeFileSync(path, `n,lat,lon\n${rows.join('\n')}`);
  return path;
};

async function locate(target: StreamTarget, name: string, more: object = {}, signal = never) {
  const output = join(folder, name);
  let printed = '';
  const terminal = {
    stderr(text: string) {
      printed += text;
    },
  };
  await runLocate(target, input(), { output, levels: '8', fields: 'id', ...more }, terminal, signal);
  return { text: readFileSync(output, 'utf8'), printed };
}

it('takes x and y of a reference system, on this machine and from a server', async () => {
  const path = join(folder, 'plane.csv');
  // By gdaltransform: half a degree into the commune r111.
  writeFileSync(path, 'name,Easting,Northing\n"a, b",260061.50,3376849.36\nfar,9e9,1\nbeyond,1500000,3376849\n');
  for (const target of [local, remote]) {
    const output = join(folder, 'plane_located.csv');
    const flags = { output, levels: '8', fields: 'id', crs: 'EPSG:32626' };
    let said = '';
    await runLocate(target, path, flags, { stderr: (text) => (said += text) }, never);
    expect(readFileSync(output, 'utf8').split('\n')).toEqual([
      'name,Easting,Northing,admin_8_id,crs_accuracy_m,crs_outside,error',
      '"a, b",260061.50,3376849.36,r111,0,,',
      'far,9e9,1,,,,"line 3: 9000000000, 1 lies outside of the reference system"',
      'beyond,1500000,3376849,,,yes,',
      '',
    ]);
    expect(said).toContain('EPSG:32626 within 0 m, 1 outside of the area of EPSG:32626: see the column crs_outside');
    const unknown = { ...flags, crs: 'EPSG:0' };
    const failed = runLocate(target, path, unknown, { stderr: () => undefined }, never);
    await expect(failed).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('EPSG:0') });
  }
});

it('sums the points of each boundary, on this machine and from a server, and leaves no file when it fails', async () => {
  const texts: string[] = [];
  for (const target of [local, remote]) {
    const { text, printed } = await locate(target, 'sums.csv', { figures: 'points,n:max' });
    expect(printed).toMatch(/sums\.csv: 4 rows\n$/);
    texts.push(text);
  }
  expect(texts[0]).toBe(texts[1]);
  const rows = defined(texts[0]).trim().split('\n');
  expect(rows[0]).toBe('layer,id,points,n_max,error');
  expect(rows.slice(1, 4).reduce((sum, row) => sum + Number(row.split(',')[2]), 0)).toBe(ROWS - ROWS / 1000);
  expect(rows.at(-1)).toMatch(/^,,,,45 rows without a valid point; line \d+: /);
  const failed = locate(remote, 'failed.csv', { figures: 'price:sum' });
  await expect(failed).rejects.toMatchObject({ code: 'invalid_input' });
  expect(existsSync(join(folder, 'failed.csv'))).toBe(false);
});

it('writes no formulas where that is asked for', async () => {
  const path = join(folder, 'formulas.csv');
  const output = join(folder, 'formulas_located.csv');
  const cells = ['=1+1', '"@x;y"', 'plain', '-7'];
  writeFileSync(path, `n;lat;lon\n${cells.map((cell) => `${cell};${SOUTH + 0.5};${WEST + 0.5}\n`).join('')}`);
  const flags = { output, levels: '8', fields: 'id', safeCsv: true };
  await runLocate(local, path, flags, { stderr: () => undefined }, never);
  const [head, ...rows] = readFileSync(output, 'utf8').trimEnd().split('\n');
  expect(head).toMatch(/^n;lat;lon;/);
  expect(rows.map((row) => row.slice(0, row.indexOf(`;${SOUTH}`)))).toEqual(["'=1+1", `"'@x;y"`, 'plain', '-7']);
  expect(existsSync(`${output}.part`) || existsSync(`${output}.safe.part`)).toBe(false);
});

/** A target that fails at a call, as a server that is ended does. */
function failing(target: StreamTarget, at: number): StreamTarget {
  let calls = 0;
  return {
    ...target,
    stream(...given) {
      if (++calls >= at) throw new Error('interrupted');
      return target.stream(...given);
    },
  };
}

describe('boundary locate', () => {
  it('writes the same rows with columns added, bad ones with their line, here and at a server', async () => {
    const { text, printed } = await locate(local, 'here.csv');
    const lines = text.split('\n');
    expect(lines[0]).toBe('n,lat,lon,admin_8_id,error');
    expect(lines[1]).toBe(`0,${SOUTH + 0.5},${WEST + 0.5},r111,`);
    expect(text).toContain('"a\n500",,,,line 502: the latitude must be a number from -90 to 90\n');
    expect(text).toContain('"a\n44500",,,,line 44546: the latitude must be a number from -90 to 90\n');
    expect(lines.length).toBe(1 + ROWS + 45 + 1);
    expect(printed).toBe(`${join(folder, 'here.csv')}: ${ROWS} rows, 45 without a point: see the column error\n`);
    expect((await locate(remote, 'there.csv')).text).toBe(text);
  });

  it('goes on where it was interrupted, whatever of the last row was written', async () => {
    const whole = (await locate(local, 'whole.csv')).text;
    const part = join(folder, 'again.csv.part');
    await expect(locate(failing(local, 3), 'again.csv')).rejects.toThrow('interrupted');
    expect(existsSync(join(folder, 'again.csv'))).toBe(false);
    expect(readFileSync(part, 'utf8').split('\n').length).toBeGreaterThan(20_000);
    appendFileSync(part, '20000,30.5,"-2');
    const { text, printed } = await locate(local, 'again.csv');
    expect(text).toBe(whole);
    expect(printed).toContain('20000 of them from an earlier run');
    expect(existsSync(part)).toBe(false);
  });

  it('refuses a part of another run', async () => {
    const part = join(folder, 'other.csv.part');
    writeFileSync(part, 'n,lat,lon,admin_6_id,error\n');
    await expect(locate(local, 'other.csv')).rejects.toThrow(/belongs to another run/);
    writeFileSync(part, 'n,lat,lon,admin_8_id,error\nx,1,2,,\n');
    await expect(locate(local, 'other.csv')).rejects.toThrow(/belongs to another run/);
  });

  it('keeps what was paid for when the units are used up, and goes on with the next month', async () => {
    const { key, org } = await server.key('free');
    await server.spend(org, 25);
    const poor = serverTarget({ baseUrl: server.address, apiKey: key });
    await expect(locate(poor, 'poor.csv')).rejects.toMatchObject({ code: 'quota_exceeded' });
    const part = readFileSync(join(folder, 'poor.csv.part'), 'utf8');
    const whole = (await locate(local, 'rich.csv')).text;
    expect(whole.startsWith(part)).toBe(true);
    expect(part.split('\n').length).toBeGreaterThan(24_000);
    expect((await locate(local, 'poor.csv')).text).toBe(whole);
  });

  it('a file that is not there, and one that is not a table of points, are reported', async () => {
    const run = (path: string) =>
      runLocate(local, path, { output: join(folder, 'x.csv') }, { stderr: () => {} }, never);
    await expect(run(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'invalid_input' });
    writeFileSync(join(folder, 'odd.csv'), 'a,b\n1,2\n');
    await expect(run(join(folder, 'odd.csv'))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
