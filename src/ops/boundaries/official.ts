import { splitDated } from '../../common/dates.ts';
import { readSetId } from '../../common/set_ids.ts';
import { invalidInput } from '../../core/errors.ts';

/** What to do instead, where an operation reads official boundaries only, with the id and the name of its set. */
const INSTEAD = {
  versions: (id: string, set: string) =>
    `has the versions of its set: get_area_set (name=${set}) lists them with their dates, ${id}@2024-01-01 reads the area of a date`,
  changes: (_id: string, set: string) =>
    `is in no list of changes: crosswalk compares two versions, with {"set": "${set}"} as a and b, as_of and as_of_b`,
  children: (_id: string, set: string) =>
    `has no subdivisions: {"set": "${set}"} selects all areas of the set, and ids some of them`,
} as const;

/**
 * @throws invalid_input for the id of an area of a set, with what to do instead. It is the same for each such id, whether
 * the area exists and whoever asks.
 */
export function requireOfficial(path: string, text: string | undefined, about: keyof typeof INSTEAD): void {
  const id = text === undefined ? null : readSetId(splitDated(text).id);
  if (id === null) return;
  const set = id.slice('set:'.length, id.indexOf('/'));
  throw invalidInput([
    { path, code: 'conflict', message: `${id} is an area of a set, and ${INSTEAD[about](id, set)}` },
  ]);
}
