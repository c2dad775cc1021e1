/**
 * The abstract tests of the conformance classes that /ogc claims, as far as they can be asked over HTTP. Sources: OGC
 * 17-069r4 (Features part 1), annex A; 18-058r1 (part 2, CRS), annex A; 19-079r2 (part 3, filtering), annex A; 21-065r2
 * (CQL2), annex A.
 */
import { expect } from 'vitest';
import { CRS84, MERCATOR } from '../../src/transports/ogc/crs.ts';

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
}
interface Described {
  readonly id: string;
  readonly links: readonly Link[];
  readonly extent: { readonly spatial: { readonly bbox: readonly (readonly number[])[]; readonly crs: string } };
  readonly crs: readonly string[];
  readonly storageCrs: string;
}
interface Feature {
  readonly type: string;
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly links: readonly Link[];
}
interface Items {
  readonly type: string;
  readonly numberReturned: number;
  readonly links: readonly Link[];
  readonly features: readonly Feature[];
}

const PART1 = 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf';
const PART2 = 'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf';
const PART3 = 'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';
const QUERYABLES = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
const ITEMS = '/collections/level-8/items';
/** A box that some features of level-8 meet. */
const BOX = [6.1, 49.55, 6.2, 49.65] as const;

/** A check of the service below an address. */
type Check = (root: string) => Promise<void>;

async function ask(address: string, accept = 'application/json'): Promise<Response> {
  return fetch(address, { headers: { Accept: accept } });
}

async function json<T>(address: string, type = 'application/json'): Promise<T> {
  const reply = await ask(address, `${type}, application/json;q=0.5`);
  expect([address, reply.status, reply.headers.get('Content-Type')?.split(';')[0]]).toEqual([address, 200, type]);
  return (await reply.json()) as T;
}

const items = (address: string): Promise<Items> => json<Items>(address, 'application/geo+json');
const idsOf = ({ features }: Items): string[] => features.map(({ id }) => id);
const linkOf = (links: readonly Link[], rel: string): Link => {
  const found = links.find((one) => one.rel === rel);
  if (!found) throw new Error(`no link ${rel}`);
  return found;
};
const query = (parameters: Readonly<Record<string, string>>): string => `?${new URLSearchParams(parameters)}`;
const statusOf = async (address: string): Promise<number> => (await ask(address)).status;

/** Every link has a type, and its address answers with that type. */
async function expectLinks(links: readonly Link[]): Promise<void> {
  for (const { href, rel, type } of links) {
    expect(type, `${rel} ${href}`).toBeDefined();
    const reply = await ask(href, type);
    await reply.arrayBuffer();
    const [sent] = (reply.headers.get('Content-Type') ?? '').split(';');
    expect([href, reply.status, sent]).toEqual([href, 200, type?.split(';')[0]]);
  }
}

/** All positions of a geometry. */
function positions(coordinates: unknown): (readonly [number, number])[] {
  const parts = coordinates as readonly unknown[];
  return typeof parts[0] === 'number' ? [parts as unknown as [number, number]] : parts.flatMap(positions);
}

/** The features of a page are those for which a predicate holds, of all that the collection has. */
async function expectFiltered(
  root: string,
  filter: Readonly<Record<string, string>>,
  holds: (of: Feature['properties']) => boolean,
): Promise<void> {
  const all = await items(`${root}${ITEMS}?limit=100`);
  const wanted = idsOf({ ...all, features: all.features.filter(({ properties }) => holds(properties)) });
  expect(wanted.length, JSON.stringify(filter)).toBeGreaterThan(0);
  const found = idsOf(await items(`${root}${ITEMS}${query({ limit: '100', ...filter })}`));
  // The collection may have more than a page.
  expect(found.slice(0, wanted.length), JSON.stringify(filter)).toEqual(wanted);
}

/** An expression in CQL2 text and JSON, and when it holds. */
type Expression = readonly [text: string, json: unknown, holds: (of: Feature['properties']) => boolean];
const LEVEL = { property: 'admin_level' };
const NAME = { property: 'local_name' };
const area = ({ area_km2 }: Feature['properties']): number => Number(area_km2);

const BASIC: readonly Expression[] = [
  ['admin_level = 8', { op: '=', args: [LEVEL, 8] }, () => true],
  ['area_km2 > 20', { op: '>', args: [{ property: 'area_km2' }, 20] }, (of) => area(of) > 20],
  ['area_km2 <= 20', { op: '<=', args: [{ property: 'area_km2' }, 20] }, (of) => area(of) <= 20],
  [
    'wikidata IS NOT NULL',
    { op: 'not', args: [{ op: 'isNull', args: [{ property: 'wikidata' }] }] },
    (of) => of.wikidata !== null,
  ],
  [
    "area_km2 > 20 AND NOT (local_name = 'none' OR admin_level <> 8)",
    {
      op: 'and',
      args: [
        { op: '>', args: [{ property: 'area_km2' }, 20] },
        {
          op: 'not',
          args: [
            {
              op: 'or',
              args: [
                { op: '=', args: [NAME, 'none'] },
                { op: '<>', args: [LEVEL, 8] },
              ],
            },
          ],
        },
      ],
    },
    (of) => area(of) > 20,
  ],
];

