/**
 * The entry point of the pool's threads. Each task runs with a cancel flag and start and end times in shared memory,
 * and its result is moved to the main thread.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { assembleArrangement, describeAll, tierAll as tierArcs } from './build.ts';
import { type IsCancelled, throwIfCancelled } from './cancel.ts';
import * as collection from './collection.ts';
import type { Polygons } from './contract.ts';
import type { ConvertResult, ConvertTask } from './convert.ts';
import { crosswalkPairs } from './crosswalk.ts';
import { dissolveGroups } from './dissolve.ts';
import * as exact from './exact.ts';
import * as fileTiles from './file_tiles.ts';
import { openHeap } from './heap.ts';
import { polygonsArea } from './kernels/area.ts';
import { measureBorder } from './kernels/border.ts';
import { polygonsBox } from './kernels/box.ts';
import { cleanCoverage } from './kernels/clean.ts';
import { materialize } from './kernels/layout.ts';
import { levelFor } from './kernels/levels.ts';
import { boxesAt as findBoxes, locateAmong as locateMany } from './kernels/locate_many.ts';
import { nearness } from './kernels/nearness.ts';
import { overlapShare } from './kernels/nest.ts';
import { isValid, overlay, type SharesWithin, sharesWithin } from './kernels/overlay.ts';
import { packBoxes as pack } from './kernels/pack_boxes.ts';
import { simplifyPolygons } from './kernels/simplify_polygons.ts';
import type { BlobsTask, LayOutTask, NodesTask, WaysTask } from './osm/passes.ts';
import * as passes from './osm/passes.ts';
import { regionPolygons } from './region.ts';
import type {
  BorderTask,
  BoxesAtTask,
  BuildTask,
  CleanTask,
  CrosswalkTask,
  DescribeTask,
  DissolvedAreas,
  DissolveResult,
  DissolveTask,
  FinishTask,
  LocateAllTask,
  LocateAmongTask,
  LocateTask,
  MergeTask,
  NearTask,
  OverlayTask,
  PackTask,
  PolygonsTask,
  RegionTask,
  RenderTask,
  ShareTask,
  TaskBase,
  TierAllTask,
  TierTask,
  WriteResult,
} from './tasks.ts';
import { now } from './tasks.ts';
import { computeTiers } from './tiers.ts';
import { tile as drawTile, type TileResult, type TileTask } from './tile.ts';
import { polygonsFromWkb } from './wkb.ts';

interface Shared {
  readonly heap: { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number };
  readonly flags: SharedArrayBuffer;
  readonly times: SharedArrayBuffer;
}

// Piscina adds its own data to workerData; these fields are what the pool passed.
const shared = workerData as Shared;
const common = openHeap(shared.heap, shared.heap.buffer).table;
const flags = new Int32Array(shared.flags);
const times = new Float64Array(shared.times);

/**
 * Wraps a task: polls its cancel flag, and writes its start and end times (ms) where the pool reads them.
 * @throws Error (not a DOMException) when the task is canceled
 */
function task<T extends TaskBase, R>(run: (task: T, place: exact.TaskContext) => R | Promise<R>) {
  return async (given: T): Promise<R> => {
    const isCancelled: IsCancelled = () => Atomics.load(flags, given.flag) === 1;
    times[2 * given.flag] = now();
    try {
      throwIfCancelled(isCancelled);
      return await run(given, { common, isCancelled });
    } catch (error) {
      // Node 20 cannot pass a DOMException between threads.
      throw error instanceof DOMException ? new Error(error.message) : error;
    } finally {
      times[2 * given.flag + 1] = now();
    }
  };
}

/** Moves the bytes of a result to the main thread instead of copying them. */
function moveBytes<
  T extends WriteResult | ConvertResult | Exclude<DissolveResult, DissolvedAreas> | collection.PartResult | TileResult,
>(result: T): T {
  if (result.kind !== 'bytes') return result;
  const { bytes } = result;
  const movable = {
    get [transferableSymbol]() {
      return [bytes.buffer];
    },
    get [valueSymbol]() {
      return result;
    },
  };
  return move(movable as unknown as Parameters<typeof move>[0]) as unknown as T;
}

/**
 * Writes one boundary at a level in a format: the bytes, or why there are none.
 * @throws Error when it is canceled
 */
export const render = task((given: RenderTask, place) => moveBytes(exact.render(given, place)));

/**
 * Merges boundaries on their arcs and writes the result: the bytes, `too_large`, or `trouble` with the place (1e-7
 * degrees) at which this strategy failed.
 * @throws Error when it is canceled
 */
export const merge = task((given: MergeTask, place) => moveBytes(exact.merge(given, place)));

/**
 * The pairs with a common area, and that area in km2; `too_large`, or `trouble` with the boundaries that failed. See
 * crosswalk.ts.
 */
export const crosswalk = task((given: CrosswalkTask, place) => crosswalkPairs(given, place));

/**
 * The union of each group of boundaries, as areas or as one file. `trouble` names the group that failed. See
 * dissolve.ts.
 */
