import type { BuiltBoundary, DescribeTask } from '../arrangement.ts';
import { describeAll } from '../build.ts';

/** Areas, boxes, centers, hashes and polygons of assembled boundaries. See ../build.ts. */
export function run(given: DescribeTask): BuiltBoundary[] {
  return describeAll(given);
}
