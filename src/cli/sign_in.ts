import { spawn } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../core/errors.ts';
import { jsonOf, postJson } from '../transports/call.ts';
import { visible } from '../transports/visible.ts';
import type { Login } from './credentials.ts';

interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/**
 * Runs the device flow (RFC 8628): shows the link, then polls at the server's interval until the person has decided.
 * @throws access_denied, expired_token, invalid_grant
 */
export async function signIn(server: string, signal: AbortSignal, browser: boolean): Promise<Login> {
  const name = visible(`boundary, ${userInfo().username} on ${hostname()}`.replace(/\p{C}/gu, ''), true).slice(0, 200);
  const code = jsonOf(await postJson(server, '/v1/auth/device/code', { client_name: name }, signal)) as DeviceCode;
  const link = linkOf(code.verification_uri_complete);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  say(`Open this link and check that it shows ${visible(String(code.user_code), true)}:\n  ${link}`);
  if (browser && process.stderr.isTTY) openBrowser(link);
  let interval = pauseOf(code);
  for (;;) {
    await sleep(interval * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
    try {
      const given = await postJson(server, '/v1/auth/device/token', { device_code: code.device_code }, signal);
      return readLogin(jsonOf(given));
    } catch (error) {
      if (!(error instanceof ProblemError) || !WAITING.has(error.code)) throw error;
      interval = Math.max(interval, pauseOf(error.extra));
    }
  }
}

/** Validates the key that a server sent. @throws for an answer without one in the usual form */
function readLogin(answer: unknown): Login {
  const { api_key, key_id, org } = (answer ?? {}) as Partial<Record<keyof Login, unknown>>;
  const { id, slug } = (org ?? {}) as Record<string, unknown>;
  const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,200}$/.test(value);
  if (isWord(api_key) && isWord(key_id) && isWord(id) && isWord(slug)) return { api_key, key_id, org: { id, slug } };
  throw new Error('The server approved the sign-in, but did not send a usable key.');
}

/** Problem codes that mean "not decided yet". */
const WAITING: ReadonlySet<string> = new Set(['authorization_pending', 'rate_limited']);

/** Polling interval in seconds. */
function pauseOf({ interval, retry_after }: { readonly interval?: unknown; readonly retry_after?: unknown }): number {
  return Math.min(Math.max(Number(interval) || 0, Number(retry_after) || 0, 1), 60);
}

/** Validates the approval link and percent-encodes it. @throws unless it is http or https */
function linkOf(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return visible(url.href, true);
  throw new Error('The server did not send a link to approve the sign-in at.');
}

/** Opens a link in the desktop's browser, if there is one. The link is printed anyway. */
function openBrowser(link: string): void {
  const commands: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };
  const opener = spawn(commands[process.platform] ?? 'xdg-open', [link], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
