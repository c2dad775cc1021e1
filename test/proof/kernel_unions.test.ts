import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { mergeContracted } from '../../workers/arcs/contracted_union.ts';
import { contract } from '../../workers/arcs/contraction.ts';
import { mergeApart } from '../../workers/arcs/groups.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { isValid, overlay } from '../../workers/arcs/overlay.ts';
import { Pieces } from '../../workers/arcs/pieces.ts';
import { FULL, LEVELS, type Polygons } from '../../workers/contract.ts';
import { writeDocument } from '../../workers/formats/registry.ts';
import { polygonsFromWkb, polygonsToEwkb } from '../../workers/wkb.ts';
import { documentOf } from '../formats/support.ts';
import { dataDir } from './environment.ts';
import { generator } from './made.ts';
import { type MergeCase, Oracle, oracleUrl } from './oracle.ts';
import { type Choice, Chooser, crossingWorld, randomWorld, realWorlds, type World } from './worlds.ts';

/**
 * CASES=100000 is the proof in full (half an hour); SEED names the cases. One in twenty is of the second strategy, one in
 * two hundred of any size; the others have about 8 to 5,000 vertices, log-uniform.
 */
const CASES = Number(process.env.CASES ?? 400);
const SEED = Number(process.env.SEED ?? 20261121);
const REAL = ['europe', 'usa', ...(CASES >= 20_000 ? ['france'] : [])];

const SMALLEST = 8;
const LARGEST = 5_000;
/** Boundaries named in a case at full size. */
const MOST = 400;
/** Cases from one made world, and in one statement. */
const OF_A_WORLD = 250;
/** Vertices in one statement, about. */
const BATCH_VERTICES = 400_000;

/** The union of areas minus that of others on the integer grid, by PostGIS. */
const OVERLAY = `
  with included as (
    select coalesce(st_union(st_scale(geom, 1e7, 1e7), 1.0), 'srid=4326;polygon empty') as geom
    from boundary_shape where boundary_id = any ($1::text[])
  ), excluded as (
    select st_union(st_scale(geom, 1e7, 1e7), 1.0) as geom from boundary_shape where boundary_id = any ($2::text[])
  )
  select st_asbinary(case when e.geom is null then i.geom else st_difference(i.geom, e.geom, 1.0) end, 'NDR') as wkb
  from included i, excluded e`;

/** What a run has seen; printed at its end. */
const seen = { cases: 0, worlds: 0, vertices: 0, full: 0, holes: 0, parts: 0, empty: 0, largest: 0 };

const title = `${CASES} random unions and differences of kernels, seed ${SEED}`;

