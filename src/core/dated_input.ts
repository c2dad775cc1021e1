/** The date that the input of a call says, in `as_of` or after its ids. */
import { splitDated, today } from '../common/dates.ts';
import { contextAsOf } from './dated.ts';
import { type Issue, invalidInput } from './errors.ts';
import type { Context } from './op.ts';

/** The fields of ids, in which each may have a date of its own: `r123@2015-01-01`. */
const ID_FIELDS = ['ids', 'include', 'exclude', 'children_of'] as const;
/** That of an operation on one boundary, whose other fields have none: its `include` names what the answer adds. */
const ONE_ID = ['id'] as const;

/**
 * A call as of the date that its input says: with `as_of`, or after its ids, as in `r123@2015-01-01`. Ids of several
 * dates are left as they are, for an operation with `include`, which reads each as of its own.
 * @throws invalid_input for a date of the future, and for dates that contradict each other
 */
export async function asOfInput<I extends Readonly<Record<string, unknown>>>(
  ctx: Context,
  input: I,
): Promise<{ readonly ctx: Context; readonly input: I }> {
  const given = typeof input.as_of === 'string' ? input.as_of : null;
  const fields = 'id' in input ? ONE_ID : ID_FIELDS;
  const refuse = (path: string, code: Issue['code'], message: string) => invalidInput([{ path, code, message }]);
  const dates = new Set<string | null>();
  const present = today();
  let first: string | null = null;
  let late: string | null = null;
  for (const field of fields) {
    const value = input[field];
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== 'string') continue;
      const { date } = splitDated(text);
      first ??= field;
      if (date !== null && date > present) late ??= field;
      dates.add(date);
    }
  }
  if ([...dates].every((date) => date === null)) {
    return given === null ? { ctx, input } : { ctx: await contextAsOf(ctx, given), input };
  }
  if (late !== null) {
    const future = [...dates].find((date) => date !== null && date > present);
    throw refuse(late, 'invalid_value', `${future} is in the future`);
  }
  if (given !== null) {
    if ([...dates].some((date) => date !== null && date !== given)) {
      throw refuse('as_of', 'conflict', 'give as_of, or a date with each id');
    }
    dates.delete(null);
  }
  const [only = null] = dates;
  if (dates.size > 1 || only === null) {
    if (Array.isArray(input.include)) return { ctx, input };
    throw refuse(first ?? 'ids', 'conflict', 'ids of several dates can only be merged by union_boundaries');
  }
  const withoutDate = (value: unknown) => (typeof value === 'string' ? splitDated(value).id : value);
  const plain: Record<string, unknown> = { ...input };
  for (const field of fields) {
    const value = plain[field];
    if (value !== undefined) plain[field] = Array.isArray(value) ? value.map(withoutDate) : withoutDate(value);
  }
  return { ctx: await contextAsOf(ctx, only), input: plain as I };
}