const ADVANCED: readonly Expression[] = [
  ["local_name LIKE '%a%'", { op: 'like', args: [NAME, '%a%'] }, (of) => String(of.local_name).includes('a')],
  [
    'area_km2 BETWEEN 10 AND 40',
    { op: 'between', args: [{ property: 'area_km2' }, 10, 40] },
    (of) => area(of) >= 10 && area(of) <= 40,
  ],
  [
    "kind IN ('municipality', 'city')",
    { op: 'in', args: [{ property: 'kind' }, ['municipality', 'city']] },
    (of) => of.kind === 'municipality' || of.kind === 'city',
  ],
];

const inText = ([filter, , holds]: Expression) => [{ filter }, holds] as const;
const inJson = ([, filter, holds]: Expression) =>
  [{ filter: JSON.stringify(filter), 'filter-lang': 'cql2-json' }, holds] as const;

/** The checks of each class, by its URI. */
export const CHECKS: Readonly<Record<string, Check>> = {
  async [`${PART1}/core`](root) {
    const { links } = await json<{ links: Link[] }>(root);
    for (const rel of ['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data']) linkOf(links, rel);
    await expectLinks(links);
    const { collections, links: own } = await json<{ collections: Described[]; links: Link[] }>(`${root}/collections`);
    await expectLinks(own);
    for (const one of collections) {
      for (const rel of ['self', 'alternate', 'items']) expect(linkOf(one.links, rel).type).toBeDefined();
      const [[west, south, east, north]] = one.extent.spatial.bbox as [[number, number, number, number]];
      expect([one.extent.spatial.crs, west < east && south < north]).toEqual([CRS84, true]);
      expect(await json<Described>(linkOf(one.links, 'self').href)).toEqual(one);
    }
    await expectLinks(collections[0]?.links ?? []);

    // Limits and pages.
    const page = await items(`${root}${ITEMS}?limit=3`);
    expect([page.type, page.numberReturned, page.features.length]).toEqual(['FeatureCollection', 3, 3]);
    await expectLinks(page.links);
    const next = await items(linkOf(page.links, 'next').href);
    expect(idsOf(next).filter((id) => idsOf(page).includes(id))).toEqual([]);
    expect((await items(`${root}${ITEMS}?limit=100000`)).features.length).toBeGreaterThan(3);

    // A box of four numbers or six, and its features.
    const boxed = idsOf(await items(`${root}${ITEMS}?limit=100&bbox=${BOX}`));
    expect(boxed.length).toBeGreaterThan(0);
    const [west, south, east, north] = BOX;
    expect(idsOf(await items(`${root}${ITEMS}?limit=100&bbox=${[west, south, 0, east, north, 9]}`))).toEqual(boxed);
    expect((await items(`${root}${ITEMS}?bbox=-179,-80,-178,-79`)).features).toEqual([]);

    // Features have no time of their own: each meets any time of which the data is the same.
    const today = new Date().toISOString().slice(0, 10);
    for (const datetime of [today, `${today}T00:00:00Z`, '../..']) {
      expect(idsOf(await items(`${root}${ITEMS}${query({ limit: '3', datetime })}`)), datetime).toEqual(idsOf(page));
    }

    // One feature, with its links.
    const [first] = page.features;
    const feature = await json<Feature>(`${root}${ITEMS}/${first?.id}`, 'application/geo+json');
    expect(feature).toMatchObject({ type: 'Feature', id: first?.id, geometry: first?.geometry });
    for (const rel of ['self', 'alternate', 'collection']) linkOf(feature.links, rel);
    await expectLinks(feature.links);

    // What cannot be read, and what is not known.
    const bad = [
      'limit=0',
      'limit=-1',
      'limit=x',
      'bbox=1,2',
      'bbox=a,b,c,d',
      'datetime=x',
      'datetime=2020/2019',
      'no=1',
    ];
    for (const one of bad) expect([one, await statusOf(`${root}${ITEMS}?${one}`)]).toEqual([one, 400]);
    for (const path of ['', '/conformance', '/collections', '/collections/level-8', `${ITEMS}/${first?.id}`]) {
      expect([path, await statusOf(`${root}${path}?no=1`)]).toEqual([path, 400]);
    }
    for (const path of ['/collections/none', '/collections/none/items', `${ITEMS}/none`]) {
      expect([path, await statusOf(root + path)]).toEqual([path, 404]);
    }
  },
  async [`${PART1}/geojson`](root) {
    const { features } = await items(`${root}${ITEMS}?f=json`);
    for (const { type, geometry } of features) {
      expect([type, /^(?:Multi)?Polygon$/.test(geometry.type)]).toEqual(['Feature', true]);
      const all = positions(geometry.coordinates);
      expect(all.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90)).toBe(true);
    }
  },
  async [`${PART1}/html`](root) {
    const [one] = idsOf(await items(`${root}${ITEMS}?limit=1`));
    for (const path of ['', '/conformance', '/collections', '/collections/level-8', ITEMS, `${ITEMS}/${one}`]) {
      for (const [address, accept] of [
        [`${root}${path}?f=html`, '*/*'],
        [root + path, 'text/html'],
      ] as const) {
        const reply = await ask(address, accept);
        expect([address, reply.status]).toEqual([address, 200]);
        expect(reply.headers.get('Content-Type')).toMatch(/^text\/html/);
        expect(await reply.text()).toMatch(/^<!doctype html>/i);
      }
    }
  },
  async [`${PART2}/crs`](root) {
    const described = await json<Described>(`${root}/collections/level-8`);
    expect(described.crs).toContain(CRS84);
    expect(described.crs).toContain(described.storageCrs);
    const page = await ask(`${root}${ITEMS}?bbox=${BOX}&limit=100`, 'application/geo+json');
    expect(page.headers.get('Content-Crs')).toBe(`<${CRS84}>`);
    const degrees = (await page.json()) as Items;
    const reply = await ask(`${root}${ITEMS}${query({ bbox: BOX.join(), limit: '100', crs: MERCATOR })}`);
    expect(reply.headers.get('Content-Crs')).toBe(`<${MERCATOR}>`);
    const meters = (await reply.json()) as Items;
    expect(idsOf(meters)).toEqual(idsOf(degrees));
    const project = ([x, y]: readonly [number, number]): [number, number] => [
      (x * Math.PI * 6_378_137) / 180,
      Math.log(Math.tan(Math.PI / 4 + (y * Math.PI) / 360)) * 6_378_137,
    ];
    for (const [i, { geometry }] of meters.features.entries()) {
      const own = positions(geometry.coordinates);
      const wanted = positions(degrees.features[i]?.geometry.coordinates).map(project);
      expect(own.length).toBe(wanted.length);
      const far = own.filter(([x, y], n) => Math.hypot(x - (wanted[n]?.[0] ?? 0), y - (wanted[n]?.[1] ?? 0)) > 0.05);
      expect(far).toEqual([]);
    }
    const [west, south] = project([BOX[0], BOX[1]]);
    const [east, north] = project([BOX[2], BOX[3]]);
    const box = { bbox: [west, south, east, north].join(), 'bbox-crs': MERCATOR, limit: '100' };
    expect(idsOf(await items(`${root}${ITEMS}${query(box)}`))).toEqual(idsOf(degrees));
    const [first] = degrees.features;
    const one = await ask(`${root}${ITEMS}/${first?.id}${query({ crs: MERCATOR })}`);
    expect(one.headers.get('Content-Crs')).toBe(`<${MERCATOR}>`);
    for (const [name, path] of [
      ['crs', ITEMS],
      ['bbox-crs', ITEMS],
      ['crs', `${ITEMS}/${first?.id}`],
    ]) {
      const unknown = query({ [String(name)]: 'http://www.opengis.net/def/crs/EPSG/0/0' });
      expect([name, path, await statusOf(root + path + unknown)]).toEqual([name, path, 400]);
    }
  },
  async [`${PART3}/queryables`](root) {
    const { collections } = await json<{ collections: Described[] }>(`${root}/collections`);
    for (const { links } of collections) {
      const { href, type } = linkOf(links, QUERYABLES);
      expect(type).toBe('application/schema+json');
      const schema = await json<Record<string, unknown>>(href, 'application/schema+json');
      expect(schema).toMatchObject({ $schema: expect.stringMatching(/2020-12/), $id: href, type: 'object' });
      for (const [name, of] of Object.entries(schema.properties as Record<string, Record<string, unknown>>)) {
        // A property has a type; a shape has a format in its place.
        expect([name, of.type !== undefined, /^geometry-/.test(String(of.format))]).toContain(true);
        expect([name, typeof of.title]).toEqual([name, 'string']);
      }
    }
  },
  async [`${PART3}/queryables-query-parameters`](root) {
    const { properties } = await json<{ properties: Record<string, { type?: string }> }>(
      `${root}/collections/level-8/queryables`,
      'application/schema+json',
    );
    const { features } = await items(`${root}${ITEMS}?limit=1`);
    for (const name of Object.keys(properties).filter((one) => properties[one]?.type !== undefined)) {
      const value = features[0]?.properties[name];
      if (value === null || value === undefined) continue;
      const found = await items(`${root}${ITEMS}${query({ [name]: String(value), limit: '100' })}`);
      expect([name, idsOf(found).includes(String(features[0]?.id))]).toEqual([name, true]);
      for (const one of found.features) expect([name, one.properties[name]]).toEqual([name, value]);
    }
    expect(await statusOf(`${root}${ITEMS}?no_property=1`)).toBe(400);
    expect(await statusOf(`${root}${ITEMS}?admin_level=x`)).toBe(400);
  },
  async [`${PART3}/filter`](root) {
    const bad: Record<string, string>[] = [
      { filter: 'no_property = 1' },
      { filter: 'admin_level =' },
      { filter: 'admin_level = 8', 'filter-lang': 'none' },
      { filter: 'admin_level = 8', 'filter-lang': 'cql2-json' },
      { filter: 'admin_level = 8', 'filter-crs': 'http://www.opengis.net/def/crs/EPSG/0/0' },
    ];
    for (const one of bad) expect([one, await statusOf(`${root}${ITEMS}${query(one)}`)]).toEqual([one, 400]);
  },
  async [`${PART3}/features-filter`](root) {
    const page = await items(`${root}${ITEMS}${query({ filter: 'admin_level = 8', limit: '3' })}`);
    const next = new URL(linkOf(page.links, 'next').href);
    expect(next.searchParams.get('filter')).toBe('admin_level = 8');
    // With other parameters, all of them hold.
    const filtered = { filter: 'area_km2 > 20', bbox: BOX.join(), limit: '100' };
    const boxed = await items(`${root}${ITEMS}?bbox=${BOX}&limit=100`);
    const wanted = boxed.features.filter(({ properties }) => area(properties) > 20).map(({ id }) => id);
    expect(idsOf(await items(`${root}${ITEMS}${query(filtered)}`))).toEqual(wanted);
  },
  async [`${CQL2}/cql2-text`](root) {
    for (const one of BASIC) await expectFiltered(root, ...inText(one));
    await expectFiltered(root, { filter: 'admin_level = 8', 'filter-lang': 'cql2-text' }, () => true);
  },
  async [`${CQL2}/cql2-json`](root) {
    for (const one of BASIC) await expectFiltered(root, ...inJson(one));
  },
  async [`${CQL2}/basic-cql2`](root) {
    for (const filter of ["local_name = 'O''Neill'", 'true', 'false OR admin_level = 8', '"admin_level" >= 8.0']) {
      expect([filter, await statusOf(`${root}${ITEMS}${query({ filter })}`)]).toEqual([filter, 200]);
    }
    // Unknown is neither true nor false.
    for (const filter of ['population <> -1 AND population IS NULL', 'NOT (population <> -1) AND population IS NULL']) {
      expect((await items(`${root}${ITEMS}${query({ filter })}`)).features).toEqual([]);
    }
  },
  async [`${CQL2}/advanced-comparison-operators`](root) {
    for (const one of ADVANCED) {
      await expectFiltered(root, ...inText(one));
      await expectFiltered(root, ...inJson(one));
    }
  },
  async [`${CQL2}/basic-spatial-functions`](root) {
    const [x, y] = [(BOX[0] + BOX[2]) / 2, (BOX[1] + BOX[3]) / 2];
    const geometry = { property: 'geometry' };
    const at = { op: 's_intersects', args: [geometry, { type: 'Point', coordinates: [x, y] }] };
    const inBox = { op: 's_intersects', args: [geometry, { bbox: BOX }] };
    const asJson = (filter: object) => ({ filter: JSON.stringify(filter), 'filter-lang': 'cql2-json' });
    const found = async (parameters: Record<string, string>) =>
      idsOf(await items(`${root}${ITEMS}${query({ ...parameters, limit: '100' })}`));
    const here = await found({ filter: `S_INTERSECTS(geometry, POINT(${x} ${y}))` });
    expect(here.length).toBe(1);
    expect(await found(asJson(at))).toEqual(here);
    const near = await found({ filter: `S_INTERSECTS(geometry, BBOX(${BOX}))` });
    expect(near).toEqual(expect.arrayContaining(here));
    expect(await found(asJson(inBox))).toEqual(near);
    const boxes = await found({ bbox: BOX.join() });
    expect(near.filter((id) => !boxes.includes(id))).toEqual([]);
  },
};
