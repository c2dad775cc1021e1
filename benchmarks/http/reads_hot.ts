import { drive, type LoadRequest } from './generator.ts';
import { type Pair, type Side, sending } from './pairs.ts';
import type { SameReads } from './reads_same.ts';
import { type BenchServer, cpuTime } from './server.ts';

/** Both sides of the rows whose inputs repeat. */
export interface HotReads extends SameReads {
  readonly ours: BenchServer;
  /** Our service as two processes. */
  readonly two: BenchServer;
  /** Another server of ours on the same database. */
  readonly other: BenchServer;
  /** Our service on an embedded database. */
  readonly embedded: BenchServer;
  readonly reverse: BenchServer;
  readonly children: BenchServer;
  readonly search: BenchServer;
  /** Bare Koa that sends the body of a get. */
  readonly get: BenchServer;
  /** Bytes of that body. */
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersEmbedded: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly smoke: boolean;
}

/** The path of the get. */
export const LOW = '/v1/boundaries/iso:ES-SE?detail=low';

/**
 * The rows in which the same requests are sent again: reads beside the rivals, beside those of an embedded database, and
 * the processor time of two processes, and of two servers that share nothing, beside one. Of the searches half repeat.
 */
export function hotPairs(reads: HotReads): Pair[] {
  const { ours, two, embedded, reverse, headers, headersEmbedded, places, same, connections, smoke } = reads;
  const count = smoke ? 128 : 2_000;
  const side = (
    to: BenchServer,
    paths: readonly LoadRequest[],
    sent: Headers,
    many = count,
    over = connections,
  ): Side => sending(to.port, () => paths, sent, many, over);
  const reversed = places.map((place) => `/v1/boundaries/reverse${place}`);
  const pagesOf = (before: string, after: string) => reads.parents.map((id) => before + id + after);
  const reversing = (name: string, many: number, over: number): Pair => ({
    name: `hot: reverse, ${name}`,
    ...{ rival: 'Koa, pg and ST_Covers on subdivided polygons', same: same.reverse, count: many },
    ours: side(ours, reversed, headers, many, over),
    theirs: side(
      reverse,
      places.map((place) => `/${place}`),
      {},
      many,
      over,
    ),
  });
  const hot = [
    { name: 'hot: get at low', paths: [LOW] },
    { name: 'hot: reverse', paths: reversed },
  ];
  return [
    reversing(`${connections} connections`, count, connections),
    reversing('alone', Math.ceil(count / 4), 1),
    {
      name: `hot: children of Spain and seven communities, ${connections} connections`,
      ...{ rival: 'Koa, pg and one join', same: same.children, count },
      ours: side(ours, pagesOf('/v1/boundaries/', '/children'), headers),
      theirs: side(reads.children, pagesOf('/?id=', ''), {}),
    },
    searching(reads, ours, `${connections} connections`),
    {
      name: `hot: get at low, ${(reads.bytes / 1e3).toFixed(0)} kB, ${connections} connections`,
      ...{ rival: 'bare Koa sending the same buffer', same: true, count },
      ours: side(ours, [LOW], headers),
      theirs: side(reads.get, ['/'], {}),
    },
    ...hot.map(({ name, paths }) => ({
      name: `${name} on the embedded database, ${connections} connections`,
      ...{ rival: 'the same on a native one', same: true, count, note: 'the bar is a ratio of at least 0.67' },
      ours: side(embedded, paths, headersEmbedded),
      theirs: side(ours, paths, headers),
    })),
    searching(reads, two, `${connections} connections, two processes`),
    ...hot.flatMap(({ name, paths }) => timesOf(reads, name, paths, 4 * count)),
  ];
}

type Headers = Readonly<Record<string, string>>;

/** Searches of which half repeat, beside the rival's. */
function searching(reads: HotReads, server: BenchServer, name: string): Pair {
  const { searches, connections } = reads;
  const count = searches[0].length;
  const asking = (to: BenchServer, path: string, sent: Headers): Side =>
    sending(to.port, (round) => searches[round].map((q) => `${path}?q=${q}`), sent, count, connections);
  return {
    name: `half repeated: search, ${name}`,
    ...{ rival: 'Koa, pg and an index of lower(name)', same: reads.same.search, count },
    note: 'the rival completes a name as it is written; ours also reads other languages, misspellings, codes and what a place lies in',
    ours: asking(server, '/v1/boundaries/search', reads.headers),
    theirs: asking(reads.search, '/', {}),
  };
}

/** The processor time of two processes, and of two servers that share nothing, beside that of one. */
function timesOf(reads: HotReads, name: string, paths: readonly LoadRequest[], count: number): Pair[] {
  const { ours, two, other, headers, connections } = reads;
  const busy =
    (...servers: readonly BenchServer[]): Side =>
    async () => {
      const cpu = () => servers.reduce((sum, { pid }) => sum + cpuTime(pid), 0);
      const before = cpu();
      const many = count / servers.length;
      const over = Math.ceil(connections / servers.length);
      await Promise.all(servers.map(({ port }) => drive(port, paths, headers, many, over)));
      return { milliseconds: cpu() - before };
    };
  const one = { rival: 'the same of one process', same: true, count, theirs: busy(ours) };
  return [
    {
      name: `${name}, two processes, time of processors`,
      ...one,
      note: 'the bar is a ratio of at least 0.85',
      ours: busy(two),
    },
    {
      name: `${name}, two servers of one process, time of processors`,
      ...one,
      note: 'they share nothing: what the machine leaves of the ratio of two processes',
      ours: busy(ours, other),
    },
  ];
}
