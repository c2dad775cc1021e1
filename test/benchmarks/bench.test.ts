import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { roughRings, sameAs } from '../../benchmarks/kernels/formats.ts';
import { roughGrid } from '../../benchmarks/kernels/generated.ts';
import { fromGeojson, samePolygons, toGeojson } from '../../benchmarks/kernels/same.ts';
import { merged } from '../../benchmarks/kernels/worlds.ts';
import { race, rival } from '../../benchmarks/measure.ts';
import { table } from '../../benchmarks/table.ts';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../setup/elements.ts';

const ROOT = join(import.meta.dirname, '../..');
const options = { smoke: true };

const ROW = z.strictObject({
  case: z.string().min(1),
  ours_ms: z.number().positive(),
  rival: z.string().min(1),
  rival_ms: z.number().positive().nullable(),
  ratio: z.number().positive().nullable(),
  same_answer: z.boolean(),
  spread: z.number().nonnegative(),
  note: z.string().optional(),
});

const REPORT = z.strictObject({
  name: z.string(),
  commit: z.string().regex(/^[0-9a-f]{7,}$/),
  node: z.string().startsWith('v'),
  cpu: z.string(),
  results: z.array(ROW).min(4),
  stages: z.null(),
  guard: z.tuple([]),
});

describe('npm run bench', () => {
  it('prints one JSON document of the declared shape, every answer the same', async () => {
    const args = ['--import', 'tsx', 'benchmarks/run.ts', 'formats', '--json', '--smoke'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    const report = REPORT.parse(JSON.parse(stdout));
    expect(report.name).toBe('formats');
    const rivals = report.results.map((row) => row.rival);
    for (const name of ['JSON.stringify', 'tokml', 'wkx', 'geojson-to-svg']) expect(rivals).toContain(name);
    expect(report.results.filter((row) => !row.same_answer)).toEqual([]);
    for (const { ratio, rival_ms, ours_ms } of report.results) expect(ratio).toBeCloseTo(rival_ms! / ours_ms, 6);
  });

  it('knows the benchmarks by name', async () => {
    const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'benchmarks/run.ts', 'nothing'], {
      cwd: ROOT,
    });
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('formats') });
  });
});

describe('race', () => {
  const side = (name: string, answer: number) =>
    rival({ name, work: () => answer, judge: (given) => given === 7 || (given === 8 ? 'one too many' : false) });

  it('tells a right answer, a wrong one, and one that is known to be', async () => {
    const rows = await race('seven', () => 7, [side('right', 7), side('wrong', 6), side('known', 8)], options);
    expect(rows.map(({ rival: name, same_answer, note }) => ({ name, same_answer, note }))).toEqual([
      { name: 'right', same_answer: true, note: undefined },
      { name: 'wrong', same_answer: false, note: undefined },
      { name: 'known', same_answer: false, note: 'one too many' },
    ]);
  });

  it('says that a rival failed, and goes on', async () => {
    const fails = rival({ name: 'fails', work: (): number => JSON.parse('?'), judge: () => true });
    const [failed, right] = leading(await race('seven', () => 7, [fails, side('right', 7)], options), 2);
    expect(failed).toMatchObject({ rival_ms: null, ratio: null, same_answer: false });
    expect(failed.note).toMatch(/^failed: /);
    expect(right).toMatchObject({ rival: 'right', same_answer: true });
    expect(table([failed, right])).toContain('(failed: ');
  });
});

describe('the same answer', () => {
  const world = roughGrid(3, 3, 12);
  const eight = merged(world, [0, 1, 2, 3, 5, 6, 7, 8]);

  it('is the same rings, wherever they start and whichever way they run', () => {
    const { coordinates } = toGeojson(eight);
    const turned = coordinates.map((polygon) =>
      polygon.map((ring) => {
        const open = ring.slice(0, -1);
        return [...open.slice(5), ...open.slice(0, 5)].reverse();
      }),
    );
    expect(eight.ringEnd).toHaveLength(2);
    expect(samePolygons(fromGeojson(turned), eight)).toBe(true);
  });

  it('is not one with a vertex less, a vertex moved by a unit, or a hole filled', () => {
    const { coordinates } = toGeojson(eight);
    const [shell, hole] = leading(defined(coordinates[0]), 2);
    expect(samePolygons(fromGeojson([[shell.toSpliced(3, 1), hole]]), eight)).toBe(false);
    const [x, y] = leading(defined(shell[3]), 2);
    expect(samePolygons(fromGeojson([[shell.with(3, [x + 1e-7, y]), hole]]), eight)).toBe(false);
    expect(samePolygons(fromGeojson([[shell]]), eight)).toBe(false);
    expect(samePolygons(fromGeojson([]), fromGeojson([]))).toBe(false);
  });

  it('is the same numbers in the same order', () => {
    const points = Array.from(roughRings(100, 5).coords);
    expect(sameAs(points, 0)([...points])).toBe(true);
    expect(sameAs(points, 0)(points.slice(1))).toBe(false);
    expect(sameAs(points, 0)(points.with(9, defined(points[9]) + 1))).toBe(false);
    expect(sameAs([], 0)([])).toBe(false);
  });
});
