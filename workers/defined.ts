/**
 * The value, which the caller knows to be present: an element at an index within the bounds of its list, or a group of
 * a pattern that has matched.
 * @throws Error when it is undefined, so that a bug fails where it was made
 */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A value is missing that must be there.');
  return value;
}
