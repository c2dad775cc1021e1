import { ArcHeap, privateHeap } from '../../src/geometry/heap.ts';
import { GeometryPool } from '../../src/geometry/pool.ts';
import { FULL } from '../../workers/contract.ts';
import type { RenderTask } from '../../workers/tasks/render.ts';
import type { WriteResult } from '../../workers/tasks/written.ts';
import { compared, type Options, type Result, time } from '../measure.ts';

/** Vertices of the rendered boundaries; the first is the null case: only the hand-over and back. */
const SIZES = [4, 250, 1_000, 4_000, 16_000, 64_000] as const;

/** Concurrent tasks: one shows the latency, many show the cost for the thread that hands them over. */
const AT_ONCE = 16;

/** A task that writes one ring of this many vertices as GeoJSON at full detail. */
function task(vertices: number): RenderTask {
  const coords = new Int32Array(2 * vertices + 2);
  for (let i = 0; i <= vertices; i++) {
    const turn = (2 * Math.PI * (i % vertices)) / vertices;
    coords[2 * i] = Math.round(6.1e7 + 4e7 * Math.cos(turn));
    coords[2 * i + 1] = Math.round(4.96e8 + 4e7 * Math.sin(turn));
  }
  const arc = {
    id: 1,
    revision: 1,
    coords: new Uint8Array(coords.buffer),
    weights: new Uint8Array(vertices + 1).fill(255),
    ends: new Uint8Array(56),
    exact: 0,
    area: -1,
    turn: 0,
    conflicts: [],
  };
  const { buffer, slots, vertices: room } = privateHeap([arc], new ArcHeap(1e6).heap);
  return {
    heap: { buffer, slots, vertices: room },
    rings: { refs: Int32Array.of(0), ringEnd: Uint32Array.of(1), polygonEnd: Uint32Array.of(1) },
    level: FULL,
    endClass: 0,
    format: 'geojson',
    document: { id: 'r1', name: 'Ring', properties: { name: 'Ring' }, bbox: null, attribution: '', digits: 7 },
    maxBytes: 64e6,
  };
}

const shaOf = (result: WriteResult) => (result.kind === 'bytes' ? result.sha256 : null);

/**
 * Measures the cost of a render in a pool thread against one in the calling thread, by size. The engine renders
 * documents below a bound in its own thread (SMALL_DOCUMENT in src/geometry/rendered.ts): those that take less than about
 * a millisecond of the event loop.
 */
export async function benchHandover(options: Options): Promise<Result[]> {
  const { heap } = new ArcHeap(1e6);
  const handle = { buffer: heap.buffer, vertices: heap.vertices, slots: heap.slots };
  const pool = new GeometryPool({ threads: 2, heap: handle, common: heap.table });
  const results: Result[] = [];
  try {
    for (const vertices of SIZES) {
      const given = task(vertices);
      const here = pool.runSmall('render', given);
      const same = shaOf(here) !== null && shaOf(here) === shaOf(await pool.run('render', given));
      const name = `render of ${vertices} vertices, geojson`;
      const ours = await time(() => pool.runSmall('render', given), options);
      const alone = await time(() => pool.run('render', given), options);
      results.push(compared(`${name}, one after the other`, ours, 'through the pool', alone, same));
      const many = () => Promise.all(Array.from({ length: AT_ONCE }, () => pool.run('render', given)));
      const together = await time(many, options);
      const share = { median: together.median / AT_ONCE };
      results.push(compared(`${name}, ${AT_ONCE} at once`, ours, 'through the pool', share, same));
    }
  } finally {
    await pool.close();
  }
  return results;
}
