import { classOfLevel } from '../../../workers/arcs/arrangement.ts';
import { chainBox } from '../../../workers/arcs/box.ts';
import type { BuildResult } from '../../../workers/arrangement.ts';
import { describeTask, withDescriptions, withTiers } from '../../../workers/assembly.ts';
import { PRESENT } from '../../common/arrangements.ts';
import { defined, four } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { intsOf } from '../ints.ts';
import { cutWaysAtSeam } from '../seam.ts';
import { waysOf } from './candidates.ts';
import { lostRingOf, missingOf } from './missing.ts';
import {
  type BuildPlan,
  type BuildRun,
  type Candidate,
  NOT_ADMINISTRATIVE,
  type PlannedBoundary,
  type Run,
  type ShapeFault,
} from './source_rows.ts';
import { findSuperseded } from './superseded.ts';
import { type Tiered, tiersAround } from './tiers.ts';
import {
  arcsAround,
  arcsOf,
  conflictPartners,
  type Extent,
  formerArcs,
  hex,
  isNear,
  mergeBoxes,
  ownersOf,
  type StoredShape,
  withImportTimeout,
} from './topology.ts';
import type { WayRow } from './topology_writes.ts';

/** Segments of a chain that share one lookup box. */
const SEGMENTS_PER_BOX = 16;

/** The most boxes that describe the extent of a batch. */
const MOST_EXTENTS = 200;

/** A built arrangement, ready to write. */
export interface BuiltArrangement {
  readonly plan: BuildPlan;
  readonly built: BuildResult;
  readonly tiered: Tiered;
}

/** A shape of a boundary in an arrangement other than the present one. */
export interface ShapeApart extends Pick<Candidate, 'id' | 'type' | 'adminLevel'> {
  /** Closed chains of vertices (x, y in 1e-7 degrees), in any order and direction, which meet only at vertices. */
  readonly rings: readonly Int32Array[];
}

/** The earlier batches that are not written yet. */
export interface PendingBatches {
  /** The boxes that hold their boundaries. */
  readonly extents: () => readonly Extent[];
  /** Resolves when all of them are written. */
  readonly written: Promise<unknown>;
}

/**
 * Cuts ways and assembles boundaries. `kept` maps candidates whose stored shape stays to the reason. It waits for
 * pending batches only if a stored arc or a pending batch is near.
 */
export async function build(
  run: Run,
  candidates: readonly Candidate[],
  ways: ReadonlyMap<number, WayRow>,
  kept: ReadonlyMap<string, ShapeFault>,
  pending: PendingBatches,
): Promise<BuiltArrangement> {
  const planned = planChains(candidates, ways, kept);
  const remade = candidates.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  let plan = await planAround(run.db, PRESENT, planned, remade, pending.extents());
  if (!plan.isolated) {
    await pending.written;
    const superseded = await findSuperseded(run, planned);
    plan = { ...(await planAround(run.db, PRESENT, planned, [...remade, ...superseded.keys()], [])), superseded };
  }
  return rearrange(run, run.db, plan);
}

/** Boxes (1e-7 degrees, at most MOST_EXTENTS) that cover the borders of boundaries. */
export function extentsOf(candidates: readonly Candidate[], ways: ReadonlyMap<number, WayRow>): readonly Extent[] {
  return mergeBoxes(boxesOf(planChains(candidates, ways, new Map()).chains), MOST_EXTENTS);
}

function boxesOf(chains: readonly Int32Array[]): Extent[] {
  const boxes: Extent[] = [];
  for (const chain of chains)
    for (let i = 0; i < chain.length; i += 2 * SEGMENTS_PER_BOX)
      boxes.push(chainBox(chain.subarray(i, i + 2 * SEGMENTS_PER_BOX + 2)));
  return boxes;
}

/** Builds what is left of the present arrangement after boundaries are removed. */
export async function buildWithout(
  run: BuildRun,
  db: Queryable,
  removed: readonly string[],
): Promise<BuiltArrangement> {
  return rearrange(run, db, await planAround(db, PRESENT, { chains: [], boundaries: [] }, removed, []));
}

/**
 * Builds an arrangement in which boundaries have the rings of other shapes than before, or none. `shapes` may only name
 * boundaries of `remade`.
 */