describe.skipIf(!oracleUrl)(title, { timeout: CASES * 200 + 600_000 }, () => {
  const oracle = new Oracle();
  const started = performance.now();

  beforeAll(() => oracle.open());
  afterAll(async () => {
    await oracle.close();
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`kernel unions, seed ${SEED}: ${JSON.stringify({ ...seen, seconds })}`);
  });

  /** Merges on arcs, as the first strategy does. */
  function merge(world: World, { include, exclude }: Choice): MergeCase {
    const refs = world.boundaries.map(({ rings }) => rings.refs);
    const merged = mergeBoundaries(world.arcs, refs, include, exclude);
    if ('trouble' in merged) throw new Error(`${merged.trouble.reason}, ${about(world, { include, exclude })}`);
    return { include, exclude, ours: materialize(world.arcs, merged.rings, FULL, 0) };
  }

  /** Has PostGIS do the same, and expects the same rings. */
  async function expectExact(world: World, cases: readonly MergeCase[]): Promise<void> {
    const verdicts = await oracle.compare(cases);
    for (const [c, { valid, difference, sameRings }] of verdicts.entries()) {
      const verdict = { valid, difference, sameRings };
      expect(verdict, about(world, defined(cases[c]))).toEqual({ valid: true, difference: 0, sameRings: true });
    }
    for (const { ours } of cases) {
      seen.cases++;
      seen.parts += ours.polygonEnd.length;
      seen.holes += ours.ringEnd.length - ours.polygonEnd.length;
      if (ours.polygonEnd.length === 0) seen.empty++;
    }
  }

  async function exactCases(world: World, random: () => number, count: number, full: number): Promise<void> {
    expect(world.conflicts).toEqual([]);
    seen.worlds++;
    expect(await oracle.load(world.boundaries.map(({ shape }) => shape))).toEqual([]);
    const chooser = new Chooser(world, random);
    let batch: MergeCase[] = [];
    let vertices = 0;
    for (let i = 0; i < count + full; i++) {
      const all = i >= count;
      const wanted = SMALLEST * (LARGEST / SMALLEST) ** random();
      const choice = all ? chooser.choose(Number.POSITIVE_INFINITY, MOST) : chooser.choose(wanted);
      const named = [...choice.include, ...choice.exclude];
      const size = named.reduce((sum, one) => sum + defined(world.boundaries[one]).vertices, 0);
      seen.vertices += size;
      seen.largest = Math.max(seen.largest, size);
      if (all) seen.full++;
      batch.push(merge(world, choice));
      vertices += size;
      if (batch.length < OF_A_WORLD && vertices < BATCH_VERTICES && i < count + full - 1) continue;
      await expectExact(world, batch);
      batch = [];
      vertices = 0;
    }
  }

  it('would be distinguished from ones with a vertex moved by a grid unit, or a ring lost', async () => {
    const world = randomWorld(SEED);
    await oracle.load(world.boundaries.map(({ shape }) => shape));
    const { ours, ...choice } = merge(world, { include: [0], exclude: [1] });
    const moved = { ...ours, coords: ours.coords.map((value, i) => (i === 2 ? value + 1 : value)) };
    const lost = { ...ours, ringEnd: ours.ringEnd.slice(0, -1), polygonEnd: Uint32Array.of(ours.ringEnd.length - 1) };
    const verdicts = await oracle.compare([ours, moved, lost].map((one) => ({ ...choice, ours: one })));
    expect(verdicts.map(({ sameRings }) => sameRings)).toEqual([true, false, false]);
    expect(verdicts.map(({ difference }) => difference > 0)).toEqual([false, true, true]);
  });

  it('of made arrangements are what PostGIS makes of the same integers', async () => {
    const random = generator(SEED);
    for (let left = Math.ceil(CASES * 0.55), w = 0; left > 0; w++) {
      const count = Math.min(left, CASES < 20_000 ? 40 : OF_A_WORLD);
      await exactCases(randomWorld(SEED + 7919 * w), random, count, 0);
      left -= count;
    }
  });

  describe.skipIf(!dataDir)('of real boundaries', () => {
    it.each(REAL)(
      '%s: are what PostGIS makes of the same integers, and the same from contracted borders',
      async (name) => {
        const world = await defined(realWorlds(dataDir as string)[name])();
        expect(world.boundaries.length).toBeGreaterThan(200);
        const full = Math.ceil((CASES * 0.005) / REAL.length);
        await exactCases(world, generator(SEED + name.length), Math.ceil((CASES * 0.395) / REAL.length), full);
        expect(contractedUnions(world, generator(SEED), CASES / 4)).toBeGreaterThan(CASES / 8);
      },
    );
  });

  it('where borders cross or run along each other are within the bound on both engines', async () => {
    const { client } = oracle;
    await client.query('create temp table boundary_shape (boundary_id text primary key, geom geometry)');
    const random = generator(SEED + 1);
    const second = { cases: 0, conflicts: 0, worst: 0 };
    for (let left = Math.ceil(CASES / 20), w = 0; left > 0; w++) {
      const world = crossingWorld(SEED + 104_729 * w);
      second.conflicts += world.conflicts.length;
      const full = world.boundaries.map(({ rings }) => materialize(world.arcs, rings, FULL, 0));
      await oracle.load(full.map((one) => [one]));
      await client.query('truncate boundary_shape');
      await client.query(
        'insert into boundary_shape select i, st_geomfromewkb(b) from unnest($1::text[], $2::bytea[]) as t(i, b)',
        [full.map((_, i) => String(i)), full.map(polygonsToEwkb).map((bytes) => Buffer.from(bytes))],
      );
      const chooser = new Chooser(world, random);
      const cases: MergeCase[] = [];
      for (let i = 0; i < 50 && left > 0; i++, left--) {
        const { include: named, exclude } = chooser.choose(SMALLEST * 300 ** random(), 20);
        // As the engine names them to the overlay: what is cut away is not merged first.
        const include = named.filter((b) => !exclude.includes(b));
        const pick = (list: readonly number[]) => [...new Set(list)].map((b) => defined(full[b]));
        const wasm = await overlay(pick(include), pick(exclude));
        const { rows } = await client.query(OVERLAY, [include.map(String), exclude.map(String)]);
        const native: Polygons = polygonsFromWkb(rows[0].wkb);
        for (const ours of [wasm, native]) {
          expect(await isValid(ours), about(world, { include, exclude })).toBeNull();
          cases.push({ include, exclude, ours });
        }
      }
      for (const [c, { valid, difference, allowed }] of (await oracle.compare(cases)).entries()) {
        const where = `${c % 2 === 0 ? 'geos-wasm' : 'PostGIS'}, ${about(world, defined(cases[c]))}`;
        expect(valid, where).toBe(true);
        expect(difference, where).toBeLessThanOrEqual(allowed);
        second.cases++;
        if (allowed > 0) second.worst = Math.max(second.worst, difference / allowed);
      }
    }
    expect(second.conflicts).toBeGreaterThan(0);
    console.log(`second strategy, seed ${SEED}: ${JSON.stringify(second)}`);
  });
});

