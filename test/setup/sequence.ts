import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defined } from '../../src/common/elements.ts';
import { SECONDS } from './seconds.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** No test allows itself more. */
const LONGEST_TIMEOUT_MS = 86_400_000;
const TIMEOUT = /(?:\btimeout: |\}, )(\d[\d_]*)\b/g;

/**
 * The order of test files: those that took the most time in a gate come first (SECONDS), then those that allow themselves
 * the most, so that no process is left alone with a long one at the end, and so does the project that has them. Among
 * equals, the order of vitest.
 */
export class LongestFirst extends BaseSequencer {
  /** The files of a run in starting order, project by project. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const patienceOf = new Map(usual.map((file) => [file, patience(file.moduleId)]));
    const longest = new Map<TestSpecification['project'], number>();
    for (const [{ project }, time] of patienceOf) longest.set(project, Math.max(longest.get(project) ?? 0, time));
    const projects = [...longest.keys()].sort((a, b) => (longest.get(b) ?? 0) - (longest.get(a) ?? 0));
    const places = new Map(
      [...patienceOf].map(([file, time]) => [file, [projects.indexOf(file.project), -time] as const]),
    );
    const placeOf = (file: TestSpecification) => places.get(file) ?? ([0, 0] as const);
    return usual.sort((a, b) => {
      const [project, time] = placeOf(a);
      const [otherProject, otherTime] = placeOf(b);
      return project - otherProject || time - otherTime;
    });
  }
}

/** The order of a file by its seconds in a gate; otherwise by the longest timeout of a test or hook in it, 0 for none. */
function patience(path: string): number {
  const seconds = SECONDS[relative(ROOT, path)];
  if (seconds !== undefined) return LONGEST_TIMEOUT_MS + seconds;
  const times = [...readFileSync(path, 'utf8').matchAll(TIMEOUT)].map(([, digits]) =>
    Number(defined(digits).replaceAll('_', '')),
  );
  return Math.max(0, ...times);
}
