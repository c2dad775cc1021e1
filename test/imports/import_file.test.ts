/** Imports of a file that an operator sends. */
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { cell, fileOf } from '../sets/made_set.ts';
import { ROUTES } from '../setup/routes.ts';
import { importServer } from './import_server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const imports = importServer();
const { operatorIn, ask, ended, send, importFile, stored: all } = imports;

const AREAS = { one: cell(4.2, 4.2), two: cell(5.2, 4.2), three: cell(6.2, 4.2) };
const content = fileOf(AREAS, { gemeinde: 'x' });

/** A zip whose only file is said to unpack to 640 MiB. */
function growingZip(): Uint8Array {
  const zip = Buffer.from(zipSync({ 'areas.csv': new Uint8Array(2 ** 20) }));
  const [local, central] = [zip.indexOf('PK\x03\x04', 0, 'latin1'), zip.indexOf('PK\x01\x02', 0, 'latin1')];
  for (const at of [local + 22, central + 24]) zip.writeUInt32LE(640 * 2 ** 20, at);
  return zip;
}

it('says how a file would be imported, imports it as corrected, and is answered at once', async () => {
  const before = await all();
  const looked = await send(content, { file_name: 'Gemeinden 2024.geojson' });
  expect(looked.status, JSON.stringify(looked.body)).toBe(200);
  const { options, columns, preview, file_id, lacks_level } = looked.body;
  expect(columns.map(({ name, distinct }: Any) => [name, distinct])).toEqual([
    ['id', 3],
    ['name', 3],
    ['gemeinde', 1],
  ]);
  expect([options.source, options.map, options.adminLevel, lacks_level]).toEqual([
    'gemeinden-2024',
    { id: 'id', name: 'name' },
    8,
    false,
  ]);
  expect([preview.areas, preview.first[0].name, preview.left_out.total]).toEqual([3, 'Area one', 0]);
  expect(await all()).toEqual(before);
  const kept = (await ask('get_file', { id: file_id })).body;
  expect([kept.visibility, kept.made_by, kept.name]).toEqual(['restricted', 'import_file', 'Gemeinden 2024.geojson']);

  const corrected = { ...options, adminLevel: 9, license: 'CC0-1.0', attribution: 'The mapping agency' };
  const again = await ask('import_file', { dry_run: true, file_id, options: corrected });
  expect([again.status, again.body.preview?.first[0].admin_level]).toEqual([200, 9]);
  const job = (await ask('import_file', { file_id, options: corrected })).body;
  expect([job.op, job.state, job.name, job.units]).toEqual(['import_file', 'queued', 'gemeinden-2024', 0]);
  const done = await ended(job.id);
  expect([done.state, done.error, done.done]).toEqual(['done', null, 3]);
  expect(done.report).toMatchObject({ added: 3, replaced: 0, left_out: { total: 0 }, overlaps: { total: 0 } });
  expect(done.report.first[0]).toEqual({ id: 'gemeinden-2024:one', name: 'Area one' });
  const { body } = await ask('get_boundary', { id: 'gemeinden-2024:one' });
  expect(body.properties).toMatchObject({ name: 'Area one', admin_level: 9 });
  const { sources } = (await ask('get_data_status', {})).body;
  expect(sources.find(({ id }: Any) => id === body.properties.source)).toMatchObject({
    ...{ id: 'gemeinden-2024', license: 'CC0-1.0', attribution: 'The mapping agency', boundaries: 3 },
  });
  // Nothing that was stored before is lost or changed.
  const after = new Map((await all()).map((one) => [one.id, one]));
  for (const one of before) expect(after.get(one.id), one.id).toEqual(one);
  const log = (await ask('list_audit_log', { action: 'data.import' }, imports.staff.admin)).body.items;
  expect(log[0]).toMatchObject({
    target: { type: 'source', id: 'gemeinden-2024' },
    details: { file: 'Gemeinden 2024.geojson', read: 3, added: 3 },
  });
  // Imported again, nothing changes.
  const same = await ended((await ask('import_file', { file_id, options: corrected })).body.id);
  expect([same.state, same.report.added, same.report.unchanged]).toEqual(['done', 0, 3]);
});