/**
 * Merges random boundaries of each admin_level that have no place in common, from their contracted borders, and expects
 * what mergeBoundaries gives. Returns how many of `count` unions were given.
 */
function contractedUnions({ arcs, boundaries }: World, random: () => number, count: number): number {
  let given = 0;
  const levels = [...new Set(boundaries.map(({ adminLevel }) => adminLevel))];
  for (const level of levels) {
    const own = boundaries.filter(({ adminLevel }) => adminLevel === level).map(({ rings }) => rings);
    const refs = own.map((rings) => rings.refs);
    const contraction = contract(
      arcs,
      refs,
      own.map(({ ringEnd }) => ringEnd),
    );
    const kept = new Pieces(arcs, contraction, endClassOf([level]));
    for (let i = 0; i < count / levels.length; i++) {
      const wanted = 1 + Math.floor(random() * Math.min(12, own.length));
      const members = [...new Set(Array.from({ length: wanted }, () => Math.floor(random() * own.length)))];
      const of = members.map((m) => defined(refs[m]));
      const merged = mergeApart(arcs, of) && mergeContracted(contraction, members);
      if (merged === null) continue;
      expect({ rings: merged.rings, boxes: merged.boxes }).toEqual(mergeBoundaries(arcs, refs, members, []));
      const detail = Math.floor(random() * LEVELS);
      const { pieces, ...polygons } = defined(kept.layOut(merged, detail) ?? undefined);
      const plain = materialize(arcs, merged.rings, detail, endClassOf([level]));
      expect(Buffer.compare(bytesOf(polygons.coords), bytesOf(plain.coords))).toBe(0);
      expect([polygons.ringEnd, polygons.polygonEnd]).toEqual([plain.ringEnd, plain.polygonEnd]);
      const document = documentOf({ id: null });
      for (const format of ['geojson', 'kml', 'gml', 'wkt'] as const) {
        const fresh = writeDocument(format, polygons, document);
        for (let again = 0; again < 2; again++) {
          const text = writeDocument(format, { ...polygons, pieces }, document);
          expect(Buffer.compare(text, fresh), `${format} ${members}`).toBe(0);
        }
      }
      expect(pieces?.list.length).toBeGreaterThanOrEqual(polygons.ringEnd.length);
      given++;
    }
  }
  return given;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array) => new Uint8Array(buffer, byteOffset, byteLength);

function about({ name, boundaries }: World, { include, exclude }: Choice): string {
  const ids = (list: readonly number[]) => list.map((b) => defined(boundaries[b]).id).join(', ');
  return `${name}: ${ids(include)} minus ${ids(exclude)}`;
}
