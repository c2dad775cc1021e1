import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from '../library/library_test_server.ts';
import { decodeTile } from './decode.ts';

/** Names as a vandal writes them into the map. */
const NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '\u202eevil\u202c \u0000 {name} {{name}}',
  "javascript:alert(1)//'`",
  `</title><svg onload=alert(1)>${'A'.repeat(2_000)}`,
];
const IDS = ['r111', 'r112', 'r113', 'r121', 'r122'];
const ATTRIBUTION = 'Us & <a href="javascript:alert(1)" onclick=alert(1)>them</a>';

let server: LibraryTestServer;
let staff: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  const { db } = server.services;
  for (const [i, id] of IDS.entries()) {
    // PostgreSQL holds no zero character, and no source can bring one.
    await db.query('update boundary set name = $2 where id = $1', [id, (NAMES[i] as string).replaceAll('\u0000', '')]);
  }
  await db.query('update source set attribution = $1', [ATTRIBUTION]);
  staff = await server.staff();
});
afterAll(() => server?.close());

const wanted = new Map(IDS.map((id, i) => [id, (NAMES[i] as string).replaceAll('\u0000', '')]));

/** What the layers of tiles call the boundaries with hostile names. */
function namesIn(tiles: readonly Uint8Array[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const bytes of tiles.filter(({ length }) => length > 0)) {
    const { areas = [], labels = [] } = decodeTile(bytes);
    for (const { properties } of [...areas, ...labels]) {
      const id = String(properties.id);
      if (wanted.has(id)) names.set(id, String(properties.name));
    }
  }
  return names;
}

/** The tiles of all boundaries around the made world, at a zoom that shows municipalities. */
async function boundaryTiles(): Promise<Uint8Array[]> {
  const tiles: Uint8Array[] = [];
  for (let x = 426; x <= 438; x++) {
    for (let y = 410; y <= 423; y++) tiles.push((await server.get(`/tiles/boundaries/10/${x}/${y}.mvt`)).bytes);
  }
  return tiles;
}

describe('a hostile name', () => {
  it('is text in the tiles of a selection, letter for letter', async () => {
    const { json } = await server.ask('POST', '/tiles/selections', { json: { ids: IDS } });
    const tile = await server.get(`/tiles/selections/${json.sha256}/0/0/0.mvt`);
    expect(new Map([...namesIn([tile.bytes])].sort())).toEqual(wanted);
    expect(tile.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  it('is text in the tiles of a file, cut to 1,000 characters', async () => {
    const { id } = await server.ok('save_file', { collection: { ids: IDS }, detail: 'low' }, staff.member);
    const tile = await server.ask('GET', `/tiles/files/${id}/0/0/0.mvt`, { key: staff.member.key });
    const cut = new Map([...wanted].map(([one, name]) => [one, name.slice(0, 1_000)]));
    expect(new Map([...namesIn([tile.bytes])].sort())).toEqual(cut);
  });

  it('is text in an archive', async () => {
    const { bytes } = await server.ask('POST', '/v1/collections', { json: { ids: IDS, format: 'pmtiles' } });
    const archive = new PMTiles({
      getKey: () => 'memory',
      getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
    });
    const tile = await archive.getZxy(0, 0, 0);
    expect(new Map([...namesIn([new Uint8Array(tile?.data as ArrayBuffer)])].sort())).toEqual(wanted);
  });

  it('is text in the tiles of all boundaries', async () => {
    expect(new Map([...namesIn(await boundaryTiles())].sort())).toEqual(wanted);
  });

  it('reaches the map by the value of one attribute, never by the style', async () => {
    const style = JSON.parse((await server.get('/tiles/style.json')).text);
    const fields = style.layers.flatMap((layer: { layout?: Record<string, unknown> }) =>
      layer.layout?.['text-field'] === undefined ? [] : [layer.layout['text-field']],
    );
    expect(fields).toEqual([['get', 'name']]);
  });
});

describe('a hostile attribution', () => {
  it('is escaped in TileJSON, whose attribution maps show as HTML', async () => {
    const { json } = await server.ask('POST', '/tiles/selections', { json: { ids: IDS } });
    for (const path of ['/tiles/boundaries.json', `/tiles/selections/${json.sha256}.json`]) {
      const { attribution } = JSON.parse((await server.get(path)).text);
      expect(attribution).toContain('&lt;a href=');
      expect(attribution).not.toMatch(/[<>]/);
    }
  });
});
