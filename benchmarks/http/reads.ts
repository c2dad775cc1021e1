import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchDatabase, server } from '../import/native.ts';
import type { Options, Result } from '../measure.ts';
import { drive } from './generator.ts';
import { measured } from './pairs.ts';
import { hotPairs, LOW } from './reads_hot.ts';
import { type KoaServers, newPairs } from './reads_new.ts';
import { type Answer, type Asked, comparedReads } from './reads_same.ts';
import { type BenchServer, firstKey, startAround, startBare, startNaive, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const CONNECTIONS = 64;
/** Calls that a Koa server answers before it is measured. */
const WARMING = 20_000;

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
    const asked =
      ({ port }: BenchServer, sent: Readonly<Record<string, string>> = {}): Asked =>
      async (path) =>
        (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers: sent })).json()) as Answer;
    const mine = asked(ours, headers);
    const rivals = { reverse: asked(reverse), children: asked(children), search: asked(search), typos: asked(typos) };
    const compared = await comparedReads({ ours: mine, ...rivals }, names, options);
    const bodyOf = async (path: string, init: RequestInit = {}): Promise<Buffer> => {
      const sent = { ...init, headers: { ...headers, 'Content-Type': 'application/json' } };
      return Buffer.from(await (await fetch(`http://127.0.0.1:${ours.port}${path}`, sent)).arrayBuffer());
    };
    const koaOf = async (name: string, bytes: Buffer): Promise<KoaServers> => {
      await writeFile(join(folder, name), bytes);
      const servers = {
        bare: await start(startBare(join(folder, name))),
        around: await start(startAround(join(folder, name))),
      };
      // A row of few calls would measure them before their code is compiled.
      for (const { port } of Object.values(servers))
        await drive(port, ['/'], {}, options.smoke ? 64 : WARMING, CONNECTIONS);
      return servers;
    };
    const body = await bodyOf(LOW);
    const { bare } = await koaOf('get.geojson', body);
    const two = await start(startService(folder, { ...env, PROCESSES: '2' }));
    const provinces = (await mine('/v1/boundaries/iso:ES/children?admin_level=6')).items.map(({ id }) => id);
    const merge = JSON.stringify({ include: provinces.slice(0, 5), detail: 'low' });
    const koa = {
      reverse: await koaOf('reverse.json', await bodyOf(`/v1/boundaries/reverse${compared.places[0]}`)),
      search: await koaOf('search.json', await bodyOf(`/v1/boundaries/search?q=${compared.searches[0][0]}`)),
      export: await koaOf(
        'export.kml',
        await bodyOf(`/v1/boundaries/${provinces[0]}/export?format=kml&tolerance_m=64`),
      ),
      union: await koaOf('union.geojson', await bodyOf('/v1/boundaries/union', { method: 'POST', body: merge })),
    };
    const both = { ours, two, reverse, children, search, headers, connections: CONNECTIONS, smoke: options.smoke };
    const ids = await allIds(mine);
    const { parents, same } = compared;
    const other = await start(startService(folder, env));
    const pairs = [
      ...newPairs({ ...both, typos, koa, get: bare, names, ids, provinces, parents, same }),
      ...hotPairs({ ...both, ...compared, other, embedded, get: bare, bytes: body.length, headersEmbedded }),
    ];
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