export async function buildApart(
  run: BuildRun,
  db: Queryable,
  arrangement: number,
  shapes: readonly ShapeApart[],
  remade: readonly string[],
): Promise<BuiltArrangement> {
  const chains: Int32Array[] = [];
  const boundaries = shapes.map(({ rings, ...about }) => ({
    candidate: { ...about, input: null, stored: null, metaHash: '' },
    chains: rings.map((ring) => chains.push(ring) - 1),
    trouble: null,
  }));
  return rearrange(run, db, await planAround(db, arrangement, { chains, boundaries }, remade, []));
}

async function rearrange(run: BuildRun, db: Queryable, plan: BuildPlan): Promise<BuiltArrangement> {
  const { around, former, owners } = plan;
  const roles = rolesOf(owners);
  const { pool } = run.engine;
  const asked = plan.boundaries.map(({ chains, candidate }) => ({
    chains: Uint32Array.from(chains),
    adminLevel: tierLevel(candidate.type, candidate.adminLevel),
    ...(candidate.places && { places: candidate.places }),
  }));
  if (around.length > 0) run.progress(`borders: ${plan.storedFrom} new lines beside ${around.length} stored arcs`);
  const assembled = await pool.runPatiently('assemble', {
    chains: plan.chains,
    storedFrom: plan.storedFrom,
    stored: {
      arcClass: Uint8Array.from(around, (arc) =>
        former.has(arc.id) ? (roles.get(arc.id)?.class as number) : arc.class,
      ),
      main: Uint8Array.from(around, (arc) => Number(former.has(arc.id) ? roles.get(arc.id)?.main : arc.main)),
      conflicted: Uint8Array.from(around, (arc) => Number(arc.conflicted)),
    },
    loose: Int32Array.from([...former.values()].flatMap(({ coords }) => endsOf(intsOf(coords)))),
    boundaries: asked,
  });
  // Descriptions and tiers do not depend on each other: two threads compute them.
  const description = pool.runPatiently('describe', describeTask(assembled, asked));
  description.catch(() => undefined);
  const { coords, first, length, arcClass, main, hashes } = assembled.arcs;
  const arcs = { coords, first, length, arcClass, main };
  // A stored arc keeps the digits that it has, unless they are worked out again beside all that is stored.
  const known = new Set([...around, ...former.values()].map(({ hash }) => hex(hash)));
  const stored = Uint8Array.from(first, (_, i) => Number(known.has(hex(hashes.subarray(16 * i, 16 * i + 16)))));
  const alone = withTiers(assembled, await pool.runPatiently('tierAll', { arcs, links: assembled.links, stored }));
  const tiered = await tiersAround(run, withImportTimeout(db), plan, alone);
  const built = { ...alone, boundaries: withDescriptions(alone.boundaries, await description) };
  return { plan, built, tiered };
}

/** The chains of the boundaries to build; ways that several boundaries share become one chain. */
function planChains(
  candidates: readonly Candidate[],
  ways: ReadonlyMap<number, WayRow>,
  kept: ReadonlyMap<string, ShapeFault>,
) {
  const chains: Int32Array[] = [];
  const chainOfWay = new Map<number, number>();
  const boundaries = candidates.map((candidate): PlannedBoundary => {
    const trouble = kept.get(candidate.id) ?? missingOf(candidate, ways) ?? lostRingOf(candidate, ways);
    if (trouble) return { candidate, chains: [], trouble };
    const used: number[] = [];
    if (candidate.input && 'rings' in candidate.input.border) {
      for (const ring of candidate.input.border.rings) used.push(chains.push(ring) - 1);
    } else {
      const coordsOf = (id: number) => ways.get(id)?.coords as Int32Array;
      const given = waysOf(candidate).map(coordsOf);
      const cut = cutWaysAtSeam(given);
      if (cut !== given) {
        for (const chain of cut) used.push(chains.push(chain) - 1);
        return { candidate, chains: used, trouble: null };
      }
      for (const id of waysOf(candidate)) {
        const coords = coordsOf(id);
        let chain = chainOfWay.get(id);
        if (chain === undefined) {
          chain = chains.push(coords) - 1;
          chainOfWay.set(id, chain);
        }
        used.push(chain);
      }
    }
    return { candidate, chains: used, trouble: null };
  });
  return { chains, boundaries };
}

