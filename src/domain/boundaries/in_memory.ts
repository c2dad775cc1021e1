import { defined } from '../../common/elements.ts';
import type { Naming } from '../names/languages.ts';
import { type ResolvedBoundary, withName } from './boundary.ts';
import type { Boxes } from './box_index.ts';
import { keyOfNaming } from './naming_key.ts';
import { PointCandidates } from './point_candidates.ts';
import type { InMemory, State } from './reads.ts';

/** The lookups that the state of one revision answers, with the boxes of that revision. */
export function inMemory(held: State, boxes: Boxes, counts: { hits: number }): InMemory {
  if (held.lookups?.boxes === boxes) return held.lookups.inMemory;
  const list = new PointCandidates(boxes);
  const read = (id: string): ResolvedBoundary | null => held.documents.get(`osm:${id}`) ?? null;
  /** The JSON of a boundary in memory, for callers whose languages need no other name than its own; else null. */
  const writeNow = (id: string, { prefer, names }: Naming, prefix: string): Uint8Array | null => {
    if (prefer.length > 0 || (names !== null && names.length > 0)) return null;
    const one = read(id);
    if (one === null || one.id !== id) return null;
    const bytes = Buffer.from(JSON.stringify(withName(one.boundary, one.boundary.name, names === null ? null : {})));
    held.written.set(prefix + id, bytes, bytes.byteLength);
    return bytes;
  };
  const lookups: InMemory = {
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
        const id = defined(ids[i]);
        const bytes = held.written.get(prefix + id) ?? writeNow(id, naming, prefix);
        if (bytes === null) return null;
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
  held.lookups = { boxes, inMemory: lookups };
  return lookups;
}
