import type { TextFormat } from '../../workers/formats/registry.ts';
import type { PartResult } from '../../workers/tasks/part.ts';
import type { Lease } from './arc_leases.ts';
import {
  aboutOf,
  allOf,
  type Collection,
  END_CLASS,
  endsOf,
  type MemberRange,
  type Part,
  parts,
  refOf,
} from './collection_model.ts';
import type { Engine } from './engine.ts';
import { ringsOf } from './shape_leases.ts';

/** The parts of a collection in a text format. @throws as textMiddle() */
export async function* textParts(
  engine: Engine,
  collection: Collection & { readonly format: TextFormat },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { head, tail } = endsOf(collection.format, aboutOf(collection));
  let begun = false;
  for await (const bytes of textMiddle(engine, collection, signal, allOf(collection))) {
    if (!begun) yield* head;
    begun = true;
    yield bytes;
  }
  if (!begun) yield* head;
  yield* tail;
}

/** Features in a text format, without the head and the tail of the file. @throws as writeCollection() */
export function textMiddle(
  engine: Engine,
  collection: Collection & { readonly format: TextFormat },
  signal: AbortSignal,
  range: MemberRange,
): AsyncGenerator<Uint8Array> {
  const { members, format, level, geometry, valuesOf } = collection;
  const about = aboutOf(collection);
  const write = async ({ from, to, first }: Part): Promise<PartResult> => {
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    const boxes = some.map(({ box }) => box);
    const task = { level, endClass: END_CLASS, format, about, values, boxes, first, maxBytes: engine.maxResponseBytes };
    const run = (heap: Lease['heap'], rings: ReturnType<typeof ringsOf> | null) =>
      engine.tasks.runPatiently('collectionText', { ...task, heap, rings }, signal);
    if (!geometry) return run(null, null);
    return engine.shapes.withShapes(some.map(refOf), signal, (lease) => run(lease.heap, ringsOf(lease)), !first);
  };
  return parts(engine, collection, write, range);
}
