import type { LoadRequest } from './generator.ts';
import { NewInputs, oneOf, placesOf, searchesOf, setsOf, typosOf } from './new_inputs.ts';
import { type Pair, ROUNDS, type Side, sending } from './pairs.ts';
import type { BenchServer } from './server.ts';

const SEED = 20_261_125;
/** Most items of a page of subdivisions. */
const PAGE = 1000;

/** Of exports: with the provinces, more than a run takes. */
const FORMATS = ['geojson', 'kml', 'wkt', 'svg', 'gml'];
const TOLERANCES = Array.from({ length: 12 }, (_, level) => String(2 ** level));

/** Of a row that measures around.ts in place of our service. */
const AROUND = 'not ours: the least that any such service on Koa can take, as it finds, knows and counts nothing';

/** Koa servers that find nothing. */
export interface KoaServers {
  /** Sends one buffer (bare.ts). */
  readonly bare: BenchServer;
  /** Does what a service has to do around an answer (around.ts). */
  readonly around: BenchServer;
}

/** Both sides of the rows of new inputs, and what the inputs are made of. */
export interface NewReads {
  readonly ours: BenchServer;
  /** Our service as two processes. */
  readonly two: BenchServer;
  readonly reverse: BenchServer;
  readonly children: BenchServer;
  readonly search: BenchServer;
  readonly typos: BenchServer;
  /** Of the body of a typical reverse, search, export and union. */
  readonly koa: Readonly<Record<'reverse' | 'search' | 'export' | 'union', KoaServers>>;
  /** Bare Koa that sends the body of a get. */
  readonly get: BenchServer;
  readonly headers: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  /** Ids of all boundaries, of provinces, and of the boundaries whose subdivisions are listed. */
  readonly ids: readonly string[];
  readonly provinces: readonly string[];
  readonly parents: readonly string[];
  /** Whether both sides gave the same answers. */
  readonly same: {
    readonly reverse: boolean;
    readonly children: boolean;
    readonly search: boolean;
    readonly typos: boolean;
  };
  readonly connections: number;
  readonly smoke: boolean;
}

/**
 * The rows in which no input repeats: not within a round, nor in another round or row of the run. A round takes seconds
 * where there are enough inputs, so that what it begins with, and another program for a moment, hardly count.
 */
