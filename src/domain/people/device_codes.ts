import { createHash, randomBytes, randomInt } from 'node:crypto';
import { only } from '../../common/elements.ts';
import type { Actor } from '../../core/access.ts';
import { asProblem, problem } from '../../core/errors.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type Allowance, countAttempt } from './attempts.ts';
import { addKey, type NewKey, requireKeyRoom } from './keys.ts';

/** Lifetime of a code in seconds. */
const DEVICE_CODE_S = 600;
/** Seconds added to the interval of a client that polls too fast (RFC 8628 section 3.5). */
const SLOWER_S = 5;
/** No vowels, to avoid words, and no letters that look alike (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;
const DEVICE_CODE = /^[\w-]{43}$/;

/** Limits of new codes per network address, and of lookups per account and per network address. */
const ISSUED: Allowance = { times: 30, windowS: DEVICE_CODE_S, what: 'sign-ins from your network' };
const TRIED: Allowance = { times: 20, windowS: DEVICE_CODE_S, what: 'codes' };
const TRIED_BY_SENDER: Allowance = { times: 60, windowS: DEVICE_CODE_S, what: 'codes from your network' };

export interface NewDeviceCode {
  /** The secret of the client. */
  readonly deviceCode: string;
  /** What the person reads and types: `BCDF-GHJK`. */
  readonly userCode: string;
  /** Lifetime in seconds. */
  readonly expiresIn: number;
  /** Seconds between two polls. */
  readonly interval: number;
}

/** A client that asks to sign in. */
export interface DeviceRequest {
  /** Name that the client gives itself; not verified. */
  readonly client_name: string;
  readonly address: string | null;
  readonly asked_at: string;
}

/** Sign-in from the command line (after RFC 8628, the device authorization grant); owns the codes. */
export interface DeviceCodes {
  /** Creates a code. @throws rate_limited if one network address asks for too many */
  issue(client: { name: string; address: string | null; sender: string }): Promise<NewDeviceCode>;
  /**
   * The client that waits with this user code, in any spelling; null if none does. Counts as an attempt of the account
   * and of the network address: throws rate_limited.
   */
  look(userCode: string, account: string, sender: string): Promise<DeviceRequest | null>;
  /**
   * Approves the code for `org`, which the account must be in, or declines it (null). Null if the code is not waiting
   * any more.
   * @throws rate_limited as look() does; too_many_keys and unauthorized leave the code as it was
   */
  decide(userCode: string, account: string, org: string | null, sender: string): Promise<DeviceRequest | null>;
  /**
   * The key, once the code was approved: it is created now, and no other answer contains it.
   * @throws authorization_pending (with interval), access_denied, expired_token, invalid_grant, too_many_keys
   */
  redeem(deviceCode: string, by: { requestId: string; address: string | null }): Promise<NewKey>;
}

interface RequestRow {
  client_name: string;
  address: string | null;
  created_at: Date;
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

/** The device codes of a database. */
export function createDeviceCodes(db: Database): DeviceCodes {
  async function countTry(account: string, sender: string): Promise<void> {
    await countAttempt(db, 'device_account', account, TRIED);
    await countAttempt(db, 'device_sender', sender, TRIED_BY_SENDER);
  }

  return {
    async issue({ name, address, sender }) {
      await countAttempt(db, 'device_issue', sender, ISSUED);
      const deviceCode = randomBytes(32).toString('base64url');
      for (;;) {
        const letters = newUserCode();
        const values = [hashOf(deviceCode), hashOf(letters), name, address, DEVICE_CODE_S];
        const [row] = await db.query(loadQuery('device_put'), values);
        if (!row) continue;
        return { deviceCode, userCode: shown(letters), expiresIn: DEVICE_CODE_S, interval: row.interval_s };
      }
    },

    async look(userCode, account, sender) {
      await countTry(account, sender);
      const letters = readUserCode(userCode);
      if (letters === null) return null;
      const [row] = await db.query(loadQuery('device_look'), [hashOf(letters)]);
      return row ? toRequest(row) : null;
    },

    async decide(userCode, account, org, sender) {
      await countTry(account, sender);
      const letters = readUserCode(userCode);
      if (letters === null) return null;
      return db.transaction(async (tx) => {
        if (org !== null) {
          await tx.query(loadQuery('accounts_lock'), [account]);
          const [member] = await tx.query(loadQuery('org_hold_member'), [org, account]);
          if (!member) throw problem('unauthorized', 'You are no longer in that organization.');
          await requireKeyRoom(tx, account);
        }
        const values = [hashOf(letters), account, org, org !== null] as const;
        const [row] = await tx.query(loadQuery('device_decide'), values);
        return row ? toRequest(row) : null;
      });
    },

    async redeem(deviceCode, by) {
      if (!DEVICE_CODE.test(deviceCode)) throw unknownCode();
      const hash = hashOf(deviceCode);
      // The refusal of a waiting code is returned, not thrown: throwing would roll back the poll it recorded.
      const outcome = await db.transaction(async (tx) => {
        const [row] = await tx.query(loadQuery('device_lock'), [hash]);
        if (!row || row.used) throw unknownCode();
        if (row.approved === false) throw problem('access_denied', 'The person declined the sign-in.');
        if (row.expired) throw problem('expired_token', 'The code expired before it was approved.');
        if (row.approved === null) return wait(tx, hash, row.hasty === true);
        await tx.query(loadQuery('device_used'), [hash]);
        const { account, org, client_name: name } = row as { account: string; org: string; client_name: string };
        return addKey(tx, account, org, name, await personActor(tx, account, by)).catch((error: unknown) => {
          if (asProblem(error)?.code !== 'unauthorized') throw error;
          throw problem('access_denied', 'The person who approved the sign-in is no longer in that organization.');
        });
      });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

async function wait(tx: Queryable, hash: string, hasty: boolean): Promise<Error> {
  const values = [hash, hasty ? SLOWER_S : 0];
  const { interval_s: interval } = only(await tx.query(loadQuery('device_polled'), values));
  const detail = hasty ? 'Polled too soon. Wait longer between requests.' : 'The code is not approved yet.';
  // `error` as RFC 8628 names it: the contract has no code slow_down.
  return problem('authorization_pending', detail, { interval, error: hasty ? 'slow_down' : 'authorization_pending' });
}

/** The actor that creates the key: the person who approved. */
async function personActor(
  tx: Queryable,
  account: string,
  by: { requestId: string; address: string | null },
): Promise<Actor> {
  const row = only(await tx.query(loadQuery('device_account'), [account]));
  return { type: 'person', id: account, name: row.name ?? row.email, ...by };
}

function unknownCode(): Error {
  return problem('invalid_grant', 'The device code is unknown or was already used.');
}

function toRequest(row: RequestRow): DeviceRequest {
  return { client_name: row.client_name, address: row.address, asked_at: row.created_at.toISOString() };
}

function newUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

function shown(letters: string): string {
  return `${letters.slice(0, USER_CODE_LENGTH / 2)}-${letters.slice(USER_CODE_LENGTH / 2)}`;
}

/** The letters of a user code as a person may write it: any case, with or without the hyphen; null if it is not one. */
function readUserCode(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '');
  const known = letters.length === USER_CODE_LENGTH && [...letters].every((letter) => LETTERS.includes(letter));
  return known ? letters : null;
}
