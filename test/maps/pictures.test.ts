/** Maps of different kinds over the seed data, by what a reader looks for: classes, areas, insets, labels, attribution. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { dataDir } from '../proof/environment.ts';
import { generator } from '../proof/made.ts';
import { seeded } from '../setup/seeded.ts';

const MARGIN = 20;
const random = generator(4);

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, {}, 30_000, seeded);
  ({ key } = await server.key());
}, 300_000);
afterAll(() => server?.close());

const idsOf = async (condition: string): Promise<string[]> =>
  (
    await server.services.db.query<{ id: string }>(
      `select id from boundary b where has_geometry and type = 'administrative' and ${condition} order by id`,
    )
  ).map(({ id }) => id);
const figuresOf = (ids: readonly string[], value = (_: number): number | null => Math.round(random() * 1e4) / 10) =>
  ids.map((id, i) => ({ id, value: value(i) }));

interface Text {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Its width; null where the font of the server does not know it. */
  readonly length: number | null;
  readonly isLabel: boolean;
}
/** A picture as its marks say it. */
interface Read {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly Text[];
  /** Areas in a color, by their tooltips. */
  readonly titles: readonly string[];
  readonly insets: number;
  /** Colors of the legend; hatched: no data. */
  readonly legend: readonly string[];
  readonly svg: string;
}

async function draw(input: object): Promise<Read> {
  const reply = await server.ask('POST', '/v1/maps', { json: input, key });
  expect(reply.status, reply.text.slice(0, 300)).toBe(200);
  const svg = reply.text;
  const of = (attribute: string, tag: string): string | null =>
    new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1] ?? null;
  const texts = [...svg.matchAll(/(<text [^>]*>)([^<]*)<\/text>/g)].map(
    ([, tag = '', text = '']): Text => ({
      ...{ text, x: Number(of('x', tag)), y: Number(of('y', tag)), size: Number(of('font-size', tag)) },
      length: of('textLength', tag) === null ? null : Number(of('textLength', tag)),
      isLabel: tag.includes('paint-order'),
    }),
  );
  const paths = [...svg.matchAll(/<path d="[^"]*" fill="([^"]*)"[^>]*>(?:<title>([^<]*)<\/title>)?/g)];
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)" role/.exec(svg) ?? [];
  return {
    ...{ width: Number(width), height: Number(height), texts, svg },
    titles: paths.flatMap(([, fill, title]) => (title !== undefined && fill?.startsWith('#') ? [title] : [])),
    insets: [...svg.matchAll(/stroke="#b5b5b5"/g)].length,
    legend: [...svg.matchAll(/fill="([^"]*)"[^>]* stroke="#777777"/g)].map(([, fill = '']) => fill),
  };
}

/** What is true of every map. */
function checked(read: Read): Read {
  const { texts, width, height } = read;
  for (const { text, x, y, length, size } of texts) {
    expect(x, text).toBeGreaterThanOrEqual(0);
    expect(y, text).toBeLessThanOrEqual(height);
    if (length !== null) expect(x + length, text).toBeLessThanOrEqual(width);
    expect(size).toBeGreaterThanOrEqual(11);
  }
  const labels = texts.filter(({ isLabel }) => isLabel);
  for (const [i, a] of labels.entries()) {
    for (const b of labels.slice(i + 1)) {
      const across = a.x < b.x + (b.length ?? 0) && b.x < a.x + (a.length ?? 0);
      expect(across && Math.abs(a.y - b.y) < a.size, `${a.text} meets ${b.text}`).toBe(false);
    }
  }
  expect(texts.some(({ text }) => text.startsWith('Boundaries: '))).toBe(true);
  // Each class has another color.
  expect(new Set(read.legend).size).toBe(read.legend.length);
  return read;
}
const lineOf = ({ texts }: Read, start: string) =>
  texts.filter(({ text }) => text.startsWith(start)).map(({ text }) => text);

