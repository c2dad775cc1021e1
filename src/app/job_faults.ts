import { asOutage, asProblem } from '../core/errors.ts';
import { DatabaseError } from '../db/connect.ts';

/** Classifies a failure: `request` (the creator has to act), `passing` (a retry may help) or `unknown` (our bug). */
export function faultOf(error: unknown): 'request' | 'passing' | 'unknown' {
  if (error instanceof DatabaseError) return 'passing';
  const known = asProblem(error) ?? asOutage(error);
  if (!known || known.code === 'internal_error') return 'unknown';
  const passing = ['rate_limited', 'geometry_pending', 'upstream_busy', 'upstream_unavailable'];
  return passing.includes(known.code) ? 'passing' : 'request';
}
