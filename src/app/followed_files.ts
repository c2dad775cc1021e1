/** Files of the library that follow their boundaries: made again after an import or update. */
import { repeat } from '../common/repeat.ts';
import { asOutage, asProblem, problem } from '../core/errors.ts';
import type { Context } from '../core/op.ts';
import { backoffSeconds } from '../domain/backoff.ts';
import { DataMoved } from '../domain/boundaries/reads.ts';
import {
  type Claimed,
  claimFollowing,
  extendFollowing,
  keepFollowing,
  postpone,
  renewFollowing,
} from '../domain/library/following.ts';
import { notFollowed } from '../domain/library/watched.ts';
import { requireRole } from '../domain/people/members.ts';
import { ArcsMoved } from '../geometry/arc_leases.ts';
import { withMade } from '../ops/library/made.ts';
import { planAgain } from '../ops/library/made_again.ts';
import { boundedReads, changesSince, MOST_READS, madeOf } from '../ops/library/made_of.ts';
import type { Services } from '../services.ts';

/** Milliseconds after which a file takes too long to make; its units are reserved for longer. */
const MOST_MS = 1_200_000;
const RESERVED_MS = 1_800_000;
/** Seconds until a file is tried again: after a change of the data meanwhile, and most after failures. */
const SOON_S = 1;
const MOST_S = 86_400;
const FIRST_S = 60;

/** The abort reason of a file that another process has, or that follows no longer. */
class ClaimOver extends Error {}

/**
 * Makes all files again that follow and whose boundaries changed, one after the other, each by one process, which extends
 * its claim meanwhile. Returns how many were looked at. A file that cannot be made stays as it is, says why, and is tried
 * again later.
 */
export async function renewFollowed(services: Services, signal: AbortSignal): Promise<number> {
  for (let looked = 0; ; looked++) {
    signal.throwIfAborted();
    const claimed = await claimFollowing(services.db, services.config.JOB_LEASE_MS / 1000);
    if (claimed === null) return looked;
    await renewOne(services, claimed, signal);
  }
}

async function renewOne(services: Services, claimed: Claimed, stopping: AbortSignal): Promise<void> {
  const { db, log, config } = services;
  const { id: file, org } = claimed;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stopping]);
  const slow = setTimeout(() => over.abort(problem('too_large', 'Making the file took too long.')), MOST_MS);
  slow.unref();
  const heartbeat = repeat(
    Math.max(250, config.JOB_LEASE_MS / 3),
    async () => {
      const held = await extendFollowing(db, claimed, config.JOB_LEASE_MS / 1000);
      if (!held) over.abort(new ClaimOver('another process has the file, or it follows no longer'));
    },
    (err) => log.warn({ err, file }, 'the claim of a file that follows was not extended'),
  );
  try {
    await lookAt(services, claimed, signal);
  } catch (thrown) {
    if (stopping.aborted) return await postpone(db, claimed, 0, null);
    const error: unknown = over.signal.aborted ? over.signal.reason : thrown;
    if (error instanceof ClaimOver) return;
    if (error instanceof DataMoved || error instanceof ArcsMoved) return await postpone(db, claimed, SOON_S, null);
    const known = asProblem(error) ?? asOutage(error) ?? problem('internal_error', 'Something failed on our side.');
    log.warn({ err: error, file, org }, 'a file that follows was not made again');
    const seconds = Math.min(MOST_S, FIRST_S * backoffSeconds(Math.min(20, claimed.attempts + 1)));
    await postpone(db, claimed, seconds, { code: known.code, detail: known.message });
  } finally {
    clearTimeout(slow);
    await heartbeat.stop();
  }
}

async function lookAt(all: Services, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const services = { ...all, engine: all.engine.inBackground() };
  const { db, billing, fileBlobs, boundaries } = services;
  // What this process reads from now on is at least as new.
  const dataAt = await boundaries.recordedAt();
  if (dataAt === null || dataAt <= claimed.checked_at.toISOString()) return postpone(db, claimed, SOON_S, null);
  const ctx = await contextOf(services, claimed, signal);
  const refusal = notFollowed(claimed);
  if (refusal !== null) throw problem('invalid_input', `It cannot be made again: ${refusal}.`);
  const watched = (await madeOf(ctx, [claimed.id])).get(claimed.id);
  if (watched !== undefined) {
    const { boundaries: own, parents, country } = watched;
    // Boundaries that left a parent or a level are seen by the parent's own change, and by that of any level.
    const wider = { boundaries: [...own, ...parents], parents, country, admin_level: null };
    const since = claimed.checked_at.toISOString();
    const read = await boundedReads(ctx, new Map([[claimed.id, { ...wider, since }]]), MOST_READS.file);
    // Where too much would have to be read, it is made again, whether it changed or not.
    if (read.size > 0 && (await changesSince(ctx, read, 1)).size === 0) return keepFollowing(db, claimed, dataAt);
  }
  const plan = await planAgain(ctx, claimed);
  const org = claimed.org;
  const deadline = Date.now() + RESERVED_MS;
  const reservation = await billing.reserve({
    ...{ org, op: 'update_file', units: plan.units, deadline },
    ...(ctx.caller.org === null ? {} : { plan: ctx.caller.org.plan }),
  });
  let settled = false;
  try {
    await withMade(ctx, claimed.format, await plan.make(), async ({ sha256 }, put) => {
      const { boundary, version } = plan;
      const renewed = { boundary, version, sha256, dataAt };
      const done = await renewFollowing(db, fileBlobs, claimed, renewed, put, async (tx) => {
        if (!(await billing.settleIn(tx, reservation))) throw problem('too_large', 'Making the file took too long.');
        settled = true;
      });
      const { format } = claimed;
      if (done && sha256 !== claimed.sha256) await fileBlobs.release({ sha256: claimed.sha256, format, bytes: 0 });
    });
  } catch (error) {
    settled = false;
    throw error;
  } finally {
    if (!settled) await billing.refund(reservation);
  }
}

/** A call by the creator of a file, with their role of now: their organization pays. @throws unauthorized */
async function contextOf(services: Services, { id, org, creator }: Claimed, signal: AbortSignal): Promise<Context> {
  const member = creator === null ? null : await services.jobs.creatorOf({ account: creator, org });
  if (member === null) throw problem('unauthorized', 'Its creator is no longer in the organization.');
  const { id: account, email, name, slug, plan, role } = member;
  requireRole(role, 'member');
  return {
    caller: {
      account: { id: account, email, name },
      org: { id: org, slug, plan },
      role,
      credential: null,
      operator: false,
    },
    ...{ requestId: id, address: null, signal, deadline: Number.MAX_SAFE_INTEGER, transport: 'rpc' },
    ...{ services, baseUrl: services.config.BASE_URL, headers: {} },
  };
}
