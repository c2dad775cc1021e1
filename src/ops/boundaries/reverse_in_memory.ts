import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { PointCandidate } from '../../domain/boundaries/point_candidates.ts';
import type { InMemory } from '../../domain/boundaries/reads.ts';
import type { PointDegrees } from '../../domain/boundaries/reverse.ts';
import type { Naming } from '../../domain/names/languages.ts';
import type { Engine } from '../../geometry/engine.ts';
import { countryAt } from '../../sources/countries.ts';
import { groundAt, groundOutside, landRef, type On, outermostFirst, writtenAnswer } from './reverse_answer.ts';

/**
 * The answer for a place, as JSON, when memory holds all that it takes: the boxes, the arcs of the candidates, and the
 * bytes of each boundary in the caller's languages, which are joined. Otherwise null. The bytes are those of the answer
 * that is read from a Snapshot, in a fraction of its time: nothing is awaited, and no boundary becomes an object.
 */
export function answerInMemory({ services }: Context, { lat, lon }: PointDegrees, naming: Naming): Uint8Array | null {
  // Longitudes 180 and -180 are the same meridian, and data exists on both sides of it.
  const held = Math.abs(lon) === 180 ? null : services.boundaries.inMemory();
  if (held === null) return null;
  const [x, y] = [Math.round(lon * 1e7), Math.round(lat * 1e7)];
  const around = held.around(x, y);
  const sides = around === null ? null : services.engine.points.locateNow(around, x, y);
  if (around === null || sides === null) return null;
  const found = around.filter((_, i) => defined(sides[i]) >= 0);
  // Another server may know what is not stored.
  if (found.length === 0 && services.upstream !== null) return null;
  found.sort(outermostFirst);
  const on = groundNow(services.engine, held, found, { lat, lon });
  if (on === null) return null;
  if (!found.some(({ kind }) => kind === 'country')) return joinedAt(held, { lat, lon }, found, { naming, on });
  // The answer does not depend on more of the point.
  const key = `reverse ${on} ${JSON.stringify(naming)} ${found.map(({ id }) => id).join()}`;
  const kept = held.kept(key);
  if (kept !== undefined) return kept;
  const made = joinedFor(held, found, null, { naming, on });
  if (made !== null) held.keep(key, made);
  return made;
}

/** What a place is on, by the boundaries around it (outermost first); null when memory does not tell. */
function groundNow(engine: Engine, held: InMemory, found: PointCandidate[], { lat, lon }: PointDegrees): On | null {
  let isKnown = true;
  const groundOf = (one: PointCandidate) => {
    const ground = held.groundOf(one);
    if (ground === null) isKnown = false;
    return ground ?? 'unknown';
  };
  const ground = groundAt(found, groundOf);
  if (!isKnown) return null;
  if (typeof ground === 'string') return ground;
  const refs = [landRef(ground.among, ground.landHash)];
  const sides = engine.points.locateNow(refs, Math.round(lon * 1e7), Math.round(lat * 1e7));
  return sides === null ? null : defined(sides[0]) >= 0 ? 'land' : 'water';
}

/** How an answer is written: the caller's languages, and what the place is on. */
interface Wording {
  readonly naming: Naming;
  readonly on: On;
}

/** The answer where no country's shape contains the place: `nearby` has the one that the place counts to. */
function joinedAt(
  held: InMemory,
  { lat, lon }: PointDegrees,
  found: PointCandidate[],
  wording: Wording,
): Uint8Array | null {
  const code = countryAt(lat, lon);
  const country = code === null ? null : held.withIso(code);
  if (country === undefined) return null;
  const isListed = !country?.has_geometry || found.some(({ id }) => id === country.id);
  const shown = isListed ? null : country;
  if (found.length > 0) return joinedFor(held, found, shown, wording);
  const ground = code === null ? null : shown === null ? 'unknown' : held.groundOf({ id: shown.id });
  // Null here: memory does not tell.
  if (shown !== null && ground === null) return null;
  return joinedFor(held, found, shown, { ...wording, on: groundOutside(ground, { lat, lon }) });
}

/** The answer for the boundaries that contain a place, and for `country`, which does not. */
function joinedFor(
  held: InMemory,
  found: PointCandidate[],
  country: ResolvedBoundary | null,
  { naming, on }: Wording,
): Uint8Array | null {
  const ids = found.map(({ id }) => id);
  const countries = found.flatMap((one) => one.countries);
  if (country !== null) {
    ids.push(country.id);
    countries.push(...country.boundary.countries);
  }
  const mapped = found.some(({ type }) => type === 'postal_code') || held.hasPostcodes(countries);
  const written = held.written(ids, naming);
  if (mapped === null || written === null) return null;
  return writtenAnswer(written.slice(0, found.length), written[found.length] ?? null, { mapped, on });
}
