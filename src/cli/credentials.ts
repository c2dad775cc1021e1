import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { problem } from '../core/errors.ts';

/** An API key from a sign-in, with its id and organization. */
export interface Login {
  readonly api_key: string;
  readonly key_id: string;
  readonly org: { readonly id: string; readonly slug: string };
}

/** All sign-ins of a person, by server (`serverName`), and the default server. */
export interface Logins {
  readonly current: string | null;
  readonly servers: Readonly<Record<string, Login>>;
}

const NONE: Logins = { current: null, servers: {} };

/** Age from which the draft of another process counts as abandoned. */
const STALE_MS = 10_000;
const PAUSE_MS = 20;

/** Normalizes a server's URL; the result has no trailing slash. @throws invalid_input for anything else */
export function serverName(address: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw problem(
      'invalid_input',
      `"${address.slice(0, 100)}" is not the address of a server, such as https://maps.example.`,
    );
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/**
 * Path of `credentials.json` in our folder below the XDG config folder. A relative XDG_CONFIG_HOME is ignored, as its
 * specification requires.
 */
export function credentialsPath(config: Pick<Config, 'XDG_CONFIG_HOME'>): string {
  const own = config.XDG_CONFIG_HOME;
  return join(own && isAbsolute(own) ? own : join(homedir(), '.config'), 'boundary', 'credentials.json');
}

/** Reads the sign-ins from a file; none if it does not exist. @throws Error for a file with other content */
export function readLogins(path: string): Logins {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw error;
  }
  try {
    const { current, servers } = JSON.parse(text) as Logins;
    if (typeof servers !== 'object' || servers === null) throw new TypeError('no servers');
    const kept = Object.entries(servers).filter(([, login]) => typeof login?.api_key === 'string');
    return {
      current: typeof current === 'string' && current in servers ? current : null,
      servers: Object.fromEntries(kept),
    };
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as Error).message}): remove it and sign in again`, {
      cause: error,
    });
  }
}

/**
 * Changes the sign-ins. The file (mode 0600, in a folder of mode 0700) is replaced atomically. All processes use the
 * same draft name, which acts as a lock, so that none loses the change of another.
 */
export async function changeLogins(path: string, change: (logins: Logins) => Logins): Promise<Logins> {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  const descriptor = await claim(draft);
  try {
    const changed = change(readLogins(path));
    writeFileSync(descriptor, `${JSON.stringify(changed, null, 2)}\n`);
    renameSync(draft, path);
    return changed;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

async function claim(draft: string): Promise<number> {
  for (;;) {
    try {
      return openSync(draft, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const age = Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_MS) rmSync(draft, { force: true });
    else await sleep(PAUSE_MS);
  }
}
