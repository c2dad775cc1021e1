/** The entry of the pool's threads: run a task where its flag and its times are kept, move the result. */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { buildArrangement } from './build.ts';
import * as collection from './collection.ts';
import type { Polygons } from './contract.ts';
import type { ConvertResult, ConvertTask } from './convert.ts';
import { crosswalkPairs } from './crosswalk.ts';
import { dissolveGroups } from './dissolve.ts';
import * as exact from './exact.ts';
import { type IsCancelled, stopIf } from './halt.ts';
import { openHeap } from './heap.ts';
import { polygonsArea } from './kernels/area.ts';
import { measureBorder } from './kernels/border.ts';
import { polygonsBox } from './kernels/box.ts';
import { cleanCoverage } from './kernels/clean.ts';
import { layOut } from './kernels/layout.ts';
import { levelFor } from './kernels/levels.ts';
import { overlapShare } from './kernels/nest.ts';
import { intersectionShare, isValid, overlay } from './kernels/overlay.ts';
import { packBoxes as pack } from './kernels/pack_boxes.ts';
import { simplifyPolygons } from './kernels/simplify_polygons.ts';
import type { BlobsTask, LayOutTask, NodesTask, WaysTask } from './osm/passes.ts';
import * as passes from './osm/passes.ts';
import type {
  BorderTask,
  BuildTask,
  CleanTask,
  CrosswalkTask,
  DissolvedAreas,
  DissolveResult,
  DissolveTask,
  FinishTask,
  LocateAllTask,
  LocateTask,
  MergeTask,
  OverlayTask,
  PackTask,
  PolygonsTask,
  RenderTask,
  ShareTask,
  TaskBase,
  TierTask,
  WriteResult,
} from './tasks.ts';
import { now } from './tasks.ts';
import { workOutTiers } from './tiers.ts';
import { polygonsFromWkb } from './wkb.ts';

interface Shared {
  readonly heap: { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number };
  readonly flags: SharedArrayBuffer;
  readonly times: SharedArrayBuffer;
}

// Piscina hands its own data to the thread; ours is what the pool was made with.
const shared = workerData as Shared;
const common = openHeap(shared.heap, shared.heap.buffer).table;
const flags = new Int32Array(shared.flags);
const times = new Float64Array(shared.times);

/** A task with its flag polled and the moments of its start and end left where the pool reads them. */
function task<T extends TaskBase, R>(run: (task: T, place: exact.Workplace) => R | Promise<R>) {
  return async (given: T): Promise<R> => {
    const isCancelled: IsCancelled = () => Atomics.load(flags, given.flag) === 1;
    times[2 * given.flag] = now();
    try {
      stopIf(isCancelled);
      return await run(given, { common, isCancelled });
    } catch (error) {
      // A DOMException does not pass between threads in Node 20.
      throw error instanceof DOMException ? new Error(error.message) : error;
    } finally {
      times[2 * given.flag + 1] = now();
    }
  };
}

