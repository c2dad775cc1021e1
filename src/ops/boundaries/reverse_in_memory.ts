import { defined } from '../../common/elements.ts';
import type { Context } from '../../core/op.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { InMemory } from '../../domain/boundaries/model.ts';
import type { PointCandidate } from '../../domain/boundaries/point_candidates.ts';
import type { Place } from '../../domain/boundaries/reverse.ts';
import type { Naming } from '../../domain/names/languages.ts';
import { countryAt } from '../../sources/countries.ts';
import { endOfList, endOfObject, joinedList } from './list.ts';
import { CONTAINS, completenessOf, NEAREST_WATERS, outermostFirst } from './reverse_answer.ts';

const ENDS = { contains: endOfObject(CONTAINS), nearestWaters: endOfObject(NEAREST_WATERS) };
const LIST_ENDS = { mapped: endOfList(completenessOf(true)), notMapped: endOfList(completenessOf(false)) };

/**
 * The answer for a place, as JSON, when memory holds all that it takes: the boxes, the arcs of the candidates, and the
 * bytes of each boundary in the caller's languages, which are joined. Otherwise null. The bytes are those of the answer
 * that is read from a Snapshot, in a fraction of its time: nothing is awaited, and no boundary becomes an object.
 */
export function answerInMemory({ services }: Context, { lat, lon }: Place, naming: Naming): Uint8Array | null {
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
  if (!found.some(({ kind }) => kind === 'country')) return joinedAt(held, { lat, lon }, found, naming);
  // The answer does not depend on the point itself. The candidates always come in the same order.
  const key = `reverse ${JSON.stringify(naming)} ${found.map(({ id }) => id).join()}`;
  const kept = held.kept(key);
  if (kept !== undefined) return kept;
  const made = joinedFor(held, found, null, naming);
  if (made !== null) held.keep(key, made);
  return made;
}

/** The answer where no country's shape contains the place: it starts with the one that the place counts to. */
function joinedAt(held: InMemory, { lat, lon }: Place, found: PointCandidate[], naming: Naming): Uint8Array | null {
  const code = countryAt(lat, lon);
  const country = code === null ? null : held.withIso(code);
  if (country === undefined) return null;
  const isListed = !country?.has_geometry || found.some(({ id }) => id === country.id);
  return joinedFor(held, found, isListed ? null : country, naming);
}

/** The answer for the boundaries that contain a place, preceded by `country`, which does not. */
function joinedFor(
  held: InMemory,
  found: PointCandidate[],
  country: ResolvedBoundary | null,
  naming: Naming,
): Uint8Array | null {
  found.sort(outermostFirst);
  const ids = found.map(({ id }) => id);
  const countries = found.flatMap((one) => one.countries);
  if (country !== null) {
    ids.unshift(country.id);
    countries.push(...country.boundary.countries);
  }
  const mapped = found.some(({ type }) => type === 'postal_code') || held.hasPostcodes(countries);
  const written = held.written(ids, naming);
  if (mapped === null || written === null) return null;
  const first = country === null ? ENDS.contains : ENDS.nearestWaters;
  const ends = written.map((_, i) => (i === 0 ? first : ENDS.contains));
  return joinedList(written, ends, mapped ? LIST_ENDS.mapped : LIST_ENDS.notMapped);
}
