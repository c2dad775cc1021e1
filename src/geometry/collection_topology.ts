import { TOPOLOGY_TAIL, topologyGeometry, topologyHead, topologyObject } from '../../workers/formats/topojson/frame.ts';
import { properties } from '../../workers/formats/types.ts';
import type { PartResult } from '../../workers/tasks/part.ts';
import { defined } from '../common/elements.ts';
import { aboutOf, allOf, type Collection, END_CLASS, type Part, parts, refOf } from './collection_model.ts';
import type { Engine } from './engine.ts';
import { ringsOf } from './shape_leases.ts';

/**
 * The parts of a TopoJSON file: the arcs as they are found, each border once, then the features, which refer to them.
 * Arcs run between the junctions of all stored boundaries, so that their ends do not depend on the selection.
 */
export async function* topologyParts(
  engine: Engine,
  collection: Collection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { members, level, valuesOf, columns } = collection;
  const about = aboutOf(collection);
  const numbers = new Map<string, number>();
  const features: Buffer[] = [];
  let hasArcs = false;
  const write = async ({ from, to, first }: Part): Promise<PartResult> => {
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    return engine.shapes.withShapes(
      some.map(refOf),
      signal,
      async (lease) => {
        const boundaries = ringsOf(lease).map((rings, i) => ({ ...rings, ids: defined(lease.shapes[i]).arcs }));
        const task = { heap: lease.heap, level, endClass: END_CLASS };
        const {
          refs,
          end,
          names,
          boundaries: found,
        } = await engine.tasks.runPatiently('chains', { ...task, boundaries }, signal);
        const chosen = [...names.keys()].filter((chain) => !numbers.has(defined(names[chain])));
        const text = { ...task, refs, end, chosen: Uint32Array.from(chosen), first: !hasArcs };
        const made = await engine.tasks.runPatiently(
          'chainText',
          { ...text, maxBytes: engine.maxResponseBytes },
          signal,
        );
        if (made.kind === 'too_large') return made;
        for (const chain of chosen) numbers.set(defined(names[chain]), numbers.size);
        hasArcs ||= chosen.length > 0;
        const numberOf = (chain: number): number =>
          chain < 0 ? ~(numbers.get(defined(names[~chain])) as number) : (numbers.get(defined(names[chain])) as number);
        found.forEach((polygons, i) => {
          const arcs = polygons.map((rings) => rings.map((ring) => ring.map(numberOf)));
          const { id } = defined(some[i]);
          const feature = {
            ...topologyGeometry(arcs),
            id,
            properties: properties({ values: defined(values[i]) }, columns),
          };
          features.push(Buffer.from(`${features.length === 0 ? '' : ',\n'}${JSON.stringify(feature)}`));
        });
        return made;
      },
      !first,
    );
  };
  let begun = false;
  const head = Buffer.from(topologyHead(about.box));
  for await (const bytes of parts(engine, collection, write, allOf(collection))) {
    if (!begun) yield head;
    begun = true;
    yield bytes;
  }
  if (!begun) yield head;
  yield Buffer.from(topologyObject(about));
  yield* features;
  yield Buffer.from(TOPOLOGY_TAIL);
}
