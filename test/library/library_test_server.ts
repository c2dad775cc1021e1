import { only } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import type { Role } from '../../src/core/roles.ts';
import type { NewKey } from '../../src/domain/people/keys.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { callerOf, type Route } from '../setup/routes.ts';

/** A share as share_file and get_file return it. */
export interface ShareBody {
  readonly grant_id: string;
  readonly team: { readonly id: string; readonly slug: string } | null;
  readonly user: { readonly id: string; readonly email: string } | null;
  readonly access: string;
}

/** The members of a response that tests read. */
export interface FileBody {
  readonly id: string;
  readonly name: string;
  readonly boundary_id: string;
  readonly version: number;
  readonly current: boolean;
  readonly visibility: string;
  readonly access: string;
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly code: string;
  readonly detail: string;
  readonly places: readonly { readonly text: string; readonly from: number; readonly to: number }[];
  readonly items: readonly (FileBody & ShareBody)[];
  readonly total: number;
  readonly shares?: readonly ShareBody[] | null;
  readonly not_applied?: readonly { readonly field: string; readonly reason: string }[];
  readonly deleted: boolean;
}

/** The outcome of a call. */
export interface FileResponse {
  readonly status: number;
  readonly headers: Reply['headers'];
  readonly body: FileBody;
}

/** A member of an organization, with a key that has their role (an owner's acts as admin). */
export interface OrgMember {
  readonly id: string;
  readonly email: string;
  readonly key: string;
  readonly role: Role;
}

/** An organization with a member in every role. */
export interface OrgMembers {
  readonly org: string;
  readonly slug: string;
  readonly owner: OrgMember;
  readonly admin: OrgMember;
  readonly member: OrgMember;
  readonly other: OrgMember;
  readonly viewer: OrgMember;
}

/** A test server with the library and the fixture boundaries. */
export interface LibraryTestServer extends BoundaryTestServer {
  /** Creates an organization on a plan, with a member in every role. */
  staff(plan?: string): Promise<OrgMembers>;
  /** Adds a member to an organization. */
  addMember(slug: string, role: Role): Promise<OrgMember>;
  /** Calls an operation by one of the routes. */
  call(route: Route, op: string, input: Record<string, unknown>, by?: OrgMember): Promise<FileResponse>;
  /** Calls by HTTP. @throws unless the call succeeds */
  ok(op: string, input: Record<string, unknown>, by: OrgMember): Promise<FileBody>;
  /** Creates a team of the organization with these people; returns its id. */
  team(staff: OrgMembers, name: string, ...people: readonly OrgMember[]): Promise<string>;
  /** The bytes of a file, from its permanent URL. */
  content(url: string, by?: OrgMember, headers?: Record<string, string>, method?: string): Promise<Reply>;
  /** The caller that a key identifies. */
  callerOf(who: OrgMember): Promise<Caller>;
}

let people = 0;
let houses = 0;

/** Starts the server; `settings` are environment variables of the service. */
export async function openLibraryTestServer(settings: Record<string, string> = {}): Promise<LibraryTestServer> {
  const server = await openBoundaryTestServer({}, settings);
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  const { services } = server;

  const hire = async (slug: string, role: Role): Promise<OrgMember> => {
    const made: NewKey = await services.keys.create({ email: `${role}${++people}@example.org`, orgSlug: slug });
    await services.db.query('update membership set role = $3 where org = $1 and account = $2', [
      made.org.id,
      made.account.id,
      role,
    ]);
    services.orgs.forget();
    return { id: made.account.id, email: made.account.email, key: made.key, role };
  };

  const caller = callerOf({
    ops,
    address: server.address,
    host: new URL(BASE_URL).host,
    ask: server.ask,
  });
  const call: LibraryTestServer['call'] = async (route, op, input, by) => {
    const { status, headers, json } = await caller(route, op, input, by?.key);
    return { status, headers: headers as FileResponse['headers'], body: json };
  };

  const ok: LibraryTestServer['ok'] = async (op, input, by) => {
    const { status, body } = await call('http', op, input, by);
    if (status >= 300) throw new Error(`${op}: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  return {
    ...server,
    addMember: hire,
    call,
    ok,
    async staff(plan = 'self_hosted') {
      const slug = `library-${++houses}`;
      const owner = await hire(slug, 'owner');
      const { id: org } = only(
        await services.db.query<{ id: string }>('update org set plan = $2 where slug = $1 returning id', [slug, plan]),
      );
      services.orgs.forget();
      const [admin, member, other, viewer] = [
        await hire(slug, 'admin'),
        await hire(slug, 'member'),
        await hire(slug, 'member'),
        await hire(slug, 'viewer'),
      ];
      return { org, slug, owner, admin, member, other, viewer };
    },
    async team({ owner }, name, ...members) {
      const { id } = await ok('create_team', { name }, owner);
      for (const { id: user_id } of members) {
        const added = await server.ask('PUT', `/v1/orgs/teams/${id}/members/${user_id}`, { key: owner.key });
        if (added.status !== 200) throw new Error(added.text);
      }
      return id;
    },
    content: (url, by, headers, method = 'GET') =>
      server.ask(method, url.slice(BASE_URL.length), { key: by?.key, headers }),
    callerOf: ({ key }) => services.keys.authenticate(key),
  };
}