export const dissolve = task(async (given: DissolveTask, place) => {
  const result = await dissolveGroups(given, place);
  if (result.kind !== 'areas') return moveBytes(result);
  const arrays = result.areas.flatMap(({ polygons: { coords, ringEnd, polygonEnd } }) => [coords, ringEnd, polygonEnd]);
  return moveArrays(result, arrays);
});

/** Where one point (1e-7 degrees) is relative to each boundary: 1 inside, 0 on the border, -1 outside. */
export const locateIn = task((given: LocateTask, place) => exact.locateIn(given, place));

/** The length in meters of each arc of a boundary, and the edges at its ends. See kernels/border.ts. */
export const border = task((given: BorderTask, { isCancelled }) =>
  measureBorder(exact.tableOf(given.heap, common), given.refs, isCancelled),
);

/** Per point, the indexes of the boxes that contain it. */
export const boxesAt = task((given: BoxesAtTask, { isCancelled }) => {
  const found = findBoxes(given.tree, given.boxes, given.points, isCancelled);
  return moveArrays(found, [found.from, found.end, found.items]);
});

/** A byte per point and candidate: 1 when the point is inside the boundary or on its border. */
export const locateAmong = task((given: LocateAmongTask, { isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  return locateMany(table, given, given.points, given.candidates, isCancelled);
});

/** Where each point (1e-7 degrees) is relative to its own boundary: 1 inside, 0 on the border, -1 outside. */
export const locateAll = task((given: LocateAllTask, place) => exact.locateAll(given, place));

/** Boundaries as one tile: its bytes, zero bytes when it is empty. See tile.ts. */
export const tile = task((given: TileTask, place) => moveBytes(drawTile(given, place)));

/** The areas of a file, in shared memory, or why the file cannot be read. See file_tiles.ts. */
export const readSource = task((given: fileTiles.ReadSourceTask, { isCancelled }) =>
  fileTiles.readSource(given, isCancelled),
);

/** One tile of a file: its bytes, zero bytes when it is empty. */
export const fileTile = task((given: fileTiles.FileTileTask, { isCancelled }) =>
  moveBytes(fileTiles.fileTile(given, isCancelled)),
);

/** Part of a collection in a text format: consecutive features as bytes, or `too_large`. */
export const collectionText = task((given: collection.CollectionTextTask, place) =>
  moveBytes(collection.collectionText(given, place)),
);

/** The chains that boundaries share at a level, as TopoJSON arcs, and each ring as a list of them. */
export const chains = task((given: collection.ChainsTask, place) => collection.chains(given, place));

/** Part of the arcs of a TopoJSON file as bytes, in degrees, or `too_large`. */
export const chainText = task((given: collection.ChainTextTask, place) =>
  moveBytes(collection.chainText(given, place)),
);

/** Areas with given coordinates as one TopoJSON file, or `too_large`. */
export const topology = task((given: collection.TopologyTask, place) => moveBytes(collection.topology(given, place)));

/** The polygons of several boundaries at a level, in 1e-7 degrees. Their arrays are moved. */
export const layOutAll = task((given: collection.LayOutAllTask, place) => {
  const laid = collection.layOutAll(given, place);
  return moveArrays(
    laid,
    laid.flatMap(({ coords, ringEnd, polygonEnd }) => [coords, ringEnd, polygonEnd]),
  );
});

/** A packed search tree of boxes. See kernels/pack_boxes.ts. */
export const packBoxes = task(({ boxes }: PackTask) => pack(boxes));

/**
 * Like merge, but as an overlay on the integer grid, for boundaries whose arcs cross. GEOS cannot be interrupted: a
 * started overlay runs to its end.
 */
export const overlayMerge = task(async (given: OverlayTask, { isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  const full = given.boundaries.map((rings) => materialize(table, rings, -1, 0, isCancelled));
  const pick = (indexes: readonly number[]) => [...new Set(indexes)].map((i) => full[i]);
  return finish(given, await overlay(pick(given.include), pick(given.exclude)), isCancelled);
});

/** A byte per pair: FAR, NEAR or SHARED. See kernels/nearness.ts. */
export const near = task((given: NearTask, { common, isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  const { refs, refEnd, pairs } = given;
  const of = (i: number) => refs.subarray(refEnd[i - 1] ?? 0, refEnd[i]);
  return Uint8Array.from({ length: pairs.length / 3 }, (_, k) => {
    throwIfCancelled(isCancelled);
    const [a, b, meters] = pairs.subarray(3 * k, 3 * k + 3);
    return nearness(table, of(a), of(b), meters < 0 ? null : meters, isCancelled);
  });
});

/** A region built by clips, intersections or buffers, written like an overlay merge. See region.ts. */
export const region = task(async (given: RegionTask, place) => {
  const result = await regionPolygons(given, place);
  return 'trouble' in result
    ? { kind: 'trouble' as const, ...result.trouble }
    : finish(given, result, place.isCancelled);
});

/** Like overlayMerge, when PostGIS has computed the overlay. */
export const finishOverlay = task((given: FinishTask, { isCancelled }) =>
  finish(given, polygonsFromWkb(given.wkb), isCancelled),
);

/**
 * Finishes an overlay merge, wherever the overlay ran: validates, measures, simplifies, writes. GEOS cannot be
 * interrupted: the cancel flag is checked only between its calls, and the deadline ends the thread.
 */
async function finish(
  given: Omit<OverlayTask, 'include' | 'exclude'>,
  result: Polygons,
  isCancelled: IsCancelled,
): Promise<WriteResult> {
  throwIfCancelled(isCancelled);
  const trouble = await isValid(result);
  if (trouble) return { kind: 'trouble', ...trouble };
  const box = polygonsBox(result);
  const level = levelFor(given.detail, box);
  const areaKm2 = polygonsArea(result, isCancelled) / 1e6;
  const polygons = await simplifyPolygons(result, level, isCancelled);
  const document = exact.mergedDocument(given, areaKm2, box, level);
  return moveBytes(exact.write(polygons, document, { task: given, areaKm2, level }, isCancelled));
}

/**
 * Per pair, the share (0 … 1) of the child's area that is inside its parent: from arcs where they do not cross,
 * otherwise by an overlay.
 */
export const shares = task(async (given: ShareTask, { isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  const out = new Float64Array(given.pairs.length / 2);
  // Pairs with the same parent are adjacent, so its geometry is built once.
  let last = -1;
  let within: SharesWithin | null = null;
  try {
    for (let i = 0; i < out.length; i++) {
      throwIfCancelled(isCancelled);
      const child = given.boundaries[given.pairs[2 * i]];
      const number = given.pairs[2 * i + 1];
      const parent = given.boundaries[number];
      const share = given.conflicts[i] ? null : overlapShare(table, child.refs, parent.refs);
      if (share !== null) {
        out[i] = share;
        continue;
      }
      if (within === null || number !== last) {
        within?.release();
        within = null;
        within = await sharesWithin(materialize(table, parent, -1, 0));
        last = number;
      }
      out[i] = within.shareOf(materialize(table, child, -1, 0));
    }
  } finally {
    within?.release();
  }
  return out;
});

/** The polygons of one boundary at a level, in 1e-7 degrees. */
export const polygonsOf = task((given: PolygonsTask, { isCancelled }) =>
  materialize(exact.tableOf(given.heap, common), given.rings, given.level, given.endClass, isCancelled),
);

/**
 * Arcs cut from chains at their junctions, the boundaries assembled from them, and conflicts. See build.ts.
 */
export const assemble = task((given: BuildTask) => assembleArrangement(given));

/** Areas, boxes, centers, hashes and polygons of assembled boundaries. See build.ts. */
export const describe = task((given: DescribeTask) => describeAll(given));

/** The tiers of all arcs of an arrangement, as if no other arcs existed. See build.ts. */
export const tierAll = task((given: TierAllTask) => tierArcs(given));

/** A file of one format as bytes of another, or why it cannot be converted. See convert.ts. */
// The server never converts files, so their readers load only in the thread that gets this task.
export const convert = task(async (given: ConvertTask, { isCancelled }): Promise<ConvertResult> => {
  const { convertFile } = await import('./convert.ts');
  return moveBytes(await convertFile(given, isCancelled));
});

/** The tiers of some arcs of an arrangement: vertex weights, masks of ends, and cells. See tiers.ts. */
export const tiers = task((given: TierTask) => computeTiers(given));

/** A coverage without sliver overlaps and sliver gaps. See kernels/clean.ts. */
export const clean = task((given: CleanTask) => cleanCoverage(given.features, given.slivers));

/** Moves the arrays of a result to the main thread instead of copying them. */
function moveArrays<T extends object>(result: T, arrays: readonly ArrayBufferView[]): T {
  const movable = {
    get [transferableSymbol]() {
      return arrays.map(({ buffer }) => buffer);
    },
    get [valueSymbol]() {
      return result;
    },
  };
  return move(movable as unknown as Parameters<typeof move>[0]) as unknown as T;
}

/** The boundary relations in blobs of a PBF file, and the ids of their ways. Their arrays are moved. */
export const relationsOf = task((given: BlobsTask & TaskBase) => {
  const found = passes.relationsOf(given);
  return moveArrays(found, [found.texts.bytes, found.ways.ids]);
});

/** The ways among `wanted` in blobs of a PBF file, with the ids of their nodes. Their arrays are moved. */
export const waysOf = task((given: WaysTask & TaskBase) => {
  const found = passes.waysOf(given);
  return moveArrays(found, [found.texts.bytes, found.refs.ids, found.coords]);
});

/**
 * Writes the coordinates of wanted nodes in blobs of a PBF file into the shared array; returns the nodes whose tags are
 * wanted.
 */
export const nodesOf = task((given: NodesTask & TaskBase) => passes.nodesOf(given));

/** The coordinates of the nodes of each way, in order, from the shared array. */
export const layOutPlaces = task((given: LayOutTask & TaskBase) => passes.layOutPlaces(given));