it('recognizes a CSV with WKT by its name, whatever the type of the body', async () => {
  const csv = 'code,nom,WKT\nA1,Vallalta,"POLYGON((4 4,5 4,5 5,4 4))"\n';
  const type = 'application/octet-stream';
  const looked = await send(csv, { file_name: 'Zonas.CSV' }, { type });
  expect(looked.status, JSON.stringify(looked.body)).toBe(200);
  expect(looked.body.options.map).toEqual({ id: 'code', name: 'nom' });
  expect((await send(csv, { file_name: 'Zonas' }, { type })).body.issues).toEqual([
    { path: 'format', code: 'missing', message: 'the format of the file is not recognized: say it' },
  ]);
});

it('replaces what a newer file of the source says, and says what it left out', async () => {
  const options = { source: 'replaced', adminLevel: 8 };
  expect((await importFile(content, options)).report.added).toBe(3);
  const newer = JSON.parse(fileOf({ one: cell(4.2, 4.2, 1.1), two: cell(5.3, 4.2, 0.9) }));
  newer.features.push({ type: 'Feature', properties: { id: 'four', name: 'Four' }, geometry: null });
  const { report } = await importFile(JSON.stringify(newer), options);
  expect([report.replaced, report.left_out]).toMatchObject([2, { total: 1, items: [{ id: 'four' }] }]);
  expect((await ask('get_boundary', { id: 'replaced:three' })).status).toBe(200);
});

