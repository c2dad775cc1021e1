import type { Rings } from '../../../workers/contract.ts';
import { boxOf, formerArcs, intsOf, patient, standingShapes, type WayRow } from '../../domain/topology.ts';
import { waysOf } from './candidates.ts';
import type { Candidate, Run } from './model.ts';

const NOT_ADMINISTRATIVE = 13;

/** What is cut and assembled, and the stored arcs around it. */
export type Plan = Awaited<ReturnType<typeof planChains>>;

/** Cuts and assembles; `kept` are candidates whose stored shape stays. */
export async function build(
  run: Run,
  candidates: readonly Candidate[],
  ways: ReadonlyMap<number, WayRow>,
  kept: ReadonlySet<string>,
) {
  const plan = await planChains(run, candidates, ways, kept);
  run.progress(`${plan.chains.length} chains to cut (${plan.standing.length} neighbours stand)`);
  const built = await run.engine.pool.run('build', {
    chains: plan.chains,
    storedFrom: plan.storedFrom,
    boundaries: plan.boundaries.map(({ chains, candidate }) => ({
      chains: Uint32Array.from(chains),
      adminLevel: tierLevel(candidate.type, candidate.adminLevel),
    })),
    standing: plan.standing.map(({ rings, shape }) => ({
      rings,
      adminLevel: tierLevel(shape.type, shape.admin_level),
    })),
  });
  return { plan, built };
}

/** The chains to be cut: those of the boundaries to make, then the stored arcs around them. */
async function planChains(
  run: Run,
  candidates: readonly Candidate[],
  ways: ReadonlyMap<number, WayRow>,
  kept: ReadonlySet<string>,
) {
  const chains: Int32Array[] = [];
  const chainOfWay = new Map<number, number>();
  const boundaries: { candidate: Candidate; chains: number[]; trouble: string | null }[] = [];
  for (const candidate of candidates) {
    const used: number[] = [];
    let trouble: string | null = null;
    if (candidate.input && 'rings' in candidate.input.border) {
      for (const ring of candidate.input.border.rings) used.push(chains.push(ring) - 1);
    } else {
      for (const id of waysOf(candidate)) {
        const way = ways.get(id);
        if (!way?.coords) {
          trouble ??= way?.missing ? `way ${id}: missing node ${way.missing}` : `missing way ${id}`;
          continue;
        }
        let chain = chainOfWay.get(id);
        if (chain === undefined) {
          chain = chains.push(way.coords) - 1;
          chainOfWay.set(id, chain);
        }
        used.push(chain);
      }
      if (waysOf(candidate).length === 0) trouble = 'it has no ways';
    }
    boundaries.push({ candidate, chains: trouble ? [] : used, trouble });
  }
  const storedFrom = chains.length;
  const remade = candidates.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const former = await formerArcs(patient(run.db), remade);
  // What lay around an arc that goes changes as much as what lies around one that comes.
  const coming = chains.filter((chain) => chain.length > 0);
  const going = Array.from(former.values(), ({ coords }) => intsOf(coords));
  const boxes = [...coming, ...going].map(boxOf);
  const around = await standingShapes(patient(run.db), boxes, remade);
  const chainOfArc = new Map<number, number>();
  for (const arc of around.arcs.values()) chainOfArc.set(arc.id, chains.push(intsOf(arc.coords)) - 1);
  const standing = around.shapes.map((shape) => ({
    shape,
    rings: {
      refs: Int32Array.from(shape.arcs, (ref) => {
        const chain = chainOfArc.get(Math.abs(ref)) as number;
        return ref < 0 ? ~chain : chain;
      }),
      ringEnd: Uint32Array.from(shape.ring_end),
      polygonEnd: Uint32Array.from(shape.polygon_end),
    } satisfies Rings,
  }));
  return { chains, storedFrom, boundaries, chainOfWay, standing, former, arcs: around.arcs, chainOfArc };
}

/** Classes of admin_level as the tiers count them: 13 is "not administrative, or of no level". */
function tierLevel(type: string, adminLevel: number | null): number {
  return type === 'administrative' ? (adminLevel ?? NOT_ADMINISTRATIVE) : NOT_ADMINISTRATIVE;
}
