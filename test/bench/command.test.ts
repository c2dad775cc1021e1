import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/bench/run.ts';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Machine, openMachine } from '../cli/program.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { leading } from '../setup/elements.ts';

let server: BoundaryTestServer;
let machine: Machine;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries(server.services, fixtureWorld());
  machine = openMachine();
  ({ key } = await server.key());
});
afterAll(async () => {
  machine?.remove();
  await server?.close();
});

const bench = (...words: string[]) => machine.run(['bench', server.address, '--key', key, ...words]);
const report = (name: string): RunReport => JSON.parse(readFileSync(machine.path(name), 'utf8'));

describe('boundary bench', () => {
  test('says what it will charge, and charges nothing without a yes', async () => {
    const { exit, out, err } = await bench('--rate', '20', '--duration', '2');
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/\d+ boundaries; a call costs \d\.\d\d units on average, at most \d+ in all\.\n.*--yes/s);
    expect(await server.used(key)).toBe(0);
  });

  test('sends the mix, and charges what it said at most', async () => {
    const { exit, out, err } = await bench(
      '--rate',
      '40',
      '--duration',
      '2',
      '--warmup',
      '1',
      '--yes',
      '--json',
      'a.json',
    );
    expect(exit, err).toBe(0);
    expect(out).toMatch(/^kind +sent +per_s/);
    const { figures, slices, generator, ...rest } = report('a.json');
    expect(rest).toMatchObject({ format: 'boundary-bench-1', rate: 40, seconds: 2, warmup: 1, seed: 1 });
    expect(figures.all).toMatchObject({ sent: 80, ok: 80, refused: 0, failed: 0, codes: {} });
    const kinds = ['export', 'search', 'reverse', 'union'];
    expect(Object.keys(figures)).toEqual(['all', ...kinds]);
    expect(kinds.reduce((sum, kind) => sum + defined(figures[kind]).sent, 0)).toBe(80);
    expect(defined(figures.export).sent).toBeGreaterThan(defined(figures.union).sent);
    expect(slices.reduce((sum, slice) => sum + defined(slice.all).ok, 0)).toBe(80);
    expect(generator.most_in_flight).toBeGreaterThan(0);
    const [, most] = /at most (\d+) in all/.exec(err) ?? [];
    const used = await server.used(key);
    expect(used).toBeGreaterThan(80);
    // The mix is drawn at random: what is said is the average of all calls.
    expect(used).toBeLessThan(2 * Number(most));
  });

  test('draws the same calls from the same seed, and other files for other shares', async () => {
    const flags = ['--rate', '30', '--duration', '1', '--warmup', '0', '--yes', '--json'];
    writeFileSync(machine.path('mix.json'), '{"file": 3, "search": 1}');
    for (const name of ['b.json', 'c.json']) {
      const { exit, err } = await bench('--mix', 'mix.json', ...flags, name);
      expect(exit, err).toBe(0);
    }
    const [b, c] = leading(
      ['b.json', 'c.json'].map((name) => report(name).figures),
      2,
    );
    expect(Object.keys(b)).toEqual(['all', 'file', 'search']);
    expect([defined(b.file).sent, defined(b.file).bytes, defined(b.all).ok]).toEqual([
      defined(c.file).sent,
      defined(c.file).bytes,
      30,
    ]);
  });

  test('two runs of the same are compared', async () => {
    const { exit, out } = await machine.run(['bench', '--compare', 'b.json', 'c.json']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^kind +metric +before_ms +after_ms +change +p +verdict\nall +p50/);
    const wrong = await machine.run(['bench', '--compare', 'b.json', 'mix.json']);
    expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining('mix.json is not a run')]);
  });

  test('searches up to a rate, and tells failures by their code', async () => {
    const flags = ['--find', '--rate', '10', '--max-rate', '20', '--p99', '60000', '--duration', '1', '--warmup', '0'];
    const found = await bench(...flags, '--yes', '--json', 'found.json');
    expect(found.exit, found.err).toBe(0);
    expect(found.out).toMatch(/\nSaturation: 20 calls a second\n/);
    expect(JSON.parse(readFileSync(machine.path('found.json'), 'utf8'))).toMatchObject({ saturation: 20 });
    const { key: poor, org } = await server.key('free');
    await server.spend(org, 100);
    const failed = await bench(
      '--key',
      poor,
      '--rate',
      '200',
      '--duration',
      '1',
      '--warmup',
      '0',
      '--yes',
      '--json',
      'd.json',
    );
    expect(failed.exit, failed.err).toBe(0);
    const { all } = report('d.json').figures;
    expect(defined(all).codes.quota_exceeded).toBeGreaterThan(0);
    expect(defined(all).ok + defined(all).failed + defined(all).refused).toBe(200);
  });

  test.each([
    [[], /Give the address/],
    [['http://127.0.0.1:1', '--yes'], /No answer from http:\/\/127\.0\.0\.1:1: ECONNREFUSED/],
    [['http://192.0.2.1'], /http:\/\/192\.0\.2\.1 is not on this machine\. Send load to it\? Add --yes/],
    [['http://localhost', '--rate', 'fast'], /must be a number from/],
    [['http://localhost', '--mix', 'walk=3'], /"walk" is not a kind of call/],
    [['http://localhost', '--mix', 'export=0'], /share above 0/],
  ])('%j is refused', async (words, message) => {
    const { exit, err } = await machine.run(['bench', ...words]);
    expect([exit, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
