import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TIMEOUT = /(?:\btimeout: |\}, )(\d[\d_]*)\b/g;

/**
 * The order of test files: those that allow themselves the most time come first, so that no process is left alone with a
 * long one at the end. Among equals, the order of vitest.
 */
export class LongestFirst extends BaseSequencer {
  /** The files of a run in the order in which they start, project by project. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const projects = [...new Set(usual.map(({ project }) => project))];
    const places = new Map(usual.map((file) => [file, [projects.indexOf(file.project), -patience(file.moduleId)]]));
    const placeOf = (file: TestSpecification): number[] => places.get(file) ?? [];
    return usual.sort((a, b) => {
      const [project, time] = placeOf(a);
      const [otherProject, otherTime] = placeOf(b);
      return project - otherProject || time - otherTime;
    });
  }
}

/** The longest time that a test file gives one of its tests or hooks, in milliseconds; 0 when it names none. */
function patience(path: string): number {
  const times = [...readFileSync(path, 'utf8').matchAll(TIMEOUT)].map(([, digits]) =>
    Number(digits.replaceAll('_', '')),
  );
  return Math.max(0, ...times);
}
