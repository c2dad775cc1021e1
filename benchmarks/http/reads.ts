import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { seeded as random } from '../../src/bench/random.ts';
import { BenchDatabase, server } from '../import/native.ts';
import type { Options, Result } from '../measure.ts';
import { drive, type LoadRequest } from './generator.ts';
import { NewInputs, searchRounds, typosOf } from './new_inputs.ts';
import { measured, type Pair, type Side, sending } from './pairs.ts';
import { type KoaServers, newPairs } from './reads_new.ts';
import { type BenchServer, cpuTime, firstKey, startAround, startBare, startNaive, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const CONNECTIONS = 64;
const SEED = 20_261_122;
const PLACES = 400;
/** Searches per round; half of them are new. */
const SEARCHES = 800;
/** Misspelled names whose answers are compared. */
const COMPARED = 100;

/**
 * Measures everyday calls over HTTP on Spain's seed set in a native PostGIS against handlers of twenty lines on the
 * same tables (rivals/naive_….ts) and against a bare Koa that sends one buffer. Rows called `new` come first: no input
 * repeats within the run (reads_new.ts). Rows called `hot` send the same requests again: reverse at 400 places, the
 * subdivisions of Spain and of its communities, a get at low detail; of the searches half repeat. The answers are
 * compared first. Then hot reads on the embedded database against the native one, and the processor time of hot reads
 * in two processes, and in two servers that share nothing, against one. Without a native database there is no rival.
 */
export async function benchReads(_dataDir: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('reads: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-reads-'));
  const apart = await mkdtemp(join(tmpdir(), 'boundary-reads-embedded-'));
  const database = new BenchDatabase(home, 'reads');
  const running: BenchServer[] = [];
  const start = async (one: Promise<BenchServer>): Promise<BenchServer> => {
    running.push(await one);
    return one;
  };
  try {
    await database.empty();
    const env = { DATABASE_URL: database.url };
    const names = await fillWithSpain(folder, env, options);
    await fillWithSpain(apart, {}, options);
    const ours = await start(startService(folder, env));
    const embedded = await start(startService(apart));
    const [reverse, children, search, typos] = await Promise.all(
      (['reverse', 'children', 'search', 'typos'] as const).map((name) => start(startNaive(name, database.url))),
    );
    const [headers, headersEmbedded] = await Promise.all(
      [folder, apart].map(async (one) => ({ Authorization: `Bearer ${await firstKey(one)}` })),
    );
    const json = async (port: number, path: string, sent: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: sent })).json()) as Answer;
    const mine = (path: string) => json(ours.port, path, headers);

    let same = true;
    const differ = (what: string): void => {
      process.stderr.write(`reads: another answer at ${what}\n`);
      same = false;
    };
    const next = random(SEED);
    const places: string[] = [];
    const wanted = options.smoke ? PLACES / 10 : PLACES;
    for (let tries = 0; places.length < wanted && tries < 20 * wanted; tries++) {
      const query = `lat=${(36.5 + 6.5 * next()).toFixed(5)}&lon=${(-8.5 + 11 * next()).toFixed(5)}`;
      const theirs = await json(reverse.port, `/?${query}`);
      if (theirs.items.length === 0) continue;
      const found = await mine(`/v1/boundaries/reverse?${query}`);
      // On water off the coarse coast, our answer starts with the country.
      if (!isDeepStrictEqual(withoutCountry(found), withoutCountry(theirs))) differ(query);
      places.push(`?${query}`);
    }
    const reversed = places.map((place) => `/v1/boundaries/reverse${place}`);
    const parents: string[] = [];
    for (const code of ['ES', 'ES-AN', 'ES-CT', 'ES-GA', 'ES-CL', 'ES-AR', 'ES-VC', 'ES-CM']) {
      const parent = (await mine(`/v1/boundaries/iso:${code}`)) as unknown as { id?: string };
      if (parent.id === undefined) continue;
      const [own, theirs] = [
        await mine(`/v1/boundaries/${parent.id}/children`),
        await json(children.port, `/?id=${parent.id}`),
      ];
      // Compare by id: the two sort names by different collations.
      if (theirs.items.length === 0 || !isDeepStrictEqual(byId(own), byId(theirs))) differ(`children of ${code}`);
      parents.push(parent.id);
    }
    const searches = searchRounds(names, options.smoke ? 2 : 8, options.smoke ? 64 : SEARCHES, SEED + 1);
    let isSame = true;
    for (const q of searches[0].slice(0, 40)) {
      const exact = (answer: Answer) =>
        answer.items.some(({ name }) => name.toLowerCase() === decodeURIComponent(q).toLowerCase());
      // The order of prefix matches may differ; an exact match must be found by both.
      const [own, theirs] = [await mine(`/v1/boundaries/search?q=${q}`), await json(search.port, `/?q=${q}`)];
      if (exact(theirs) && !exact(own)) isSame = false;
    }
    let [isFound, areFound] = [0, 0];
    for (const line of new NewInputs().take(COMPARED, typosOf(names, SEED))) {
      const [name, q] = line.split('\n') as [string, string];
      const has = (answer: Answer) => answer.items.some((item) => item.name === name);
      if (has(await mine(`/v1/boundaries/search?q=${encodeURIComponent(q)}`))) isFound++;
      if (has(await json(typos.port, `/?q=${encodeURIComponent(q)}`))) areFound++;
    }
    process.stderr.write(`reads: of ${COMPARED} misspelled names ours finds ${isFound}, the rival ${areFound}\n`);
    const low = '/v1/boundaries/iso:ES-SE?detail=low';
    const bodyOf = async (path: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers })).arrayBuffer());
    const body = await bodyOf(low);
    const koaOf = async (name: string, bytes: Buffer): Promise<KoaServers> => {
      await writeFile(join(folder, name), bytes);
      return { bare: await start(startBare(join(folder, name))), around: await start(startAround(join(folder, name))) };
    };
    const { bare } = await koaOf('get.geojson', body);
    const two = await start(startService(folder, { ...env, PROCESSES: '2' }));
    const provinces = (await mine('/v1/boundaries/iso:ES/children?admin_level=6')).items.map(({ id }) => id);
    const merged = await fetch(`http://127.0.0.1:${ours.port}/v1/boundaries/union`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ include: provinces.slice(0, 5), detail: 'low' }),
    });

    const count = options.smoke ? 128 : 2_000;
    const side = (
      to: BenchServer,
      paths: readonly LoadRequest[],
      sent: Readonly<Record<string, string>>,
      many: number,
      connections: number,
    ): Side => sending(to.port, () => paths, sent, many, connections);
    const naive = 'Koa, pg and ST_Covers on subdivided polygons';
    const asking = (server: BenchServer, path: string, sent: Readonly<Record<string, string>>): Side => {
      const of = (round: number) => searches[round].map((q) => `${path}?q=${q}`);
      return sending(server.port, of, sent, searches[0].length, CONNECTIONS);
    };
    const searching = (server: BenchServer, name: string): Pair => ({
      name,
      rival: 'Koa, pg and an index of lower(name)',
      same: isSame,
      count: searches[0].length,
      note: 'the rival completes a name as it is written; ours also reads other languages, misspellings, codes and what a place lies in',
      ours: asking(server, '/v1/boundaries/search', headers),
      theirs: asking(search, '/', {}),
    });
    const pagesOf = (before: string, after: string) => parents.map((id) => before + id + after);
    const hot = [
      { name: 'hot: get at low', paths: [low] },
      { name: 'hot: reverse', paths: reversed },
    ];
    const pairs: Pair[] = [
      ...newPairs({
        ...{ ours, two, reverse, children, search, typos, headers, names, provinces, parents },
        koa: {
          reverse: await koaOf('reverse.json', await bodyOf(reversed[0])),
          search: await koaOf('search.json', await bodyOf(`/v1/boundaries/search?q=${searches[0][0]}`)),
          export: await koaOf(
            'export.kml',
            await bodyOf(`/v1/boundaries/${provinces[0]}/export?format=kml&tolerance_m=64`),
          ),
          union: await koaOf('union.geojson', Buffer.from(await merged.arrayBuffer())),
        },
        get: bare,
        ids: await allIds(mine),
        same: { reverse: same, children: same, search: isSame, typos: isFound >= areFound },
        connections: CONNECTIONS,
        smoke: options.smoke,
      }),
      ...[CONNECTIONS, 1].map((connections) => {
        const many = connections === 1 ? Math.ceil(count / 4) : count;
        return {
          name: connections === 1 ? 'hot: reverse, alone' : `hot: reverse, ${connections} connections`,
          rival: naive,
          same,
          count: many,
          ours: side(ours, reversed, headers, many, connections),
          theirs: side(
            reverse,
            places.map((place) => `/${place}`),
            {},
            many,
            connections,
          ),
        };
      }),
      {
        name: `hot: children of Spain and seven communities, ${CONNECTIONS} connections`,
        rival: 'Koa, pg and one join',
        same,
        count,
        ours: side(ours, pagesOf('/v1/boundaries/', '/children'), headers, count, CONNECTIONS),
        theirs: side(children, pagesOf('/?id=', ''), {}, count, CONNECTIONS),
      },
      searching(ours, `half repeated: search, ${CONNECTIONS} connections`),
      {
        name: `hot: get at low, ${(body.length / 1e3).toFixed(0)} kB, ${CONNECTIONS} connections`,
        rival: 'bare Koa sending the same buffer',
        same: true,
        count,
        ours: side(ours, [low], headers, count, CONNECTIONS),
        theirs: side(bare, ['/'], {}, count, CONNECTIONS),
      },
      ...hot.map(({ name, paths }) => ({
        name: `${name} on the embedded database, ${CONNECTIONS} connections`,
        rival: 'the same on a native one',
        same: true,
        count,
        note: 'the bar is a ratio of at least 0.67',
        ours: side(embedded, paths, headersEmbedded, count, CONNECTIONS),
        theirs: side(ours, paths, headers, count, CONNECTIONS),
      })),
    ];
    pairs.push(searching(two, `half repeated: search, ${CONNECTIONS} connections, two processes`));
    const busy =
      (server: BenchServer, paths: readonly LoadRequest[], sent: Readonly<Record<string, string>> = headers): Side =>
      async () => {
        const before = cpuTime(server.pid);
        await drive(server.port, paths, sent, 4 * count, CONNECTIONS);
        return { milliseconds: cpuTime(server.pid) - before };
      };
    for (const { name, paths } of hot) {
      pairs.push({
        name: `${name}, two processes, time of processors`,
        rival: 'the same of one process',
        same: true,
        count: 4 * count,
        note: 'the bar is a ratio of at least 0.85',
        ours: busy(two, paths),
        theirs: busy(ours, paths),
      });
    }
    // How much two processes slow each other down on this machine when they share nothing.
    const other = await start(startService(folder, env));
    const twoServers = (paths: readonly LoadRequest[]): Side => {
      const cpu = () => cpuTime(ours.pid) + cpuTime(other.pid);
      return async () => {
        const before = cpu();
        await Promise.all(
          [ours, other].map(({ port }) => drive(port, paths, headers, 2 * count, Math.ceil(CONNECTIONS / 2))),
        );
        return { milliseconds: cpu() - before };
      };
    };
    for (const { name, paths } of hot) {
      pairs.push({
        name: `${name}, two servers of one process, time of processors`,
        rival: 'the same of one process',
        same: true,
        count: 4 * count,
        note: 'they share nothing: what the machine leaves of the ratio of two processes',
        ours: twoServers(paths),
        theirs: busy(ours, paths),
      });
    }
    const results: Result[] = [];
    for (const pair of pairs) results.push(await measured(pair, options));
    return results;
  } finally {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
    await rm(apart, { recursive: true, force: true });
  }
}

/** The ids of all municipalities, provinces and communities of Spain that are stored. */
async function allIds(list: (path: string) => Promise<Answer>): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null | undefined = ''; typeof next === 'string'; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const page = await list(`/v1/boundaries/iso:ES/children?levels=all${cursor}`);
    ids.push(...page.items.map(({ id }) => id));
    next = page.next;
  }
  return ids;
}

interface Answer {
  readonly next?: string | null;
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
    /** Only ours say whether an item contains the point, why it is listed otherwise, and what the point is on. */
    readonly contains?: boolean;
    readonly why?: string | null;
    readonly on?: string;
  }[];
}

const withoutCountry = ({ items }: Answer) =>
  items.filter(({ kind }) => kind !== 'country').map(({ contains: _contains, why: _why, on: _on, ...item }) => item);
const byId = ({ items }: Answer) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
