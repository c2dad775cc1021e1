import { LRUCache } from 'lru-cache';
import { Turns } from '../../../common/turns.ts';
import type { Database } from '../../../db/connect.ts';
import { loadQuery } from '../../../db/query.ts';
import { openArcs, verticesOf } from '../../../domain/areas/coast.ts';
import { type Cut, cutAlong, type KeptRings } from '../../../domain/areas/kept_shores.ts';
import { countryTable } from '../../../sources/countries.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { boxIn, boxOf, isNear } from './boxes.ts';
import type { Land, LevelSides, Shoreline } from './land.ts';
import { coordsOf, type EndsRow, endsOf, keptRings } from './rows.ts';
import { shoresOfLands } from './sea.ts';

interface LandRow extends Land {
  readonly revision: number;
  readonly country: string | null;
  readonly country_code: string | null;
  readonly within: readonly string[];
}

/** Shorelines in memory. */
const MOST_KEPT = 3;
/** The shorelines of the databases (those of dates and area sets among them) used last, for their newest revision. */
const kept = new LRUCache<Database, { readonly revision: number; readonly line: Shoreline }>({ max: MOST_KEPT });

/** What is known of the arcs of all countries' land in the data that a plan reads. */
export async function shoreline(run: PlanRun): Promise<Shoreline> {
  const { db } = run.ctx.services;
  const before = kept.get(db);
  if (before?.revision === run.reading.revision) return before.line;
  const all = run.ofRevision(await db.query(loadQuery('area_lands'), [], { signal: run.ctx.signal }));
  const stored = new Set(all.map(({ country_code }) => country_code));
  const missing = Object.entries(countryTable().countries).flatMap(([code, { admin_level }]) =>
    admin_level === 2 && !stored.has(code) ? [code] : [],
  );
  const { drawn, beside } = missing.length > 0 ? { drawn: [], beside: [] } : divideLands(all);
  const line = { ...(await shorelineOf(run, drawn)), drawn, beside, missing, levels: new Map<string, LevelSides>() };
  kept.set(db, { revision: run.reading.revision, line });
  return line;
}

async function shorelineOf(
  run: PlanRun,
  lands: readonly Land[],
): Promise<Omit<Shoreline, 'drawn' | 'beside' | 'missing' | 'levels'>> {
  const turns = new Turns(run.ctx.signal);
  const ends = await endsOf(run, [...new Set(lands.flatMap(({ arcs }) => arcs.map(Math.abs)))]);
  const coords = (refs: readonly number[]) => coordsOf(run, refs);
  const drawn = await shoresOfLands(run, lands, { ends, coords }, turns);
  const arcsOf = new Map(lands.map(({ id, arcs }) => [id, new Set(arcs.map(Math.abs))]));
  const rings = await keptRings(run, [...arcsOf.keys()]);
  if (rings.size === 0) return { lands: arcsOf, kept: new Map(), split: new Map(), ...drawn };
  const cut = await cutLands(run, lands, rings, ends, turns);
  const pieces = [...cut.ofArcs.values(), ...cut.ofLands.values()].flat();
  const byId = new Map(pieces.map((piece) => [piece.id, piece]));
  const fitting = await shoresOfLands(
    run,
    lands.map((land) => {
      const own = cut.ofLands.get(land.id);
      if (own) return { ...land, source: '', seed: true, arcs: own.map(({ id }) => id) };
      return { ...land, arcs: land.arcs.flatMap((ref) => cut.ofArcs.get(Math.abs(ref))?.map(({ id }) => id) ?? ref) };
    }),
    {
      ends: [...ends, ...pieces],
      coords: async (refs) => {
        const found = new Map(
          await coordsOf(
            run,
            refs.filter((ref) => !byId.has(Math.abs(ref))),
          ),
        );
        for (const ref of refs) {
          const piece = byId.get(Math.abs(ref));
          if (piece) found.set(piece.id, new Uint8Array(Int32Array.from(piece.vertices.flat()).buffer));
        }
        return found;
      },
    },
    turns,
  );
  // The arcs of the lands that took the place of seed boundaries as they are drawn, all others as they fit.
  const replacing = new Set([...rings.keys()].flatMap((id) => [...(arcsOf.get(id) ?? [])]));
  const merged = (kind: 'sea' | 'doubtful') => {
    const arcs = new Set(fitting[kind]);
    for (const [arc, own] of cut.ofArcs) if (own.some(({ id }) => arcs.has(id))) arcs.add(arc);
    for (const arc of drawn[kind]) if (replacing.has(arc)) arcs.add(arc);
    return arcs;
  };
  return {
    ...{ lands: arcsOf, split: cut.ofArcs, sea: merged('sea'), doubtful: merged('doubtful'), lakes: fitting.lakes },
    kept: new Map([...rings].map(([id, own]) => [id, { rings: own, pieces: cut.ofLands.get(id) ?? [] }])),
  };
}

/** Cuts the open arcs of lands and the kept rings of those that took the place of seed boundaries along each other. */
async function cutLands(
  run: PlanRun,
  lands: readonly Land[],
  kept: ReadonlyMap<string, KeptRings>,
  ends: readonly EndsRow[],
  turns: Turns,
): Promise<Cut> {
  const open = await openArcs(
    lands.flatMap(({ id, arcs }) => (kept.has(id) ? [] : [arcs])),
    turns,
  );
  const boxes = [...kept.values()].flat().map(boxOf);
  const box = new Map(ends.map((one) => [one.id, boxIn(one)]));
  const near = open.filter((arc) => {
    const own = box.get(Math.abs(arc));
    return own && boxes.some((ring) => isNear(own, ring));
  });
  const coords = await coordsOf(run, near);
  return cutAlong(
    new Map(near.map((arc) => [arc, verticesOf(arc, coords.get(Math.abs(arc)) as Uint8Array)])),
    kept,
    turns,
  );
}

/**
 * Divides countries and territories into those whose land is drawn and those of other sources that lie beside one of
 * them. A land that lies in another country is left out; its own country's land beside it is not another country.
 */
function divideLands(all: readonly LandRow[]): { readonly drawn: LandRow[]; readonly beside: LandRow[] } {
  const seeded = new Set(all.flatMap(({ country, seed }) => (seed && country !== null ? [country] : [])));
  const isBeside = ({ country, seed }: LandRow) => !seed && country !== null && seeded.has(country);
  const beside = all.filter(isBeside);
  const left = new Set(beside.map(({ id }) => id));
  const drawn = all.filter(
    ({ id, arcs, within }) => !left.has(id) && arcs.length > 0 && within.every((parent) => left.has(parent)),
  );
  return { drawn, beside };
}