it('names a recipe of the catalog, several levels, and what keeps it from a proposal', async () => {
  const nuts = JSON.parse(fileOf({ ES61: cell(4.2, 6.2) }, { NUTS_ID: 'ES61', LEVL_CODE: 2, CNTR_CODE: 'ES' }));
  nuts.features[0].properties = {
    NUTS_ID: 'ES61',
    LEVL_CODE: 2,
    CNTR_CODE: 'ES',
    NAME_LATN: 'Andalucía',
    NUTS_NAME: 'A',
  };
  const known = (await send(JSON.stringify(nuts), { recipe: 'nuts/2' })).body;
  expect([known.recipe, known.options.source, known.trouble]).toEqual([
    'nuts/2',
    expect.stringContaining('nuts'),
    null,
  ]);
  const unknown = (await send(content, { recipe: 'nowhere/9' })).body;
  expect([unknown.options, unknown.trouble]).toEqual([null, expect.stringContaining('There is no source nowhere')]);
  const plain = (await send(content, { file_name: 'areas.geojson' })).body;
  expect([plain.lacks_level, plain.preview]).toEqual([true, null]);
  const wrong = { ...plain.options, adminLevel: 8, map: { id: 'nothing', name: 'name' } };
  const { body } = await ask('import_file', { dry_run: true, file_id: plain.file_id, options: wrong });
  expect([body.preview, body.trouble]).toEqual([null, expect.stringContaining('options.map.id')]);
  const failed = await ended((await ask('import_file', { file_id: plain.file_id, options: wrong })).body.id);
  expect([failed.state, failed.error.code]).toEqual(['failed', 'invalid_input']);
  expect(failed.error.detail).not.toMatch(/\/tmp\//);
});

it('is for those who run the service, by every route', async () => {
  const { file_id, options } = (await send(content, { file_name: 'communes.geojson' })).body;
  const input = { file_id, options };
  for (const who of [imports.staff.owner, imports.staff.admin, imports.staff.member, imports.staff.viewer, undefined]) {
    for (const route of ROUTES) {
      const { status, body } = await imports.server.call(route, 'import_file', input, who);
      const refusal = route === 'mcp' ? [404, 'unknown_op'] : [401, 'unauthorized'];
      expect([route, who?.role, status, body.code]).toEqual([route, who?.role, ...refusal]);
    }
    const sent = who && (await send(content, {}, { by: who }));
    if (sent) expect([who.role, sent.status, sent.body.code]).toEqual([who.role, 401, 'unauthorized']);
    if (!who) continue;
    const { status } = await ask('create_job', { op: 'import_file', input }, who);
    expect(status).toBe(who.role === 'viewer' ? 401 : 400);
  }
  expect((await imports.server.call('mcp', 'import_file', input, imports.operator)).body.code).toBe('unknown_op');
  expect((await ask('create_job', { op: 'import_file', input })).status).toBe(400);
  // The file of another operator is theirs.
  const other = await operatorIn((await imports.server.staff()).slug);
  expect((await ask('import_file', input, other)).status).toBe(404);
  // Who no longer runs the service when the job runs imports nothing.
  const { id } = (await ask('import_file', input)).body;
  await imports.server.services.accounts.setOperator(imports.operator.email, false);
  await imports.server.jobRunner.runDue();
  const job = (await ask('get_job', { id })).body;
  expect([job.state, job.error?.code]).toEqual(['failed', 'unauthorized']);
  expect(
    (await imports.server.services.db.query('select from boundary where source = $1', [options.source])).length,
  ).toBe(0);
});

it('refuses what is not a file of areas, too large, or packed to grow', async () => {
  const before = await all();
  const octets = { type: 'application/octet-stream' };
  const zip = { type: 'application/zip' };
  const bad: readonly [string, () => Promise<Any>, number, RegExp][] = [
    ['more than 64 MiB', () => send(`{${' '.repeat(2 ** 26)}`, { format: 'geojson' }, octets), 413, /too_large/],
    ['a zip that grows', () => send(growingZip(), {}, zip), 400, /640|671088640/],
    ['no areas', () => send('{"type":"FeatureCollection","features":[]}'), 400, /areas: a collection without features/],
    ['no format', () => send('Hello.', {}, octets), 400, /format/],
    ['a media type that is none', () => send(content, {}, { type: 'text/html' }), 400, /invalid_json/],
    ['a body to import at once', () => send(content, { dry_run: 'false' }), 400, /dry_run=true/],
    ['nothing', () => ask('import_file', { dry_run: true }), 400, /file_id/],
  ];
  for (const [what, call, status, message] of bad) {
    const got = await call();
    expect([what, got.status], JSON.stringify(got.body)).toEqual([what, status]);
    expect(JSON.stringify(got.body), what).toMatch(message);
    expect(JSON.stringify(got.body), what).not.toMatch(/\/tmp\//);
  }
  const { file_id, options } = (await send(content, { file_name: 'communes.geojson' })).body;
  const wrong: readonly [object, string][] = [
    [{ ...options, source: 'osm' }, 'options.source'],
    [{ ...options, source: 'us-atlas' }, 'options.source'],
    [{ ...options, source: '../x' }, 'options.source'],
    [{ ...options, path: '/etc/passwd' }, 'options.path'],
    [{ ...options, adminLevel: 13 }, 'options.adminLevel'],
  ];
  for (const [given, path] of wrong) {
    const { status, body } = await ask('import_file', { file_id, options: given });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(path)]);
  }
  expect((await ask('import_file', { file_id })).status).toBe(400);
  expect(await all()).toEqual(before);
});

it('runs one import at a time, which can be canceled', async () => {
  const { file_id, options } = (await send(content, { file_name: 'communes.geojson' })).body;
  const other = await operatorIn((await imports.server.staff()).slug);
  const theirs = (await send(content, { file_name: 'communes.geojson' }, { by: other })).body;
  const asked = [
    [{ file_id, options: { ...options, source: 'first' } }, imports.operator],
    [{ file_id: theirs.file_id, options: { ...options, source: 'second' } }, other],
  ] as const;
  const answers = await Promise.all(asked.map(([input, by]) => ask('import_file', input, by)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('30');
  const won = answers.findIndex(({ status }) => status === 201);
  const [, by] = asked[won] as (typeof asked)[0];
  expect((await ask('cancel_job', { id: answers[won]?.body.id }, by)).body.state).toBe('canceled');
  await imports.server.jobRunner.runDue();
  for (const source of ['first', 'second'])
    expect((await ask('get_boundary', { id: `${source}:one` })).status).toBe(400);
  expect((await ask('import_file', { file_id, options })).status).toBe(201);
  await imports.server.jobRunner.runDue();
});
