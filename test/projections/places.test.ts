import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { systemOf } from '../../workers/projections/systems.ts';
import { transformer } from '../../workers/projections/transform.ts';
import { PLACES, placesOf, SYSTEMS } from './samples.ts';

/** Meters. */
const LIMIT = 0.01;

function gdal(code: string, own: Float64Array): number[][] {
  const lines = Array.from({ length: own.length / 2 }, (_, i) => `${own[2 * i]} ${own[2 * i + 1]}`);
  const args = ['-s_srs', code, '-t_srs', 'EPSG:4326', '-output_xy'];
  const { stdout, stderr } = spawnSync('gdaltransform', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
}

describe('1,000 places of each reference system, beside gdaltransform', () => {
  test.each(SYSTEMS.map((code) => `EPSG:${code}`))('%s', (code) => {
    const own = placesOf(code);
    const expected = gdal(code, own);
    expect(expected).toHaveLength(PLACES);
    const found = own.slice();
    transformer(systemOf(code)).apply(found);
    let worst = { meters: 0, at: '' };
    for (const [i, [lon, lat]] of (expected as [number, number][]).entries()) {
      const turn = ((lon - (found[2 * i] as number) + 540) % 360) - 180;
      const meters = 111_320 * Math.hypot(turn * Math.cos((lat * Math.PI) / 180), lat - (found[2 * i + 1] as number));
      if (!(meters <= worst.meters)) worst = { meters, at: `${own[2 * i]} ${own[2 * i + 1]}` };
    }
    expect(worst.meters, `at ${worst.at}`).toBeLessThan(LIMIT);
  });
});
