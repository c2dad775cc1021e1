import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TIMEOUT = /(?:\btimeout: |\}, )(\d[\d_]*)\b/g;

/**
 * The order of test files: those that allow themselves the most time come first, so that no process is left alone with a
 * long one at the end, and so does the project that has them. Among equals, the order of vitest.
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

/** The longest timeout of a test or hook in a file, in milliseconds; 0 when it has none. */
function patience(path: string): number {
  const times = [...readFileSync(path, 'utf8').matchAll(TIMEOUT)].map(([, digits]) =>
    Number(digits.replaceAll('_', '')),
  );
  return Math.max(0, ...times);
}
