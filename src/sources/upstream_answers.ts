import { hasBoundaryTag } from '../../workers/osm/elements.ts';
import { defined } from '../common/elements.ts';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { coalesce } from '../domain/coalesce.ts';
import type { OverpassAnswer, RemoteBoundary, Stored, UpstreamSink } from '../domain/upstream/upstream.ts';
import type { Engine } from '../geometry/engine.ts';
import { deriveFromPolygons } from './hierarchy.ts';
import type { OsmExtract } from './osm/collect.ts';
import { readOverpass } from './osm/overpass_file.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { toSourceBoundaries } from './osm/tags.ts';
import { storeBoundaries } from './store/boundaries.ts';
import { sourceColumns } from './store/source_rows.ts';
import type { SourceBoundary } from './types.ts';

/** A parsed Overpass response: its boundaries, and the objects they are made of. */
export interface ParsedResponse {
  readonly boundaries: readonly SourceBoundary[];
  readonly extract: OsmExtract;
}

type Deps = { readonly db: Database; readonly engine: Engine };

/** The `file` of Overpass responses in the record of imports. */
const FILE = 'overpass';

/**
 * Returns a sink that stores Overpass responses exactly as an import does: same rings, arcs, validity and kinds.
 * Responses that arrive during a store are coalesced into the next one.
 */
export function overpassSink(deps: Deps): UpstreamSink<ParsedResponse> {
  const put = coalesce(async (_all, answers: readonly ParsedResponse[]): Promise<Stored[]> => {
    try {
      return await store(deps, answers);
    } catch (error) {
      if (answers.length === 1) throw error;
      // One bad response must not fail the others: store them one by one.
      const alone: Stored[] = [];
      for (const answer of answers) alone.push(...(await store(deps, [answer])));
      return alone;
    }
  });
  return {
    read(answer: OverpassAnswer) {
      const extract = readOverpass(answer.document, answer.bytes);
      return { boundaries: toSourceBoundaries(extract).boundaries, extract };
    },
    put: (read) => put('', read),
    name: (named, { country }) => putNamed(deps, named, country),
  };
}

async function store(deps: Deps, answers: readonly ParsedResponse[]): Promise<Stored[]> {
  const input = mergeResponses(answers);
  const { broken } = await storeBoundaries(deps, { source: OSM_SOURCE, file: FILE, ...input, few: true });
  const named = new Set(input.boundaries.map(({ id }) => id));
  const failed = new Set(broken.map(({ id }) => id));
  const outdated = [...failed].filter((id) => !named.has(id));
  // A boundary that a newer update deleted is not stored.
  const ids = [...named].filter((id) => id !== null);
  const rows = await deps.db.query<{ id: string }>(loadQuery('boundary_shapes'), [ids]);
  const there = new Set(rows.map(({ id }) => id));
  return answers.map(({ boundaries }, i) => ({
    outcomes: new Map(
      boundaries.flatMap(({ id }) =>
        id === null || !there.has(id) ? [] : [[id, failed.has(id) ? 'broken' : 'found'] as const],
      ),
    ),
    outdated: i === 0 ? outdated : [],
  }));
}

/** Merges several responses. Keeps the newest version of a repeated object; of equal versions, the last. */
function mergeResponses(answers: readonly ParsedResponse[]) {
  const boundaries = new Map<string | null, SourceBoundary>();
  const relations = new Map<number, OsmExtract['relations'][number]>();
  const ways = new Map(defined(answers[0]).extract.ways);
  const nodes = new Map(defined(answers[0]).extract.nodes);
  for (const { boundaries: given, extract } of answers) {
    for (const one of given) {
      const before = boundaries.get(one.id);
      if (!before || Number(before.version) <= Number(one.version)) boundaries.set(one.id, one);
    }
    for (const one of extract.relations) {
      if ((relations.get(one.id)?.version ?? 0) <= one.version) relations.set(one.id, one);
    }
    for (const [id, way] of extract.ways) if ((ways.get(id)?.version ?? 0) <= way.version) ways.set(id, way);
    for (const [id, node] of extract.nodes) if ((nodes.get(id)?.version ?? 0) <= node.version) nodes.set(id, node);
  }
  return { boundaries: [...boundaries.values()], relations: [...relations.values()], ways, nodes };
}

/** Stores boundaries known by name only, from a search; their polygons are fetched later. Returns their ids. */
async function putNamed(deps: Deps, named: readonly RemoteBoundary[], country: string | null): Promise<string[]> {
  const known = new Map(named.filter(({ tags }) => hasBoundaryTag(tags)).map((one) => [one.id, one]));
  const rows = [...known.values()].flatMap((one) => {
    const boundary = described(one);
    return boundary === null ? [] : [rowOf(boundary, one, country)];
  });
  if (rows.length === 0) return [];
  await deps.db.transaction(async (tx) => {
    await tx.query(loadQuery('store_put_source'), sourceColumns(OSM_SOURCE));
    const added = await tx.query(loadQuery('upstream_put_named'), [JSON.stringify(rows)]);
    await deriveFromPolygons(tx, deps.engine, added, () => undefined);
  });
  return rows.map(({ id }) => id);
}

/** A boundary from tags alone; null if they do not describe one (a postcode area without a postcode). */
function described({ id, tags }: RemoteBoundary): SourceBoundary | null {
  const relation = { id: Number(id.slice(1)), version: 0, tags: { ...tags }, members: [] };
  const extract: OsmExtract = {
    relations: [relation],
    ways: new Map(),
    nodes: new Map(),
    timestamp: null,
    read: { nodes: 0, ways: 0, relations: 1, bytes: 0 },
  };
  const [boundary] = toSourceBoundaries(extract).boundaries;
  return boundary ? { ...boundary, id, sourceId: id } : null;
}

function rowOf(boundary: SourceBoundary, { box }: RemoteBoundary, country: string | null) {
  const [west, south, east, north] = box?.map((degrees) => Math.round(degrees * 1e7)) ?? [null, null, null, null];
  const within = boundary.countryCode ?? boundary.iso?.slice(0, 2) ?? country;
  return {
    id: boundary.id as string,
    source: OSM_SOURCE.id,
    source_id: boundary.sourceId,
    // The lowest version, so that any fetched one is newer.
    source_version: '0',
    version: 0,
    imported_at: new Date().toISOString(),
    type: boundary.type,
    name: boundary.name,
    names: boundary.names,
    kind: boundary.type === 'postal_code' ? 'postal_code' : 'district',
    kind_given: null,
    kind_known: true,
    admin_level: boundary.adminLevel,
    country: within,
    countries: within ? [within] : [],
    disputed: false,
    country_given: within,
    country_code: boundary.countryCode,
    iso: boundary.iso,
    wikidata: boundary.wikidata,
    population: boundary.population,
    tags: boundary.tags,
    place: boundary.place,
    subareas: [],
    other_names: boundary.otherNames,
    codes: boundary.codes,
    ways: [],
    west,
    south,
    east,
    north,
    lat: null,
    lon: null,
    area_km2: null,
    has_geometry: false,
    broken: null,
    stale: null,
    geometry_hash: null,
    ring_hash: null,
    meta_hash: '\\x00',
  };
}
