import { spawn } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../errors.ts';
import { jsonOf, postJson } from '../transports/call.ts';
import { visible } from '../transports/table.ts';
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
 * The device flow (RFC 8628): shows the link, then asks at the interval that the server sets until the person has
 * decided. Throws access_denied, expired_token, invalid_grant.
 */
export async function signIn(server: string, signal: AbortSignal, browser: boolean): Promise<Login> {
  const name = visible(`boundary, ${userInfo().username} on ${hostname()}`.replace(/\p{C}/gu, ''), true).slice(0, 200);
  const code = jsonOf(await postJson(server, '/v1/auth/device/code', { client_name: name }, signal)) as DeviceCode;
  const link = visible(String(code.verification_uri_complete), true);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  say(`Open this link and check that it shows ${visible(String(code.user_code), true)}:\n  ${link}`);
  if (browser && process.stderr.isTTY) openBrowser(link);
  let interval = pauseOf(code);
  for (;;) {
    await sleep(interval * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
    try {
      const given = await postJson(server, '/v1/auth/device/token', { device_code: code.device_code }, signal);
      const { api_key, key_id, org } = jsonOf(given) as Login;
      return { api_key, key_id, org: { id: org.id, slug: org.slug } };
    } catch (error) {
      if (!(error instanceof ProblemError) || !WAITING.has(error.code)) throw error;
      interval = Math.max(interval, pauseOf(error.extra));
    }
  }
}

/** What is no decision yet. */
const WAITING: ReadonlySet<string> = new Set(['authorization_pending', 'rate_limited']);

/** Seconds until the next question. */
function pauseOf({ interval, retry_after }: { readonly interval?: unknown; readonly retry_after?: unknown }): number {
  return Math.min(Math.max(Number(interval) || 0, Number(retry_after) || 0, 1), 60);
}

/** Shows a link in the browser of the desktop, if there is one; the link is printed anyway. */
function openBrowser(link: string): void {
  if (!/^https?:\/\//.test(link)) return;
  const commands: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };
  const opener = spawn(commands[process.platform] ?? 'xdg-open', [link], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
