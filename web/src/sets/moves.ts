import { MOST_CHARACTERS } from '../select/chosen.ts';

/** The members that were moved and are not saved, as the address has them. */
export interface Moves {
  /** recorded_at of the newest version of the set when the first of them was moved; '' without moves. */
  readonly base: string;
  /** The name of the new territory, by member. */
  readonly to: ReadonlyMap<string, string>;
  /** The name of the territory, by boundary that becomes a member. */
  readonly added: ReadonlyMap<string, string>;
}

export const NONE: Moves = { base: '', to: new Map(), added: new Map() };

const FRAGMENT = /^base=([\dTZ:.-]{20,30})(?:&moves=([^&]+))?(?:&adds=([^&]+))?$/;

/** The names by id in `NAME:r1,r2;NAME:r3`. @throws for text that is not percent-encoded as it should be */
function readPlaces(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap((part) => {
      const [name = '', ids = ''] = part.split(':');
      const all = ids.split(',').map(decodeURIComponent).filter(Boolean);
      return name === '' ? [] : all.map((id) => [id, decodeURIComponent(name)] as const);
    }),
  );
}

/** The moves in a fragment, `base=TIME&moves=NAME:r1,r2;NAME:r3&adds=NAME:r4`; none if it cannot be read. */
export function readMoves(fragment: string): Moves {
  const [, base = '', moves = '', adds = ''] = FRAGMENT.exec(fragment.slice(0, MOST_CHARACTERS)) ?? [];
  try {
    const read = { base, to: readPlaces(moves), added: readPlaces(adds) };
    return sizeOf(read) === 0 ? NONE : read;
  } catch {
    return NONE;
  }
}

/** How many members are moved or new. */
export const sizeOf = ({ to, added }: Pick<Moves, 'to' | 'added'>): number => to.size + added.size;

function writePlaces(places: ReadonlyMap<string, string>): string {
  const groups = new Map<string, string[]>();
  for (const [id, name] of places) groups.set(name, [...(groups.get(name) ?? []), encodeURIComponent(id)]);
  return [...groups].map(([name, ids]) => `${encodeURIComponent(name)}:${ids.join(',')}`).join(';');
}

/** The fragment of moves; '' for none. */
export function fragmentOf(moves: Moves): string {
  if (sizeOf(moves) === 0) return '';
  const { base, to, added } = moves;
  const places = (key: string, of: ReadonlyMap<string, string>) => (of.size === 0 ? '' : `&${key}=${writePlaces(of)}`);
  return `#base=${base}${places('moves', to)}${places('adds', added)}`;
}

/**
 * The moves that are left after some were saved: of members that are wanted in another territory than they were saved in.
 * @param owners the territory of each member before all moves
 */
export function leftAfter(
  owners: ReadonlyMap<string, string>,
  saved: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = [...owners].map(([id, owner]) => [id, wanted.get(id) ?? owner, saved.get(id) ?? owner] as const);
  return new Map(all.flatMap(([id, name, is]) => (name === is ? [] : [[id, name] as const])));
}

/**
 * The moves and new members that are left after some were saved.
 * @param owners the territory of each member before all moves
 */
export function leftOf(
  owners: ReadonlyMap<string, string>,
  saved: Pick<Moves, 'to' | 'added'>,
  wanted: Moves,
): Pick<Moves, 'to' | 'added'> {
  const [moved, added] = [new Map(wanted.to), new Map<string, string>()];
  for (const [id, name] of wanted.added) (saved.added.has(id) ? moved : added).set(id, name);
  return { to: leftAfter(new Map([...owners, ...saved.added]), saved.to, moved), added };
}
