import { cutChains } from '../arcs/cut.ts';
import type { Polygons } from '../contract.ts';
import { TOPOLOGY_TAIL, topologyGeometry, topologyHead, topologyObject } from '../formats/topojson/frame.ts';
import type { About } from '../formats/types.ts';
import { properties } from '../formats/types.ts';
import type { CollectionTextTask } from './collection_text.ts';
import { DIGITS, type PartResult, POINTS, writePart } from './part.ts';
import { bytesOf, type TaskContext } from './task.ts';

/** Writes laid-out areas as TopoJSON. Areas that share vertices share arcs. */
export interface TopologyTask {
  readonly areas: readonly Polygons[];
  readonly about: Pick<About, 'name' | 'attribution' | 'columns' | 'box'>;
  /** Values per area, in the order of the columns. */
  readonly values: CollectionTextTask['values'];
  readonly maxBytes: number;
}

/**
 * Laid-out areas as a complete TopoJSON file; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: TopologyTask, place: TaskContext): PartResult {
  const rings = task.areas.flatMap(({ coords, ringEnd }) =>
    Array.from(ringEnd, (end, r) => coords.subarray(r === 0 ? 0 : 2 * ringEnd[r - 1], 2 * end)),
  );
  const { arcs, refs } = cutChains(rings);
  return writePart(task.maxBytes, place, (out, check) => {
    out.utf8(topologyHead(task.about.box));
    arcs.forEach((arc, i) => {
      check();
      out.ascii(i === 0 ? '[[' : ',\n[[');
      out.points({ coords: arc }, 0, arc.length / 2, DIGITS, POINTS);
      out.ascii(']]');
    });
    out.utf8(topologyObject(task.about));
    let from = 0;
    task.areas.forEach(({ ringEnd, polygonEnd }, i) => {
      check();
      const lists = refs.slice(from, from + ringEnd.length).map((ring) => [...ring]);
      const polygons = Array.from(polygonEnd, (end, p) => lists.slice(p === 0 ? 0 : polygonEnd[p - 1], end));
      from += ringEnd.length;
      const feature = {
        ...topologyGeometry(polygons),
        properties: properties({ values: task.values[i] }, task.about.columns),
      };
      out.utf8(`${i === 0 ? '' : ',\n'}${JSON.stringify(feature)}`);
    });
    out.ascii(TOPOLOGY_TAIL);
  });
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