/** The bytes of a result are moved to the main thread, not copied. */
function send<T extends WriteResult | ConvertResult | Exclude<DissolveResult, DissolvedAreas> | collection.PartResult>(
  result: T,
): T {
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

export const render = task((given: RenderTask, place) => send(exact.render(given, place)));

export const merge = task((given: MergeTask, place) => send(exact.merge(given, place)));

export const crosswalk = task((given: CrosswalkTask, place) => crosswalkPairs(given, place));

export const dissolve = task(async (given: DissolveTask, place) => {
  const result = await dissolveGroups(given, place);
  if (result.kind !== 'areas') return send(result);
  const arrays = result.areas.flatMap(({ polygons: { coords, ringEnd, polygonEnd } }) => [coords, ringEnd, polygonEnd]);
  return sendArrays(result, arrays);
});

export const locateIn = task((given: LocateTask, place) => exact.locateIn(given, place));

export const border = task((given: BorderTask, { isCancelled }) =>
  measureBorder(exact.tableOf(given.heap, common), given.refs, isCancelled),
);

export const locateAll = task((given: LocateAllTask, place) => exact.locateAll(given, place));
export const collectionText = task((given: collection.CollectionTextTask, place) =>
  send(collection.collectionText(given, place)),
);

export const chains = task((given: collection.ChainsTask, place) => collection.chains(given, place));

export const chainText = task((given: collection.ChainTextTask, place) => send(collection.chainText(given, place)));

export const topology = task((given: collection.TopologyTask, place) => send(collection.topology(given, place)));

export const layOutAll = task((given: collection.LayOutAllTask, place) => {
  const laid = collection.layOutAll(given, place);
  return sendArrays(
    laid,
    laid.flatMap(({ coords, ringEnd, polygonEnd }) => [coords, ringEnd, polygonEnd]),
  );
});

export const packBoxes = task(({ boxes }: PackTask) => pack(boxes));

export const overlayMerge = task(async (given: OverlayTask, { isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  const full = given.boundaries.map((rings) => layOut(table, rings, -1, 0, isCancelled));
  const pick = (indexes: readonly number[]) => [...new Set(indexes)].map((i) => full[i]);
  return finish(given, await overlay(pick(given.include), pick(given.exclude)), isCancelled);
});

/** The same when PostGIS ran the overlay. */
export const finishOverlay = task((given: FinishTask, { isCancelled }) =>
  finish(given, polygonsFromWkb(given.wkb), isCancelled),
);

/** The rest of rung 2, wherever the overlay ran: check, measure, simplify, write. GEOS cannot be interrupted: only
 * between its calls is the flag looked at, and the deadline ends the thread. */
async function finish(given: OverlayTask, result: Polygons, isCancelled: IsCancelled): Promise<WriteResult> {
  stopIf(isCancelled);
  const trouble = await isValid(result);
  if (trouble) return { kind: 'alarm', ...trouble };
  const box = polygonsBox(result);
  const level = levelFor(given.detail, box);
  const areaKm2 = polygonsArea(result, isCancelled) / 1e6;
  const polygons = await simplifyPolygons(result, level, isCancelled);
  const document = exact.mergedDocument(given, areaKm2, box, level);
  return send(exact.write(polygons, document, { task: given, areaKm2, level }, isCancelled));
}

export const shares = task(async (given: ShareTask, { isCancelled }) => {
  const table = exact.tableOf(given.heap, common);
  const out = new Float64Array(given.pairs.length / 2);
  for (let i = 0; i < out.length; i++) {
    stopIf(isCancelled);
    const child = given.boundaries[given.pairs[2 * i]];
    const parent = given.boundaries[given.pairs[2 * i + 1]];
    const share = given.conflicts[i] ? null : overlapShare(table, child.refs, parent.refs);
    out[i] = share ?? (await intersectionShare(layOut(table, child, -1, 0), layOut(table, parent, -1, 0)));
  }
  return out;
});

export const polygonsOf = task((given: PolygonsTask, { isCancelled }) =>
  layOut(exact.tableOf(given.heap, common), given.rings, given.level, given.endClass, isCancelled),
);

export const build = task((given: BuildTask) => buildArrangement(given));

// The server never converts files: their readers are loaded by the thread that is asked to.
export const convert = task(async (given: ConvertTask, { isCancelled }): Promise<ConvertResult> => {
  const { convertFile } = await import('./convert.ts');
  return send(await convertFile(given, isCancelled));
});

export const tiers = task((given: TierTask) => workOutTiers(given));

export const clean = task((given: CleanTask) => cleanCoverage(given.features, given.slivers));

/** Arrays of a result are moved, too. */
function sendArrays<T extends object>(result: T, arrays: readonly ArrayBufferView[]): T {
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

export const relationsOf = task((given: BlobsTask & TaskBase) => {
  const found = passes.relationsOf(given);
  return sendArrays(found, [found.texts.bytes, found.ways.ids]);
});

export const waysOf = task((given: WaysTask & TaskBase) => {
  const found = passes.waysOf(given);
  return sendArrays(found, [found.texts.bytes, found.refs.ids, found.coords]);
});

export const nodesOf = task((given: NodesTask & TaskBase) => passes.nodesOf(given));

export const layOutPlaces = task((given: LayOutTask & TaskBase) => passes.layOutPlaces(given));
