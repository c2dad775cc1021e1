import { Failure } from '../api.ts';
import { t } from '../language.ts';
import { currentRoute, go } from '../route.ts';
import { MOST_CHARACTERS } from '../select/chosen.ts';
import { fragmentOf, type Moves, sizeOf } from './moves.ts';

/** Goes to the address with these moves. @throws Failure when it is too long */
export function writeMoves(moves: Moves, replace = false): void {
  const fragment = fragmentOf(moves);
  if (fragment.length > MOST_CHARACTERS) {
    const message = t('sets.tooManyMoves', { n: sizeOf(moves) });
    throw new Failure(message, { code: 'too_large' });
  }
  const { query } = currentRoute();
  go(location.pathname + (query.size > 0 ? location.search : '') + fragment, replace);
}