export function newPairs(reads: NewReads): Pair[] {
  const { ours, two, reverse, children, search, typos, koa, get, headers, same, connections, smoke } = reads;
  const at = `${connections} connections`;
  /** The requests of each round, as ours and as the rival's. */
  const rounds = (count: number, draw: () => string, inputs: NewInputs): ((round: number) => readonly string[]) => {
    const all = Array.from({ length: (smoke ? 1 : ROUNDS) + 1 }, () => inputs.take(count, draw));
    return (round) => all[round];
  };
  const side =
    (to: BenchServer, all: (round: number) => readonly string[], write: (input: string) => LoadRequest) =>
    (sent: Readonly<Record<string, string>>, count: number, over = connections): Side =>
      sending(to.port, (round) => all(round).map(write), sent, count, over);

  const points = new NewInputs();
  const draw = placesOf(SEED);
  const naive = { server: reverse, rival: 'Koa, pg and ST_Covers on subdivided polygons', same: same.reverse };
  const bare = { server: koa.reverse.bare, rival: 'bare Koa sending one buffer', same: true };
  const reversed = (name: string, from: BenchServer, { server, rival, same }: typeof naive, over: number): Pair => {
    const count = smoke ? 128 : over === 1 ? 2_000 : 10_000;
    const all = rounds(count, draw, points);
    return {
      name: `new: reverse, ${name}`,
      ...{ rival, same, count, ...(from === koa.reverse.around && { note: AROUND }) },
      ours: side(from, all, (point) => `${from === koa.reverse.around ? '/' : '/v1/boundaries/reverse'}?${point}`)(
        headers,
        count,
        over,
      ),
      theirs: side(server, all, (point) => `/?${point}`)({}, count, over),
    };
  };

  const few = smoke ? 16 : 1_000;
  const gets = rounds(few, oneOf(reads.ids, SEED), new NewInputs());
  const [drawn, format, tolerance] = [
    oneOf(reads.provinces, SEED),
    oneOf(FORMATS, SEED + 2),
    oneOf(TOLERANCES, SEED + 3),
  ];
  const exported = smoke ? 16 : 350;
  const exports = rounds(
    exported,
    () => `${drawn()}/export?format=${format()}&tolerance_m=${tolerance()}`,
    new NewInputs(),
  );
  const limited = oneOf(reads.parents, SEED);
  const limit = oneOf(
    Array.from({ length: PAGE }, (_, i) => i + 1),
    SEED + 1,
  );
  const pages = rounds(few, () => `${limited()} ${limit()}`, new NewInputs());
  const many = smoke ? 64 : 2_500;
  const queries = new NewInputs();
  const query = searchesOf(reads.names, SEED);
  const [searches, others] = [rounds(many, query, queries), rounds(many, query, queries)];
  const misspelled = rounds(smoke ? 32 : 1_000, typosOf(reads.names, SEED), new NewInputs());
  const written = (line: string) => encodeURIComponent(line.slice(line.indexOf('\n') + 1));
  const merges = smoke ? 16 : 4_000;
  const sets = new NewInputs();
  const five = setsOf(reads.provinces, 5, SEED);
  const merged = (name: string, from: BenchServer): Pair => {
    const all = rounds(merges, five, sets);
    const to = (path: string) => (set: string) => ({ path, json: { include: JSON.parse(set), detail: 'low' } });
    return {
      name: `new: union of five provinces at low, ${name}`,
      ...{ rival: bare.rival, same: true, count: merges, ...(from === koa.union.around && { note: AROUND }) },
      ours: side(from, all, to(from === koa.union.around ? '/' : '/v1/boundaries/union'))(headers, merges),
      theirs: side(koa.union.bare, all, to('/'))({}, merges),
    };
  };
  return [
    reversed(at, ours, naive, connections),
    reversed('alone', ours, naive, 1),
    reversed(`${at}, two processes`, two, naive, connections),
    reversed(at, ours, bare, connections),
    reversed(`${at}, Koa and all but the answer`, koa.reverse.around, bare, connections),
    {
      name: `new: get at low, ${at}`,
      ...{ rival: bare.rival, same: true, count: few },
      ours: side(ours, gets, (id) => `/v1/boundaries/${id}?detail=low`)(headers, few),
      theirs: side(get, gets, (id) => `/${id}`)({}, few),
    },
    {
      name: `new: export of a province that was never exported, ${at}`,
      ...{ rival: bare.rival, same: true, count: exported },
      note: 'ours writes each to a file and then answers',
      ours: side(ours, exports, (path) => `/v1/boundaries/${path}`)(headers, exported),
      theirs: side(koa.export.bare, exports, (path) => `/${path}`)({}, exported),
    },
    {
      name: `new: export of a province that was never exported, ${at}, Koa and all but the answer`,
      ...{ rival: bare.rival, same: true, count: exported },
      note: `${AROUND}; writes each to a file and then answers`,
      ours: side(koa.export.around, exports, (path) => `/export?${path.slice(path.indexOf('?') + 1)}`)({}, exported),
      theirs: side(koa.export.bare, exports, (path) => `/${path}`)({}, exported),
    },
    {
      name: `new: a page of the children of Spain or of a community, ${at}`,
      ...{ rival: 'Koa, pg and one join', same: same.children, count: few },
      ours: side(ours, pages, (page) => `/v1/boundaries/${page.replace(' ', '/children?limit=')}`)(headers, few),
      theirs: side(children, pages, (page) => `/?id=${page.replace(' ', '&limit=')}`)({}, few),
    },
    {
      name: `new: search, ${at}`,
      ...{ rival: 'Koa, pg and an index of lower(name)', same: same.search, count: many },
      note: 'the rival completes a name as it is written',
      ours: side(ours, searches, (q) => `/v1/boundaries/search?q=${q}`)(headers, many),
      theirs: side(search, searches, (q) => `/?q=${q}`)({}, many),
    },
    {
      name: `new: search of a name with a typo, ${at}`,
      ...{ rival: 'Koa, pg and a trigram index of lower(name)', same: same.typos, count: misspelled(0).length },
      ours: side(ours, misspelled, (line) => `/v1/boundaries/search?q=${written(line)}`)(headers, misspelled(0).length),
      theirs: side(typos, misspelled, (line) => `/?q=${written(line)}`)({}, misspelled(0).length),
    },
    {
      name: `new: search, ${at}`,
      ...{ rival: bare.rival, same: true, count: many },
      ours: side(ours, others, (q) => `/v1/boundaries/search?q=${q}`)(headers, many),
      theirs: side(koa.search.bare, others, (q) => `/?q=${q}`)({}, many),
    },
    {
      name: `new: search, ${at}, Koa and all but the answer`,
      ...{ rival: bare.rival, same: true, count: many, note: AROUND },
      ours: side(koa.search.around, others, (q) => `/?q=${q}`)({}, many),
      theirs: side(koa.search.bare, others, (q) => `/?q=${q}`)({}, many),
    },
    merged(at, ours),
    merged(`${at}, two processes`, two),
    merged(`${at}, Koa and all but the answer`, koa.union.around),
  ];
}
