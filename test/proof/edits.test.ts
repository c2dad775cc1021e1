import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type OsmExtract, readOsmFile } from '../../src/sources/osm/read.ts';
import { OSM_SOURCE } from '../../src/sources/osm/source.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import type { OsmWay } from '../../workers/osm/elements.ts';
import { leading } from '../setup/elements.ts';
import { dataDir, type ProofEnvironment } from './environment.ts';
import { generator, madeGrid, storeMade } from './made.ts';
import { drawn } from './rounds.ts';
import { provingStates } from './states.ts';

const { after, states } = provingStates();

const LIECHTENSTEIN = 'osm/liechtenstein-2024.boundaries.osm.pbf';

const storeExtract = (server: ProofEnvironment, extract: OsmExtract) =>
  storeBoundaries(
    { db: server.test.db, engine: server.engine },
    {
      source: OSM_SOURCE,
      file: 'edited',
      boundaries: toSourceBoundaries(extract).boundaries,
      relations: extract.relations,
      ways: extract.ways,
    },
  );

/** A copy that can be edited. */
const copyOf = (extract: OsmExtract): OsmExtract => structuredClone(extract);

type SharedWay = OsmWay & { refs: Float64Array; coords: Int32Array };

/** The longest way that two communes share. */
function sharedWay(extract: OsmExtract): SharedWay {
  const uses = new Map<number, number>();
  for (const way of communes(extract).flatMap(waysOf)) uses.set(way, (uses.get(way) ?? 0) + 1);
  const shared = [...extract.ways.values()].filter(({ id, coords }) => coords !== null && (uses.get(id) ?? 0) > 1);
  shared.sort((a, b) => (b.coords as Int32Array).length - (a.coords as Int32Array).length);
  return shared[0] as SharedWay;
}

/** The communes whose border the file has whole. */
const communes = (extract: OsmExtract) =>
  extract.relations.filter(
    (relation) => relation.tags.admin_level === '8' && waysOf(relation).every((way) => extract.ways.get(way)?.coords),
  );
const waysOf = (relation: OsmExtract['relations'][number]) =>
  relation.members.filter(({ type, role }) => type === 'w' && role !== 'subarea').map(({ ref }) => ref);

const EDITS: [name: string, edit: (extract: OsmExtract) => void, unchanged?: true][] = [
  [
    'a moved node',
    (extract) => {
      // A node that moves does not make a new version of its way.
      const { coords } = sharedWay(extract);
      const middle = 2 * Math.floor(coords.length / 4);
      coords[middle] = defined(coords[middle]) + 700;
      coords[middle + 1] = defined(coords[middle + 1]) - 400;
    },
  ],
  [
    'a split way',
    (extract) => {
      const way = sharedWay(extract);
      const middle = Math.floor(way.coords.length / 4);
      const rest = { ...way, id: 9_000_000_001, version: 1 };
      rest.refs = way.refs.slice(middle);
      rest.coords = way.coords.slice(2 * middle);
      extract.ways.set(rest.id, rest);
      way.version++;
      way.refs = way.refs.slice(0, middle + 1);
      way.coords = way.coords.slice(0, 2 * middle + 2);
      for (const relation of extract.relations) {
        const at = relation.members.findIndex(({ type, ref }) => type === 'w' && ref === way.id);
        if (at < 0) continue;
        relation.version++;
        relation.members.splice(at + 1, 0, { ...defined(relation.members[at]), ref: rest.id });
      }
    },
    // Arcs run from junction to junction: where ways end is nothing to them.
    true,
  ],
  [
    'a boundary replaced by another border',
    (extract) => {
      // One commune takes in the longest border's other side: the ways that one of the two has.
      const shared = sharedWay(extract).id;
      const [one, other] = leading(
        communes(extract).filter((relation) => waysOf(relation).includes(shared)),
        2,
      );
      const both = new Set(waysOf(one));
      for (const way of waysOf(other)) if (!both.delete(way)) both.add(way);
      one.members = [...both].map((ref) => ({ type: 'w', ref, role: 'outer' }));
      one.version++;
    },
  ],
  [
    'members of a relation that were deleted',
    (extract) => {
      // The country loses its ways of one commune: what is left is the country without it.
      const country = extract.relations.find(({ tags }) => tags.name === 'Liechtenstein');
      const gone = defined(communes(extract)[0]);
      if (!country) throw new Error('the file has no country');
      const left = new Set(waysOf(country));
      for (const way of waysOf(gone)) if (!left.delete(way)) left.add(way);
      country.members = [...left].map((ref) => ({ type: 'w', ref, role: 'outer' }));
      country.version++;
    },
  ],
];

describe.skipIf(!dataDir)('Liechtenstein', { timeout: 300_000 }, () => {
  const read = () => readOsmFile(join(dataDir as string, LIECHTENSTEIN));

  it.each(drawn(EDITS))('after %s is stored as a fresh import of it', async (_name, edit, unchanged) => {
    const before = await read();
    const edited = copyOf(before);
    edit(edited);
    const fresh = await after([edited], storeExtract);
    const [first, second] = await states([before, edited], storeExtract);
    if (!unchanged) expect(first).not.toEqual(fresh);
    expect(second).toEqual(fresh);
  });

  it('beside a new neighbor is stored as both at once, however they come', async () => {
    const whole = await read();
    const [, ...others] = communes(whole);
    const without = copyOf(whole);
    without.relations = without.relations.filter(({ id }) => others.some((other) => other.id === id));
    const fresh = await after([whole], storeExtract);
    expect(await after([without, whole], storeExtract)).toEqual(fresh);
  });
});

/** Moves some vertices of a made grid, in every ring that has them: further than its tiers' finer tolerances. */
function moved(seed: number, boundaries: readonly SourceBoundary[], version: string): SourceBoundary[] {
  const random = generator(seed);
  const places = new Map<string, [number, number]>();
  return boundaries.map((boundary) => {
    if (!('rings' in boundary.border)) return boundary;
    const rings = boundary.border.rings.map((ring) => {
      const copy = Int32Array.from(ring);
      for (let i = 0; i < copy.length; i += 2) {
        const key = `${copy[i]} ${copy[i + 1]}`;
        let place = places.get(key);
        if (!place) {
          const by = () => (random() < 0.03 ? Math.round((random() - 0.5) * 4_000) : 0);
          place = [defined(copy[i]) + by(), defined(copy[i + 1]) + by()];
          places.set(key, place);
        }
        copy.set(place, i);
      }
      return copy;
    });
    return { ...boundary, version, border: { rings } };
  });
}

describe('a made world', { timeout: 300_000 }, () => {
  const store = (server: ProofEnvironment, boundaries: readonly SourceBoundary[]) => storeMade(server, boundaries);

  it.each(drawn([1, 2, 3]))('after random moves is stored as a fresh import (seed %i)', async (seed) => {
    const first = madeGrid(seed, 5, 60_000_000, 490_000_000);
    const second = moved(seed, first, '2');
    const third = moved(seed + 100, second, '3');
    expect(await after([first, second, third], store)).toEqual(await after([third], store));
  });

  it.each(drawn([4, 5]))('that comes in parts is stored as one that comes at once (seed %i)', async (seed) => {
    const whole = madeGrid(seed, 5, 60_000_000, 490_000_000);
    const random = generator(seed);
    const parts = [0, 1, 2].map((): SourceBoundary[] => []);
    for (const boundary of whole) defined(parts[Math.floor(random() * parts.length)]).push(boundary);
    expect(await after(parts, store)).toEqual(await after([whole], store));
  });
});
