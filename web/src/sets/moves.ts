import { Failure } from '../api.ts';
import { t } from '../language.ts';
import { currentRoute, go } from '../route.ts';
import { MOST_CHARACTERS } from '../select/chosen.ts';

/** The members that were moved and are not saved, as the address has them. */
export interface Moves {
  /** recorded_at of the newest version of the set when the first of them was moved; '' without moves. */
  readonly base: string;
  /** The name of the new territory, by member. */
  readonly to: ReadonlyMap<string, string>;
}

export const NONE: Moves = { base: '', to: new Map() };

/** The moves in a fragment, `base=TIME&moves=NAME:r1,r2;NAME:r3`; none if it cannot be read. */
export function readMoves(fragment: string): Moves {
  const [, base = '', text = ''] =
    /^base=([\dTZ:.-]{20,30})&moves=(.+)$/.exec(fragment.slice(0, MOST_CHARACTERS)) ?? [];
  try {
    const to = text.split(';').flatMap((part) => {
      const [name = '', ids = ''] = part.split(':');
      const all = ids.split(',').map(decodeURIComponent).filter(Boolean);
      return name === '' ? [] : all.map((id) => [id, decodeURIComponent(name)] as const);
    });
    return to.length === 0 ? NONE : { base, to: new Map(to) };
  } catch {
    return NONE;
  }
}

/** The fragment of moves; '' for none. */
export function fragmentOf({ base, to }: Moves): string {
  if (to.size === 0) return '';
  const groups = new Map<string, string[]>();
  for (const [id, name] of to) groups.set(name, [...(groups.get(name) ?? []), encodeURIComponent(id)]);
  const parts = [...groups].map(([name, ids]) => `${encodeURIComponent(name)}:${ids.join(',')}`);
  return `#base=${base}&moves=${parts.join(';')}`;
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

/** Goes to the address with these moves. @throws Failure when it is too long */
export function writeMoves(moves: Moves, replace = false): void {
  const fragment = fragmentOf(moves);
  if (fragment.length > MOST_CHARACTERS) {
    const message = t('sets.tooManyMoves', { n: moves.to.size });
    throw new Failure(message, { code: 'too_large' });
  }
  const { query } = currentRoute();
  go(location.pathname + (query.size > 0 ? location.search : '') + fragment, replace);
}
