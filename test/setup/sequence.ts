import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const TIMEOUT = /(?:\btimeout: |\}, )(\d[\d_]*)\b/g;

/**
 * Orders test files by their longest timeout, longest first, so that no process runs a long file alone at the end. Ties
 * keep vitest's order.
 */
export class LongestFirst extends BaseSequencer {
  /** The files of a run in starting order, project by project. */
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

/** The longest timeout of a test or hook in a file, in milliseconds; 0 when it has none. */
function patience(path: string): number {
  const times = [...readFileSync(path, 'utf8').matchAll(TIMEOUT)].map(([, digits]) =>
    Number(digits.replaceAll('_', '')),
  );
  return Math.max(0, ...times);
}