/** Completes a plan with the stored arcs that new chains may meet, or that may join where former arcs ended. */
async function planAround(
  database: Queryable,
  arrangement: number,
  { chains, boundaries }: Pick<BuildPlan, 'chains' | 'boundaries'>,
  remade: readonly string[],
  pending: readonly Extent[],
): Promise<BuildPlan> {
  const db = withImportTimeout(database);
  const former = await formerArcs(db, arrangement, remade);
  const owners = await ownersOf(db, [...former.keys()], remade);
  const boxes = boxesOf(chains);
  for (const { coords } of former.values()) {
    const [x, y, u, v] = endsOf(intsOf(coords));
    boxes.push([x, y, x, y], [u, v, u, v]);
  }
  const near = await arcsAround(
    db,
    arrangement,
    mergeBoxes(boxes).map((box) => ({ box, limit: NOT_ADMINISTRATIVE })),
    former.keys(),
  );
  const used = new Set(owners.flatMap(({ arcs }) => arcs.map(Math.abs)));
  const around = [...former.values()].filter(({ id }) => used.has(id));
  for (const arc of near.values()) around.push(arc);
  // An arc that is cut or joined keeps its conflicts, so the arcs it conflicts with are part of the build.
  const conflicted = around.filter((arc) => arc.conflicted).map(({ id }) => id);
  if (conflicted.length > 0) {
    const known = new Set([...former.keys(), ...near.keys()]);
    const partners = (await conflictPartners(db, conflicted)).filter((id) => !known.has(id));
    for (const arc of (await arcsOf(db, partners)).values()) around.push(arc);
  }
  const reached = mergeBoxes(boxes, MOST_EXTENTS).map(widened);
  const isAlone = around.length === 0 && former.size === 0 && !reached.some((box) => pending.some(meets(box)));
  return {
    arrangement,
    chains: [...chains, ...around.map(({ coords }) => intsOf(coords))],
    storedFrom: chains.length,
    boundaries,
    remade,
    former,
    around,
    owners,
    superseded: new Map(),
    isolated: isAlone && !(await isNear(db, arrangement, reached)),
  };
}

/**
 * A box widened by 70 km on each side: twice the largest tolerance, so simplified arcs outside cannot affect those
 * inside. The antimeridian counts as an edge, as it does for arcs.
 */
function widened([west, south, east, north]: Extent): Extent {
  const reach = 6_400_000;
  const latitude = Math.min(890_000_000, Math.max(Math.abs(south), Math.abs(north)) + reach);
  const aside = reach / Math.cos((latitude / 1e7) * (Math.PI / 180));
  return [west - aside, south - reach, east + aside, north + reach];
}

const meets = (one: Extent) => (other: Extent) =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];

const endsOf = (coords: Int32Array) => four([...coords.subarray(0, 2), ...coords.subarray(-2)]);

/** Per arc id, the smallest class of its owners, and whether it is in the shell of an owner's largest part. */
function rolesOf(owners: readonly StoredShape[]): Map<number, { class: number; main: boolean }> {
  const roles = new Map<number, { class: number; main: boolean }>();
  for (const { arcs, ring_end, polygon_end, largest, type, admin_level } of owners) {
    const own = classOfLevel(tierLevel(type, admin_level));
    const shell = largest === 0 ? 0 : defined(polygon_end[largest - 1]);
    const [from, to] = [shell === 0 ? 0 : defined(ring_end[shell - 1]), defined(ring_end[shell])];
    arcs.forEach((ref, i) => {
      const had = roles.get(Math.abs(ref));
      roles.set(Math.abs(ref), {
        class: Math.min(had?.class ?? own, own),
        main: had?.main || (i >= from && i < to),
      });
    });
  }
  return roles;
}

/** The admin_level as the tiers count it: 13 for boundaries that are not administrative or have no level. */
function tierLevel(type: string, adminLevel: number | null): number {
  return type === 'administrative' ? (adminLevel ?? NOT_ADMINISTRATIVE) : NOT_ADMINISTRATIVE;
}
