import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Classes, readClasses } from '../../workers/maps/classes.ts';
import { canDraw } from '../../workers/maps/font.ts';
import { legendOf } from '../../workers/maps/legend.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const TITLE = 'Made <b>figures</b> & "more"';
const rows = [
  { id: 'r111', value: 1 },
  { id: 'r112', value: 25 },
];
const send = (input: object, by: string | undefined = key) => server.ask('POST', '/v1/maps', { json: input, key: by });
const refusal = async (input: object) => {
  const { json } = await send(input);
  return `${json.code}: ${json.detail} ${JSON.stringify(json.issues ?? [])}`;
};

describe('draw_map', () => {
  it('draws each area in the color of its class, and hatches those without a figure', async () => {
    const reply = await send({
      rows,
      around: { children_of: 'r101' },
      classes: 'given:10',
      colors: 'blues',
      title: TITLE,
      source: 'The <script>',
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('image/svg+xml');
    expect(reply.text).not.toMatch(/<b>|<script/);
    expect(reply.text).toContain('Made &lt;b&gt;figures&lt;/b&gt; &amp; &quot;more&quot;');
    expect(reply.text).toContain('Source: The &lt;script&gt;');
    expect(reply.text).toContain('Boundaries: the tests');
    const fills = [...reply.text.matchAll(/<path d="[^"]{40,}" fill="([^"]+)"[^>]*><title>([^<]*)/g)].map(
      ([, fill, title]) => `${title} ${fill}`,
    );
    expect(fills.find((one) => one.includes(': 1 '))).toMatch(/#deebf7$/);
    expect(fills.find((one) => one.includes(': 25 '))).toMatch(/#3182bd$/);
    expect(reply.text).toContain('url(#hatch)');
    // The same call is answered with the same bytes, which are at the address that it names.
    const again = await send({
      rows,
      around: { children_of: 'r101' },
      classes: 'given:10',
      colors: 'blues',
      title: TITLE,
      source: 'The <script>',
    });
    expect(again.text).toBe(reply.text);
    const path = new URL(String(reply.headers['content-location'])).pathname.replace('/base', '');
    expect((await server.get(path)).text).toBe(reply.text);
  });

  it('draws neighbors with the same border', async () => {
    const { text } = await send({ rows, title: 'Two neighbors', labels: 'none', width: 400 });
    const paths = [...text.matchAll(/<path d="(M[^"]{40,})" fill="#/g)].map(([, path]) =>
      path?.match(/[-\d.]+ [-\d.]+/g),
    );
    expect(paths).toHaveLength(2);
    const shared = paths[0]?.filter((point) => paths[1]?.includes(point)) ?? [];
    expect(shared.length).toBeGreaterThan(3);
  });

  it('writes PNG and PDF that other programs read, the same each time', async () => {
    const table = 'id;density\nr111;1.5\nr112;\n';
    const png = await server.ask('POST', '/v1/maps?title=Density&format=png&width=300', {
      text: table,
      headers: { 'content-type': 'text/csv' },
      key,
    });
    expect(png.status).toBe(200);
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(png.bytes.readUInt32BE(16)).toBe(600);
    const pdf = await send({ rows, title: 'Density', format: 'pdf' });
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.bytes.subarray(-7).toString()).toContain('%%EOF');
    if (process.env.KEEP_MAPS) writeFileSync(`${process.env.KEEP_MAPS}/map.pdf`, pdf.bytes);
    const reader = spawnSync('gs', ['-q', '-dNODISPLAY', '-dBATCH', '-'], { input: pdf.bytes });
    if (!reader.error) expect(reader.stderr.toString()).toBe('');
  });

  it('has only signs that its fonts have, however figures fall into classes', () => {
    const worlds = [[52, 56, 139], [1], [1, 1], [0, 60], [60, 60, 120], [-5, 0, 5e6], [0.001, 0.002, 0.0021]];
    for (const classes of ['natural:4', 'quantile:5', 'equal:3', 'given:60', 'given:60,120', 'given:-1,0,1']) {
      for (const figures of worlds) {
        const { texts } = legendOf(readClasses(classes) as Classes, figures, 'ylgnbu', false);
        expect(texts.length).toBeGreaterThan(0);
        for (const text of texts) expect([text, canDraw(text)]).toEqual([text, true]);
      }
    }
  });

  it('takes what match_names answered with, and counts the rows that have no boundary', async () => {
    const csv = 'place,density,match_id,match\nA,1,r111,exact\nB,25,r112,exact\nTotal,26,,not_found\n';
    const reply = await send({ csv, value: 'density', title: 'Density' });
    expect([reply.status, reply.headers['boundary-collection']]).toEqual([
      200,
      'count=2, left_out=0, rows_without_id=1',
    ]);
    const named = await server.ask('POST', '/v1/ops/draw_map', {
      json: { csv, value: 'density', title: 'Density' },
      key,
    });
    expect(named.json).toMatchObject({ areas: 2, rows_without_id: 1 });
    const none = await refusal({ csv: 'density,match_id\n1,\n', title: 'Density' });
    expect(none).toContain('fill in match_id');
    // A table of ids without one is a mistake.
    expect(await refusal({ csv: 'id,density\nr111,1\n,2\n', title: 'Density' })).toContain('line 3 has no id');
  });

  it('refuses what is wrong, naming the line and the column', async () => {
    const title = 'Density';
    expect(await refusal({ csv: 'id,density\nr111,many\n', title })).toMatch(
      /line 2 has \\"many\\" in the column density/,
    );
    expect(await refusal({ csv: 'id,density\nr111,1\nr111,2\n', title })).toContain('line 3 has the id r111');
    expect(await refusal({ csv: 'id,density\nr111,1\nr112,140,5\n', title })).toContain(
      'line 3 has 3 cells where the header has 2',
    );
    expect(await refusal({ csv: 'id,density\nr111\n', title })).toContain('line 2 has 1 cells');
    expect(await refusal({ csv: 'name,density\nr111,1\n', title })).toContain(
      'a column named match_id, boundary_id, id',
    );
    expect(await refusal({ csv: 'place,match_id,density\nA,r999999,1\n', value: 'density', title })).toContain(
      'not_found',
    );
    expect(await refusal({ csv: 'id,density\nr111,1\n', value: 'area', title })).toContain('has no column area');
    expect(await refusal({ csv: `id,${'x,'.repeat(1_000)}\n`, title })).toContain('more than 100 columns');
    expect(await refusal({ rows, csv: 'id,a\n', title })).toContain('give csv or rows');
    expect(await refusal({ rows: [...rows, rows[0]], title })).toContain('r111 is given twice');
    expect(await refusal({ rows: [...rows, { id: 'relation/111', value: 2 }], title })).toContain('another row');
    expect(await refusal({ rows, classes: 'quantile:50', title })).toContain('invalid_input');
    expect(await refusal({ rows, classes: 'given:5,2', title })).toContain('invalid_input');
    expect(await refusal({ rows: [{ id: 'r999999', value: 1 }], title })).toContain('not_found');
    expect(await refusal({ rows, title: '北京', format: 'png' })).toContain('use svg');
    expect((await send({ rows, title: '北京' })).text).toContain('北京');
    expect((await server.ask('POST', '/v1/maps', { json: { rows, title } })).status).toBe(401);
  });
});
