import { foldName } from '../names/fold.ts';

/** Letters from which the start of a name says a place. */
export const CUT_FROM = 8;
/** Names of the greatest length from which a column is cut, and their share of all: few names of a column are its longest. */
const MOST_ALIKE = 3;
const SHARE_ALIKE = 0.03;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/**
 * The length at which the names of a column are cut, in letters or, as in fields of Shapefiles, in bytes; null if they are
 * not. Names are cut if several are the longest ones and are not found.
 * @param names the different names, and whether each is that of a place
 */
export function lengthOfCut(
  names: readonly { readonly name: string; readonly isFound: boolean }[],
): { readonly length: number; readonly unit: 'letters' | 'bytes' } | null {
  const least = Math.max(MOST_ALIKE, SHARE_ALIKE * names.length);
  for (const [unit, lengthOf] of [
    ['bytes', bytesOf],
    ['letters', ({ length }: string) => length],
  ] as const) {
    let length = 0;
    for (const { name } of names) length = Math.max(length, lengthOf(name));
    if (length < CUT_FROM) continue;
    const longest = names.filter(({ name }) => lengthOf(name) === length);
    if (longest.length >= least && longest.filter(({ isFound }) => !isFound).length >= MOST_ALIKE)
      return { length, unit };
  }
  return null;
}

export type Cut = NonNullable<ReturnType<typeof lengthOfCut>>;

/** A name as the column has it. */
function cutName(name: string, { length, unit }: Cut): string {
  if (unit === 'letters') return name.slice(0, length);
  let kept = name.slice(0, length);
  while (bytesOf(kept) > length) kept = kept.slice(0, -1);
  return kept;
}

/** Whether a name of the column may be one that was cut: it has all its letters but for a blank or one of more bytes. */
export function mayBeCut(name: string, { length, unit }: Cut): boolean {
  return unit === 'letters' ? name.length >= length - 1 : bytesOf(name) >= length - 2;
}

/** Whether a longer name is what the column has if it is cut. */
export const isCutOf = (text: string, name: string, cut: Cut): boolean =>
  cutName(name, cut).length < name.length && foldName(cutName(name, cut)) === foldName(text);
