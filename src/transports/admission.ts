import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { addressList } from '../address_ranges.ts';
import { ClientGone, type Deadline, startDeadline } from '../deadline.ts';
import type { ProblemError } from '../errors.ts';
import { ANONYMOUS, type Caller } from '../op.ts';
import type { Services } from '../services.ts';
import { addressGroup, clientAddress, countedBy } from './addresses.ts';

/** Takes the headers that tell a client of its limits. */
export type Tell = (headers: Readonly<Record<string, string>>) => void;

type What = 'call' | 'export' | 'tile';

/**
 * How a request is let in, for every transport: from where it comes, who sends it, and whether that one's limit allows
 * it. On a trusted socket nothing is counted.
 */
export class Admission {
  private readonly admit: Services['admit'];
  private readonly proxies: BlockList;

  constructor({ admit, config }: Pick<Services, 'admit' | 'config'>, { trusted = false } = {}) {
    this.admit = trusted ? null : admit;
    this.proxies = addressList(config.TRUSTED_PROXIES);
  }

  /** The address of the client, behind the proxies of the configuration. */
  addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.proxies);
  }

  /** The address, or of an IPv6 address its /64 network, by which attempts at secrets are counted. */
  groupOf(request: IncomingMessage): string {
    return addressGroup(this.addressOf(request));
  }

  /** What a request without a credential is counted by: this machine, or groupOf(). */
  networkOf(request: IncomingMessage): string {
    return countedBy(request, this.proxies);
  }

  /** Counts requests (tenths of a tile) under the limit of a caller or network; returns the refusal, null where they are let in. */
  async count(
    caller: Caller,
    network: string,
    tell: Tell,
    what?: What,
    requests?: number,
  ): Promise<ProblemError | null> {
    const counted = this.admit?.(caller, network, what, requests);
    const admission = counted instanceof Promise ? await counted : counted;
    if (!admission) return null;
    tell(admission.headers);
    return admission.refused;
  }

  /**
   * Finds who calls, and counts the request: under the limit of that caller, or of the network where `identify` throws,
   * so that whoever tries keys is counted like whoever sends none. Throws rate_limited first, then what `identify` throws.
   */
  async enter(identify: () => Promise<Caller>, network: string, tell: Tell): Promise<Entered> {
    let caller: Caller;
    try {
      caller = await identify();
    } catch (error) {
      throw (await this.count(ANONYMOUS, network, tell)) ?? error;
    }
    return { caller, refused: await this.count(caller, network, tell) };
  }

  /** Counts one request without a credential. Throws rate_limited. */
  async enterAnonymous(request: IncomingMessage, tell: Tell): Promise<void> {
    const refused = await this.count(ANONYMOUS, this.networkOf(request), tell);
    if (refused) throw refused;
  }
}

/** Who calls, and the refusal of a request that is over the caller's limit. */
export interface Entered {
  readonly caller: Caller;
  readonly refused: ProblemError | null;
}

/** Starts the clock of a call, which ends, too, when its client leaves. `end` stops both: the call is over. */
export function startCall(
  response: ServerResponse,
  milliseconds: number,
): { readonly deadline: Deadline; end(): void } {
  const deadline = startDeadline(milliseconds);
  const gone = (): void => {
    if (!response.writableFinished) deadline.abort(new ClientGone());
  };
  response.once('close', gone);
  return {
    deadline,
    end() {
      deadline.clear();
      response.off('close', gone);
    },
  };
}
