import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isNative } from '../setup/database.ts';
import { readDescriptions, wantedOf } from './expected.ts';
import { idsOf, openPlanning, type Planning } from './planned.ts';

/** Written, with what is right, before any of them was tried; docs/areas.md has the figures of the first try. */
const TABLES = [
  'fourth.tsv',
  'fifth.tsv',
  'sixth.tsv',
  'seventh.tsv',
  'eighth.tsv',
  'ninth.tsv',
  'tenth.tsv',
  'eleventh.tsv',
  'twelfth.tsv',
  'thirteenth.tsv',
  'fourteenth.tsv',
  'fifteenth.tsv',
  'sixteenth.tsv',
  'eighteenth.tsv',
  'nineteenth.tsv',
];

// The expectations are worked out by PostGIS functions that the embedded database cannot be trusted with.
describe.skipIf(!isNative)('descriptions held out (needs a native database)', { timeout: 600_000 }, () => {
  let planning: Planning;
  beforeAll(async () => {
    planning = await openPlanning();
  }, 600_000);
  afterAll(() => planning?.close());

  it.each(TABLES)('are right in 95 of 100 cases, and never wrong instead of an error: %s', async (table) => {
    const descriptions = readDescriptions(table);
    const wrong: string[] = [];
    const refused: string[] = [];
    for (const { description: written, expected } of descriptions) {
      const description = written.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
      const wanted = await wantedOf(planning.server.test.db, expected);
      const found = await planning.plan(description);
      if (found === null) {
        if (wanted !== null) refused.push(written);
        continue;
      }
      const cut = found.steps.findLast((step) => 'op' in step && (step.op === 'clip' || step.op === 'buffer'));
      const { op, direction, km } = (cut ?? {}) as { op?: string; direction?: string; km?: number };
      const cutOf = op === undefined ? null : op === 'clip' ? `half ${direction}` : `buffer ${km}`;
      const same =
        wanted !== null &&
        cutOf === wanted.cut &&
        idsOf(found.include).join() === wanted.include.join() &&
        idsOf(found.exclude).join() === wanted.exclude.join();
      if (!same) wrong.push(written);
      const again = await planning.plan(
        JSON.parse(JSON.stringify(found.steps.map((step) => ({ ...step, found: undefined })))) as object[],
      );
      if (again === null || idsOf(again.include).join() !== idsOf(found.include).join())
        wrong.push(`again: ${written}`);
    }
    expect(wrong).toEqual([]);
    expect(refused.length / descriptions.length, refused.join('\n')).toBeLessThanOrEqual(0.05);
  });
});
