import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

/** Who sends a file, and as which media type. */
interface Sending {
  readonly by?: OrgMember;
  readonly type?: string;
}

/**
 * A server for the tests of a file, with a new organization before each, of which a member runs the service. What its
 * functions do, they do as this operator, unless another person is given.
 */
export function importServer() {
  let server: LibraryTestServer;
  let staff: Awaited<ReturnType<LibraryTestServer['staff']>>;
  let operator: OrgMember;
  let operators = 0;
  beforeAll(async () => {
    server = await openLibraryTestServer();
  });
  afterAll(async () => {
    await server?.close();
  });
  beforeEach(async () => {
    staff = await server.staff();
    operator = await operatorIn(staff.slug);
  });

  /** A person who runs the service, in an organization. */
  async function operatorIn(orgSlug: string): Promise<OrgMember> {
    const email = `operator${++operators}@example.org`;
    const { account, key } = await server.services.keys.create({ email, orgSlug, operator: true });
    return { id: account.id, email, key, role: 'member' };
  }

  const ask = (op: string, input: Record<string, unknown>, by: OrgMember = operator): Promise<Any> =>
    server.call('http', op, input, by);

  /** A job after all that are due have run. */
  async function ended(id: string): Promise<Any> {
    await server.jobRunner.runDue();
    return (await ask('get_job', { id })).body;
  }

  /** Sends a file to be looked at. */
  async function send(
    body: string | Uint8Array,
    query: Record<string, string> = {},
    { by = operator, type = 'application/geo+json' }: Sending = {},
  ): Promise<Any> {
    const headers = { 'Content-Type': type, Authorization: `Bearer ${by.key}` };
    const search = new URLSearchParams({ dry_run: 'true', ...query });
    const sent = request(`${server.address}/v1/imports?${search}`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    });
    // A body that is too large may not be read to its end.
    sent.on('error', () => undefined);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }

  /** Sends a file and imports it with these options in place of those that are proposed; returns the ended job. */
  async function importFile(body: string, options: object, query: Record<string, string> = {}): Promise<Any> {
    const looked = await send(body, query);
    expect(looked.status, JSON.stringify(looked.body)).toBe(200);
    const { file_id } = looked.body;
    const created = await ask('import_file', { file_id, options: { ...looked.body.options, ...options } });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return ended(created.body.id);
  }

  return {
    get server() {
      return server;
    },
    get staff() {
      return staff;
    },
    get operator() {
      return operator;
    },
    ...{ operatorIn, ask, ended, send, importFile },
    /** The ids, names and codes of all boundaries that are stored. */
    stored: (): Promise<Any[]> =>
      server.services.db.query<Any>('select id, source, source_id, name, codes from boundary order by id'),
  };
}
