import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from './boundary.ts';
import type { Boxes } from './box_index.ts';
import type { InMemory, State } from './model.ts';
import { keyOfNaming } from './naming_key.ts';
import { PointCandidates } from './point_candidates.ts';

/** The lookups that the state of one revision answers, with the boxes of that revision. */
export function inMemory(held: State, boxes: Boxes, counts: { hits: number }): InMemory {
  let candidates = held.candidates.current;
  if (candidates === null || !candidates.isOf(boxes)) {
    candidates = new PointCandidates(boxes);
    held.candidates.current = candidates;
  }
  const list = candidates;
  const read = (id: string): ResolvedBoundary | null => held.documents.get(`osm:${id}`) ?? null;
  return {
    revision: held.revision,
    around(x, y) {
      const found = list.at(x, y, read);
      counts.hits += found?.length ?? 0;
      return found;
    },
    withIso: (code) => held.documents.get(`iso:${code}`),
    written(ids, naming) {
      const prefix = keyOfNaming(naming);
      const found: Uint8Array[] = [];
      for (let i = 0; i < ids.length; i++) {
        const bytes = held.written.get(prefix + defined(ids[i]));
        if (bytes === undefined) return null;
        found.push(bytes);
      }
      return found;
    },
    groundOf(boundary) {
      const known = boundary.ground ?? held.shared.knownLand(boundary.id)?.ground;
      if (known !== undefined) boundary.ground = known;
      return known ?? null;
    },
    kept: (key) => held.answers.get(key)?.bytes,
    keep: (key, bytes) => held.answers.set(key, { bytes }, bytes.buffer.byteLength),
    hasPostcodes(countries) {
      let has = false;
      for (const country of countries) {
        const known = held.postcodes.get(country);
        if (known === undefined) return null;
        has ||= known;
      }
      return has;
    },
  };
}
