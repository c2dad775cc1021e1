import type { HeapHandle } from '../../src/geometry/arc_leases.ts';
import { ArcHeap, privateHeap } from '../../src/geometry/heap.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { FULL } from '../../workers/contract.ts';
import type { MergeTask } from '../../workers/tasks/merge.ts';
import type { OverlayTask } from '../../workers/tasks/overlay_merge.ts';
import type { RenderTask } from '../../workers/tasks/render.ts';
import { FIXTURE_SOURCE, fixtureBoundary } from '../ops/fixture_world.ts';

const EMPTY_ENDS = new Uint8Array(2 * 28);

/** A small square as a closed arc, at a position on a grid. */
function square(id: number) {
  const [x, y] = [1000 * (id % 300), 1000 * Math.floor(id / 300)];
  return closedArc(id, Int32Array.from([x, y, x + 100, y, x + 100, y + 100, x, y + 100, x, y]));
}

function closedArc(id: number, coords: Int32Array) {
  return {
    id,
    revision: 1,
    coords: new Uint8Array(coords.buffer),
    weights: new Uint8Array(coords.length / 2).fill(255),
    ends: EMPTY_ENDS,
    exact: 0,
    area: -1,
    turn: 0,
    conflicts: [],
  };
}

/** The empty heap that the pools of these tests share. */
export const COMMON = new ArcHeap(1e6).heap;

export const handleOf = (heap: HeapHandle): HeapHandle => ({
  buffer: heap.buffer,
  vertices: heap.vertices,
  slots: heap.slots,
});

const DOCUMENT = { id: null, name: 'x', properties: {}, bbox: null, attribution: '', digits: 7 };

/**
 * An archipelago less another that lies between its islands: every island of one is searched among all islands of the
 * other, so that 90,000 islands take many seconds.
 */
export function archipelagos(islands: number): MergeTask {
  const heap = privateHeap(
    Array.from({ length: islands }, (_, id) => square(id)),
    COMMON,
  );
  const every = (rest: number) => Int32Array.from({ length: islands / 2 }, (_, i) => 2 * i + rest);
  return {
    heap: handleOf(heap),
    boundaries: [every(0), every(1)],
    include: [0],
    exclude: [1],
    detail: 'full',
    level: null,
    endClass: 0,
    format: 'wkt',
    document: DOCUMENT,
    maxBytes: 1e8,
  };
}

/** A task that writes one small square as WKT. */
export function oneSquare(): RenderTask {
  return {
    heap: handleOf(privateHeap([square(1)], COMMON)),
    rings: { refs: Int32Array.of(0), ringEnd: Uint32Array.of(1), polygonEnd: Uint32Array.of(1) },
    level: FULL,
    endClass: 0,
    format: 'wkt',
    document: DOCUMENT,
    maxBytes: 1e6,
  };
}

/** A polygon whose outline zigzags between two circles, so that GEOS takes long to check it. */
export function zigzag(vertices: number): OverlayTask {
  const coords = new Int32Array(2 * vertices + 2);
  for (let i = 0; i <= vertices; i++) {
    const angle = (2 * Math.PI * (i % vertices)) / vertices;
    const radius = i % 2 === 0 ? 5e8 : 6e8;
    coords[2 * i] = Math.round(radius * Math.cos(angle));
    coords[2 * i + 1] = Math.round(radius * Math.sin(angle));
  }
  return {
    heap: handleOf(privateHeap([closedArc(0, coords)], COMMON)),
    boundaries: [{ refs: Int32Array.of(0), ringEnd: Uint32Array.of(1), polygonEnd: Uint32Array.of(1) }],
    include: [0],
    exclude: [],
    detail: 'full',
    level: null,
    format: 'wkt',
    document: DOCUMENT,
    maxBytes: 1e9,
  };
}

/** Boundaries r1, r2 … with `vertices` vertices each, on circles side by side. */
export function circles(count: number, vertices: number): StoreInput {
  const boundaries = Array.from({ length: count }, (_, c) => {
    const ring = new Int32Array(2 * (vertices + 1));
    for (let i = 0; i <= vertices; i++) {
      const turn = (2 * Math.PI * (i % vertices)) / vertices;
      const radius = 8e6 * (1 + 0.02 * Math.sin(41 * turn + c));
      ring[2 * i] = Math.round(2e7 * c - 3e8 + radius * Math.cos(turn));
      ring[2 * i + 1] = Math.round(4e8 + radius * Math.sin(turn));
    }
    return fixtureBoundary(`r${c + 1}`, `Circle ${c + 1}`, { rings: [ring] });
  });
  return { source: FIXTURE_SOURCE, file: 'circles', boundaries };
}
