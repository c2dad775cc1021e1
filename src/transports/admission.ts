import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { addressList } from '../common/address_ranges.ts';
import { ClientDisconnected, type Deadline, startDeadline } from '../core/deadline.ts';
import type { ProblemError } from '../core/errors.ts';
import { ANONYMOUS, type Caller } from '../core/op.ts';
import type { Services } from '../services.ts';
import { addressGroup, clientAddress, countedBy } from './addresses.ts';

/** Receives the rate limit headers for the client. */
export type SetHeaders = (headers: Readonly<Record<string, string>>) => void;

type What = 'call' | 'export' | 'tile';

/**
 * Admits requests, for every transport: finds the client's address and its caller, and applies the caller's rate limit.
 * Nothing is counted on a trusted socket.
 */
export class Admission {
  private readonly admit: Services['admit'];
  private readonly proxies: BlockList;

  constructor({ admit, config }: Pick<Services, 'admit' | 'config'>, { trusted = false } = {}) {
    this.admit = trusted ? null : admit;
    this.proxies = addressList(config.TRUSTED_PROXIES);
  }

  /** The client's address, as seen behind the configured proxies. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.proxies);
  }

  /** The address, or the /64 network of an IPv6 address. Attempts to guess secrets are counted by it. */
  groupOf(request: IncomingMessage): string {
    return addressGroup(this.addressOf(request));
  }

  /** The key by which requests without a credential are counted: this machine, or `groupOf`. */
  networkOf(request: IncomingMessage): string {
    return countedBy(request, this.proxies);
  }

  /**
   * Counts requests (tiles: in tenths) under the limit of a caller or network. Returns the refusal; null if admitted.
   */
  async count(
    caller: Caller,
    network: string,
    setHeaders: SetHeaders,
    what?: What,
    requests?: number,
  ): Promise<ProblemError | null> {
    const counted = this.admit?.(caller, network, what, requests);
    const admission = counted instanceof Promise ? await counted : counted;
    if (!admission) return null;
    setHeaders(admission.headers);
    return admission.refused;
  }

  /**
   * Identifies the caller and counts the request under the caller's limit. When `identify` throws, the request counts
   * for the network, so guessing keys is limited like anonymous use.
   * @throws rate_limited first, then what `identify` throws
   */
  async enter(identify: () => Promise<Caller>, network: string, setHeaders: SetHeaders): Promise<Admitted> {
    let caller: Caller;
    try {
      caller = await identify();
    } catch (error) {
      throw (await this.count(ANONYMOUS, network, setHeaders)) ?? error;
    }
    return { caller, refused: await this.count(caller, network, setHeaders) };
  }

  /** Counts one request without a credential. @throws rate_limited */
  async enterAnonymous(request: IncomingMessage, setHeaders: SetHeaders): Promise<void> {
    const refused = await this.count(ANONYMOUS, this.networkOf(request), setHeaders);
    if (refused) throw refused;
  }
}

/** The caller, and the refusal of a request that is over the caller's limit. */
export interface Admitted {
  readonly caller: Caller;
  readonly refused: ProblemError | null;
}

/** Starts the deadline of a call, which also ends when the client disconnects. Call `end` when the call is over. */
export function startCall(
  response: ServerResponse,
  milliseconds: number,
): { readonly deadline: Deadline; end(): void } {
  const deadline = startDeadline(milliseconds);
  const disconnected = (): void => {
    if (!response.writableFinished) deadline.abort(new ClientDisconnected());
  };
  response.once('close', disconnected);
  return {
    deadline,
    end() {
      deadline.clear();
      response.off('close', disconnected);
    },
  };
}
