import { defined } from '../../common/elements.ts';
import { TURN_ELEMENTS, Turns } from '../../common/turns.ts';
import { type NamedShape, type ResolvedBoundary, shapeOf } from './boundary.ts';
import { nameOf } from './finders.ts';
import { parseBoundaryId } from './ids.ts';
import type { Snapshot, State } from './reads.ts';
import { sizeOfShape } from './rows.ts';

/** What reads shapes that memory does not hold. */
interface ShapeSources {
  /** Lookups answered from memory, and the others. */
  readonly counts: { hits: number; misses: number };
  /** Shapes by canonical id. */
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, NamedShape>>;
  readonly resolve: (texts: readonly string[]) => Promise<readonly ResolvedBoundary[]>;
}

/** Reads the shapes of ids, as Snapshot.shapes() does, in pieces between which others have their turn. */
export function shapesOf(
  held: Pick<State, 'shapes' | 'documents'>,
  { counts, find, resolve }: ShapeSources,
): Snapshot['shapes'] {
  /** Adds the shapes of ids that are those of objects of the map or areas of sets, by the text of each. */
  async function addShapes(texts: readonly string[], found: Map<string, NamedShape>): Promise<void> {
    const missing: { readonly text: string; readonly id: string }[] = [];
    const before = found.size;
    for (const text of texts) {
      let one = held.shapes.get(text);
      if (one === undefined) {
        const id = parseBoundaryId(text);
        if (id.kind !== 'osm') continue;
        const document = held.documents.get(nameOf(id));
        one = held.shapes.get(id.id) ?? (document ? shapeOf(document) : undefined);
        if (one === undefined) missing.push({ text, id: id.id });
      }
      if (one !== undefined) found.set(text, one);
    }
    counts.hits += found.size - before;
    counts.misses += missing.length;
    if (missing.length === 0) return;
    const fetched = await find(missing.map(({ id }) => id));
    for (const { text, id } of missing) {
      const one = fetched.get(id);
      if (!one || found.has(text)) continue;
      held.shapes.set(one.id, one, sizeOfShape(one));
      found.set(text, one);
    }
  }

  return async (texts) => {
    if (texts.length <= TURN_ELEMENTS) {
      // The canonical id of a boundary is its key.
      const known = texts.map((text) => held.shapes.get(text));
      if (known.every((one) => one !== undefined)) {
        counts.hits += texts.length;
        return known;
      }
    }
    const found = new Map<string, NamedShape>();
    const turns = new Turns();
    for (let from = 0; from < texts.length; from += TURN_ELEMENTS) {
      if (from > 0) await turns.next();
      await addShapes(texts.slice(from, from + TURN_ELEMENTS), found);
    }
    // Other forms, aliases and unknown ids are few: they go through resolve().
    const others = texts.filter((text) => !found.has(text));
    if (others.length > 0)
      (await resolve(others)).forEach((one, i) => void found.set(defined(others[i]), shapeOf(one)));
    return texts.map((text) => found.get(text) as NamedShape);
  };
}
