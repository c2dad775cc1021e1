/** Removals of a source that an operator asks for. */
import { expect, it } from 'vitest';
import { removeSource } from '../../src/sources/stored.ts';
import type { OrgMember } from '../library/library_test_server.ts';
import { cell, fileOf } from '../sets/made_set.ts';
import { ROUTES } from '../setup/routes.ts';
import { importServer } from './import_server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

const imports = importServer();
const { ask, ended, importFile, stored } = imports;

const remove = (source: string, by?: OrgMember) => ask('remove_source', { source }, by);
/** Imports areas as a source, by the job of an operator. */
async function imported(source: string, areas: Parameters<typeof fileOf>[0]): Promise<void> {
  expect((await importFile(fileOf(areas), { source, adminLevel: 8 })).state).toBe('done');
}
const arcs = () => imports.server.services.db.query<Any>('select count(*)::integer as n from arc');

it('takes away what an import stored, and nothing else, once', async () => {
  const before = [await stored(), await arcs()];
  await imported('removed', { one: cell(4.2, 4.2), two: cell(5.2, 4.2) });
  expect((await ask('get_boundary', { id: 'removed:one' })).status).toBe(200);
  const asked = await remove('removed');
  expect([asked.status, asked.body.op, asked.body.name, asked.body.units]).toEqual([
    201,
    'remove_source',
    'removed',
    0,
  ]);
  // Only asked for: the request itself removes nothing.
  expect((await ask('get_boundary', { id: 'removed:one' })).status).toBe(200);
  const job = await ended(asked.body.id);
  expect([job.state, job.error, job.total]).toEqual(['done', null, 2]);
  expect(job.report).toEqual({ source: 'removed', removed: 2, restored: 0 });
  expect([await stored(), await arcs()]).toEqual(before);
  const log = (await ask('list_audit_log', { action: 'data.remove' }, imports.staff.admin)).body.items;
  expect(log).toMatchObject([
    {
      actor: { type: 'system', name: 'job' },
      // The job says who asked for it.
      request_id: asked.body.id,
      target: { type: 'source', id: 'removed' },
      details: { boundaries: 2, restored: 0 },
    },
  ]);
  const again = await remove('removed');
  expect([again.status, again.body.code]).toEqual([404, 'not_found']);
});

it('is for those who run the service, by every route, also when the job runs', async () => {
  await imported('guarded', { one: cell(4.2, 8.2) });
  for (const who of [imports.staff.owner, imports.staff.admin, imports.staff.member, imports.staff.viewer, undefined]) {
    for (const route of ROUTES) {
      for (const source of ['guarded', 'unknown', '']) {
        const { status, body } = await imports.server.call(route, 'remove_source', { source }, who);
        const refusal = route === 'mcp' ? [404, 'unknown_op'] : [401, 'unauthorized'];
        // An empty name is another path.
        if (source !== '' || route !== 'http')
          expect([route, who?.role, status, body.code]).toEqual([route, who?.role, ...refusal]);
      }
    }
    if (!who) continue;
    const { status } = await ask('create_job', { op: 'remove_source', input: { source: 'guarded' } }, who);
    expect(status).toBe(who.role === 'viewer' ? 401 : 400);
  }
  const { id } = (await remove('guarded')).body;
  await imports.server.services.accounts.setOperator(imports.operator.email, false);
  const job = await ended(id);
  expect([job.state, job.error?.code]).toEqual(['failed', 'unauthorized']);
  expect((await ask('get_boundary', { id: 'guarded:one' })).status).toBe(200);
});

it('refuses seed data, and runs one at a time, which can be canceled', async () => {
  await imports.server.services.db.query(
    "insert into source (id, name, licence, attribution, seed) values ('us-atlas', 'Seed', 'CC0-1.0', 'x', true)",
  );
  const refused = await remove('us-atlas');
  expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, 'source']);
  await imported('alone', { one: cell(4.2, 10.2) });
  await imported('other', { one: cell(8.2, 10.2) });
  const first = await remove('alone');
  expect([first.status, (await remove('other')).status]).toEqual([201, 429]);
  expect((await ask('cancel_job', { id: first.body.id })).body.state).toBe('canceled');
  await imports.server.jobRunner.runDue();
  expect((await ask('get_boundary', { id: 'alone:one' })).status).toBe(200);
  // A source that the command removed meanwhile is not there when the job runs.
  const late = (await remove('alone')).body;
  await removeSource(imports.server.services, 'alone');
  const job = await ended(late.id);
  expect([job.state, job.error?.code]).toEqual(['failed', 'not_found']);
});

it('leaves all of the source when the end of its job is not stored', async () => {
  await imported('whole', { one: cell(4.2, 12.2), two: cell(5.2, 12.2) });
  const before = [await stored(), await arcs()];
  const failing = removeSource(imports.server.services, 'whole', undefined, () =>
    Promise.reject(new Error('the job was canceled')),
  );
  await expect(failing).rejects.toThrow('the job was canceled');
  expect([await stored(), await arcs()]).toEqual(before);
});