describe('maps of different kinds', { timeout: 300_000 }, () => {
  it('counties of the United States have Alaska and Hawaii in insets', async () => {
    const ids = await idsOf("country = 'US' and admin_level = 6");
    const read = checked(
      await draw({ rows: figuresOf(ids), title: 'Counties', classes: 'quantile:7', labels: 'none', source: 'Made' }),
    );
    expect([read.titles.length, read.insets, read.legend.length]).toEqual([ids.length, 2, 7]);
    expect(lineOf(read, 'Boundaries: ')[0]).toContain('US Census Bureau');
    expect(lineOf(read, 'Source: ')).toEqual(['Source: Made']);
    expect(lineOf(read, 'Insets')).toHaveLength(1);
  });

  it('provinces of Spain have the Canary Islands in one', async () => {
    const ids = await idsOf("country = 'ES' and admin_level = 6");
    const read = checked(
      await draw({
        rows: figuresOf(ids),
        title: 'Provincias',
        classes: 'natural:5',
        colors: 'viridis',
        unit: 'hab/km²',
      }),
    );
    expect([read.titles.length, read.insets, read.legend.length]).toEqual([ids.length, 1, 5]);
    expect(lineOf(read, 'Boundaries: ').join()).toContain('Instituto Geográfico Nacional');
    expect(read.texts.filter(({ isLabel }) => isLabel).length).toBeGreaterThan(30);
    expect(read.texts.map(({ text }) => text)).toContain('hab/km²');
  });

  it('the world is one map', async () => {
    const ids = await idsOf('admin_level = 2');
    const missing = (i: number) => (i % 7 === 0 ? null : random() * 90);
    const rows = figuresOf(ids, missing);
    const read = checked(await draw({ rows, title: 'The world', labels: 'none', colors: 'cividis', source: 'Made' }));
    expect([read.insets, read.legend.at(-1)]).toEqual([0, 'url(#hatch)']);
    expect([read.titles.length, read.legend.length]).toEqual([rows.filter(({ value }) => value !== null).length, 6]);
    expect(read.texts.map(({ text }) => text)).toContain('no data');
    expect(lineOf(read, 'Boundaries: ')[0]).toContain('OpenStreetMap');
  });

  it('two classes have two colors', async () => {
    const ids = await idsOf("country = 'US' and admin_level = 4");
    const read = checked(
      await draw({ rows: figuresOf(ids, (i) => i), title: 'Two', classes: 'given:20', colors: 'blues' }),
    );
    expect(read.legend).toHaveLength(2);
    expect(read.texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['0 – 20', `20 – ${ids.length - 1}`]));
  });

  it('what has no figure is hatched, and is in the legend once', async () => {
    const ids = await idsOf(
      "admin_level = 8 and exists (select from boundary_parent p join boundary q on q.id = p.parent where p.child = b.id and q.iso = 'ES-AN')",
    );
    const rows = figuresOf(ids, (i) => (i % 3 === 0 ? null : i));
    const read = checked(await draw({ rows, title: 'Municipios', classes: 'quantile:4', labels: 'none' }));
    expect(read.legend.filter((one) => one === 'url(#hatch)')).toHaveLength(1);
    expect(read.titles.length).toBe(rows.filter(({ value }) => value !== null).length);
  });

  it('a long title, unit and source are broken into lines that fit, and end as an ellipsis where they are too long', async () => {
    const ids = await idsOf("country = 'ES' and admin_level = 6");
    const title =
      'Persons aged sixteen and over in private households, by province and broad branch of activity '.repeat(2);
    const source = `${'x'.repeat(80)} ${'National Institute of Statistics, '.repeat(3)}`.slice(0, 300);
    const input = {
      rows: figuresOf(ids, () => random() * 1e6),
      title: title.slice(0, 199),
      source,
      unit: title,
      width: 300,
    };
    const read = checked(await draw({ ...input, labels: 'values' }));
    const own = read.texts.filter(({ size }) => size === 22);
    expect(own).toHaveLength(3);
    expect(own.at(-1)?.text).toMatch(/\w …$/);
    for (const { length } of read.texts.filter(({ isLabel }) => !isLabel))
      expect(length).toBeLessThanOrEqual(300 - 2 * MARGIN);
    expect(read.texts.flatMap(({ text }) => /x{2,}/.exec(text)?.[0] ?? []).join('')).toBe('x'.repeat(80));
  });

  it('names and titles from right to left are text', async () => {
    const countries = ['EG', 'SA', 'IQ', 'SY', 'JO', 'YE', 'OM', 'SD', 'LY', 'TN', 'DZ', 'MA'];
    const ids = await idsOf(`admin_level = 2 and country = any ('{${countries.join()}}')`);
    const read = checked(
      await draw({ rows: figuresOf(ids), title: 'عدد السكان', unit: 'مليون', lang: 'ar', source: 'بيانات' }),
    );
    const texts = read.texts.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['عدد السكان', 'مليون', 'مصر', 'الجزائر']));
    // A PNG has text as outlines of a font without these letters, and says so in place of boxes.
    const png = await server.ask('POST', '/v1/maps', {
      ...{ key, json: { rows: figuresOf(ids), title: 'عدد السكان', format: 'png' } },
    });
    expect([png.status, png.json.code]).toEqual([400, 'invalid_input']);
  });

  it('Europe has far parts of its countries in insets, of which none is mostly sea', async () => {
    const countries = [
      'FR',
      'ES',
      'PT',
      'NL',
      'DE',
      'IT',
      'PL',
      'NO',
      'SE',
      'FI',
      'GB',
      'IE',
      'BE',
      'AT',
      'CH',
      'CZ',
      'HU',
    ];
    const ids = await idsOf(`admin_level = 2 and country = any ('{${countries.join()}}')`);
    const read = checked(await draw({ rows: figuresOf(ids), title: 'Europe', lang: 'en', colors: 'ylorrd' }));
    expect([read.insets > 0, read.insets <= 6]).toEqual([true, true]);
    expect(read.texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['Germany', 'Poland', 'Spain']));
  });

  it('PDF and PNG of the same map have its size', async () => {
    const ids = await idsOf("country = 'ES' and admin_level = 6");
    const input = { rows: figuresOf(ids, (i) => i), title: 'Provinces', colors: 'rdylbu', classes: 'equal:5' };
    const { width, height } = await draw(input);
    const png = await server.ask('POST', '/v1/maps', { key, json: { ...input, format: 'png' } });
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2 * width, 2 * height]);
    const pdf = await server.ask('POST', '/v1/maps', { key, json: { ...input, format: 'pdf' } });
    const [, w, h] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.bytes.toString('latin1')) ?? [];
    expect([Number(w), Number(h)]).toEqual([0.75 * width, 0.75 * height]);
  });

  it.skipIf(!dataDir)('departments of France have each overseas part in an inset (needs REAL_DATA_DIR)', async () => {
    const file = gunzipSync(readFileSync(join(dataDir as string, 'coverage/ne-admin1-10m.geojson.gz')));
    const { features } = JSON.parse(file.toString()) as { features: { properties: Record<string, string> }[] };
    const french = features.filter(({ properties }) => properties.adm0_a3 === 'FRA');
    const text = JSON.stringify({ type: 'FeatureCollection', features: french });
    const path = '/v1/sets?name=departements&id_column=iso_3166_2&name_column=name&attribution=Natural%20Earth';
    const made = await server.ask('POST', path, { key, text, headers: { 'Content-Type': 'application/geo+json' } });
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    const ids = french.map(({ properties }) => `set:departements/${properties.iso_3166_2}`);
    const read = checked(await draw({ rows: figuresOf(ids), title: 'Départements', classes: 'equal:5', unit: '€' }));
    // Guadeloupe with Martinique, Guyane, La Réunion, Mayotte.
    expect([read.titles.length, read.insets]).toEqual([french.length, 4]);
    expect(lineOf(read, 'Boundaries: ')).toEqual(['Boundaries: Natural Earth']);
  });
});
