import { said } from '../../../domain/areas/wording/said.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { membersOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/**
 * Limit in km of the distance from a buffer's middle. The buffer is computed on a plane around it: exact to 0.1 % up to
 * this distance.
 */
const BUFFER_REACH = 500;

/** Says of a name alone that the place around a municipality of that name is meant: "20 km around Burgos". */
function sayCity(run: PlanRun, of: number): void {
  const step = run.stepAt(of);
  const { place, rivals = [] } = run.found[of] ?? {};
  if (step.op !== 'place' || step.level !== undefined || step.id !== undefined || !place) return;
  const city = rivals.find(
    ({ kind, name, parents }) =>
      kind === 'municipality' && name === place.name && parents.some(({ id }) => id === place.id),
  );
  if (city)
    run.choices.push(
      said`${run.quoteName(of)} is the place that contains the municipality of that name; for that, write "the municipality of ${city.name}"`,
    );
}

/** Every point within a distance of a region. @throws could_not_map when the two are larger than BUFFER_REACH */
export const buffer: Execute<'buffer'> = ({ run, i, notes }, step) => {
  sayCity(run, step.of);
  const [of, { km }] = [run.regionAt(step.of), step];
  const boxes = membersOf(of);
  const degrees = (list: readonly number[]) => Math.max(...list) - Math.min(...list);
  const south = boxes.map((one) => (one.south ?? 0) / 1e7);
  const north = boxes.map((one) => (one.north ?? 0) / 1e7);
  const west = boxes.map((one) => (one.west ?? 0) / 1e7);
  const east = boxes.map((one) =>
    (one.east ?? 0) < (one.west ?? 0) ? Number.POSITIVE_INFINITY : (one.east ?? 0) / 1e7,
  );
  const high = degrees([...south, ...north]) * 111;
  const wide =
    degrees([...west, ...east]) * 111 * Math.cos((Math.min(...[...south, ...north].map(Math.abs)) * Math.PI) / 180);
  const polar = Math.max(...[...south, ...north].map(Math.abs)) > 80;
  if (polar || !(Math.hypot(high, wide) / 2 + km <= BUFFER_REACH)) {
    throw run.fail(
      i,
      said`${run.quote(i)} is too large for a distance around it: the limit is ${BUFFER_REACH} km from its middle. Ask for boundaries within the distance.`,
    );
  }
  notes.push('every point within the distance, to 0.1 %');
  return { op: 'buffer', of, km };
};
