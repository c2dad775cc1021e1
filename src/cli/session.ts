import type { Command } from 'commander';
import { defined } from '../common/elements.ts';
import type { Config } from '../config.ts';
import { ProblemError, problem } from '../core/errors.ts';
import { jsonOf, serverTarget } from '../transports/call.ts';
import { printableJson, visible } from '../transports/visible.ts';
import { changeLogins, credentialsPath, type Login, readLogins, serverName } from './credentials.ts';
import { placeOptions } from './options.ts';
import { signIn } from './sign_in.ts';
import { chooseTarget, type Target, type TargetFlags, type Workplace } from './target.ts';

interface Flags extends TargetFlags {
  readonly json?: boolean;
  readonly browser?: boolean;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Adds `boundary login`, `logout` and `whoami`. */
export function addSessionCommands(cli: Command, config: Config, workplace: Workplace): void {
  cli.commandsGroup('Signing in:');
  const login = cli
    .command('login')
    .description('sign in to a server: approve a link in the browser; the key is saved')
    .argument('[address]', 'address of the server; default: BOUNDARY_BASE_URL, the last sign-in, or this machine')
    .option('--url <address>', 'same as the argument')
    .option('--no-browser', 'print the link without opening a browser')
    .option('--json', 'print the result as JSON');
  login.action(async (address: string | undefined) => {
    const flags = login.optsWithGlobals<Flags>();
    if (flags.local) throw problem('invalid_input', 'The database of this machine does not need a sign-in.');
    const path = credentialsPath(config);
    const chosen = address ?? flags.url ?? config.BOUNDARY_BASE_URL ?? readLogins(path).current ?? config.BASE_URL;
    const server = serverName(chosen);
    const made = await signIn(server, workplace.signal, flags.browser !== false);
    const { servers } = await changeLogins(path, (logins) => ({
      current: server,
      servers: { ...logins.servers, [server]: made },
    }));
    if (flags.json) print(printableJson({ server, key_id: made.key_id, org: made.org, servers: Object.keys(servers) }));
    else print(`Signed in to ${server} in ${visible(made.org.slug, true)}.`);
    warnOfEnvironment(config);
  });

  const logout = cli
    .command('logout')
    .description('sign out of a server: revoke the key and delete it here')
    .argument('[address]', 'address of the server; default: that of the last sign-in')
    .option('--url <address>', 'same as the argument')
    .option('--all', 'sign out of all servers')
    .option('--json', 'print the result as JSON');
  logout.action(async (address: string | undefined, { all }: { all?: boolean }) => {
    const flags = logout.optsWithGlobals<Flags>();
    const path = credentialsPath(config);
    const known = readLogins(path);
    const named = address ?? flags.url ?? known.current;
    const forgotten = all ? Object.keys(known.servers) : named === null ? [] : [serverName(named)];
    const signedIn = forgotten.filter((server) => Object.hasOwn(known.servers, server));
    if (signedIn.length === 0)
      throw problem('not_found', named ? `You are not signed in to ${named}.` : 'You are not signed in.');
    for (const server of signedIn) await revoke(server, defined(known.servers[server]), workplace.signal);
    await changeLogins(path, ({ current, servers }) => {
      const left = Object.fromEntries(Object.entries(servers).filter(([server]) => !signedIn.includes(server)));
      return {
        current: current !== null && current in left ? current : (Object.keys(left).at(-1) ?? null),
        servers: left,
      };
    });
    print(
      flags.json
        ? printableJson({ servers: signedIn })
        : signedIn.map((server) => `Signed out of ${server}.`).join('\n'),
    );
  });

  const whoami = placeOptions(cli.command('whoami'))
    .description('show which server or database commands use, and your account')
    .option('--json', 'print it as JSON');
  whoami.action(async () => {
    const flags = whoami.optsWithGlobals<Flags>();
    const place = await chooseTarget(config, flags);
    const { saved, ...shown } = describe(place);
    if (place.kind !== 'server') {
      print(
        flags.json
          ? printableJson({ ...shown, account: null, operator: true })
          : `${saved}\nas the operator of this machine`,
      );
      return;
    }
    if (!flags.json) print(saved);
    if (place.key === null) {
      if (flags.json) print(printableJson({ ...shown, account: null, operator: false }));
      throw problem('unauthorized', `You are not signed in. Run: boundary login ${place.url}`);
    }
    const target = serverTarget({ baseUrl: place.url, apiKey: place.key.secret }, workplace.signal);
    const account = jsonOf(await target.call('get_account', {})) as Account;
    print(flags.json ? printableJson({ ...shown, account, operator: account.operator }) : inWords(account, place));
  });
}

interface Account {
  readonly email: string;
  readonly name: string | null;
  readonly org: { readonly slug: string; readonly role: string; readonly plan: string };
  readonly key_id: string | null;
  readonly operator: boolean;
}

function describe(place: Target): { place: Record<string, unknown>; saved: string } {
  if (place.kind === 'server') {
    const { url, because, key } = place;
    const why = because === 'login' ? 'signed in' : because;
    return { place: { kind: 'server', url, because, key: key?.because ?? null }, saved: `server ${url} (${why})` };
  }
  const name = place.kind === 'socket' ? place.path : place.name;
  const what = place.kind === 'socket' ? 'the server that owns' : 'the database';
  return { place: { kind: place.kind, name, because: place.because }, saved: `${what} ${name} (${place.because})` };
}

function inWords(account: Account, place: Extract<Target, { kind: 'server' }>): string {
  const { email, name, org, key_id, operator } = account;
  const lines = [
    `as ${visible(name === null ? email : `${name} <${email}>`, true)}${operator ? ', operator' : ''}`,
    visible(`in ${org.slug} as ${org.role}, plan ${org.plan}`, true),
  ];
  if (key_id !== null)
    lines.push(
      `with ${visible(key_id, true)} (${place.key?.because === 'login' ? 'from signing in' : place.key?.because})`,
    );
  return lines.join('\n');
}

/** Revokes a key at its server. Failures are only reported: the caller deletes the key here in any case. */
async function revoke(server: string, login: Login, signal: AbortSignal): Promise<void> {
  try {
    const target = serverTarget({ baseUrl: server, apiKey: login.api_key }, signal);
    jsonOf(await target.call('revoke_api_key', { id: login.key_id }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError && (error.code === 'invalid_key' || error.code === 'not_found')) return;
    say(`The key could not be revoked at ${server} (${visible((error as Error).message, true)}); it was deleted here.`);
  }
}

function warnOfEnvironment({ BOUNDARY_API_KEY, BOUNDARY_BASE_URL }: Config): void {
  const set = [BOUNDARY_API_KEY && 'BOUNDARY_API_KEY', BOUNDARY_BASE_URL && 'BOUNDARY_BASE_URL'].filter(Boolean);
  if (set.length > 0) say(`${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set and will be used instead.`);
}
