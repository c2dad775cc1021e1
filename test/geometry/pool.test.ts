import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { startDeadline } from '../../src/core/deadline.ts';
import { ProblemError } from '../../src/core/errors.ts';
import { ByteCache } from '../../src/geometry/cache.ts';
import { GeometryPool } from '../../src/geometry/pool.ts';
import type { RenderTask } from '../../workers/tasks/render.ts';
import { archipelagos, COMMON, handleOf, oneSquare, zigzag } from './large.ts';

const poolOf = (threads: number, maxQueue?: number) =>
  new GeometryPool({ threads, maxQueue, heap: handleOf(COMMON), common: COMMON.table });

/** Work for many seconds, were it let. */
const HEAVY = archipelagos(90_000);
const gone = new Error('gone');
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('one thread', () => {
  let pool: GeometryPool;
  beforeAll(async () => {
    pool = poolOf(1, 2);
    // From here on the thread is there.
    await pool.run('render', oneSquare());
  });
  afterAll(() => pool.close());

  it('a task that no one waits for any more frees its thread, which goes on with the next', async () => {
    const before = { ...pool.counts };
    const controller = new AbortController();
    const lost = pool.run('merge', HEAVY, controller.signal);
    const next = pool.run('render', oneSquare());
    expect([pool.active, pool.queued]).toEqual([1, 1]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort(gone);
    await expect(lost).rejects.toBe(gone);
    expect((await next).kind).toBe('bytes');
    expect(pool.counts).toEqual({ ...before, canceled: before.canceled + 1, completed: before.completed + 1 });
    expect([pool.active, pool.queued]).toEqual([0, 0]);
  });

  it('one that still waits leaves the queue at once and never runs', async () => {
    const before = { ...pool.counts };
    const controllers = [new AbortController(), new AbortController()];
    const [running, waiting] = controllers.map(({ signal }) => pool.run('merge', HEAVY, signal));
    const ended = Promise.allSettled([running, waiting]);
    defined(controllers[1]).abort(gone);
    await expect(waiting).rejects.toBe(gone);
    expect([pool.active, pool.queued]).toEqual([1, 0]);
    defined(controllers[0]).abort(gone);
    await ended;
    expect(pool.counts).toEqual({ ...before, canceled: before.canceled + 2 });
  });

  it('a call whose time is over learns whether it was computed or still waited', async () => {
    const cache = new ByteCache<{ documents: { size: number } }>(1e6, ['documents']);
    const computed = startDeadline(400);
    const waited = startDeadline(400);
    const shared = startDeadline(400);
    const begun = pool.run('merge', HEAVY, computed.signal);
    // Work that is shared with others has a signal of its own.
    const make = async (signal: AbortSignal) => {
      await pool.run('render', oneSquare(), signal);
      return { size: 1 };
    };
    const outcomes = await Promise.allSettled([
      begun,
      pool.run('render', oneSquare(), waited.signal),
      cache.getOrMake('documents', 'one', make, shared.signal),
    ]);
    expect(outcomes.map((one) => one.status === 'rejected' && one.reason.code)).toEqual([
      'too_large',
      'rate_limited',
      'rate_limited',
    ]);
    const joined = startDeadline(400);
    const heavy = (signal: AbortSignal) => pool.run('merge', HEAVY, signal).then(() => ({ size: 1 }));
    await expect(cache.getOrMake('documents', 'two', heavy, joined.signal)).rejects.toMatchObject({
      code: 'too_large',
    });
    await until(() => pool.active === 0);
  });

  it('a full queue answers at once, and what waits is done in order', async () => {
    const controller = new AbortController();
    const running = pool.run('merge', HEAVY, controller.signal);
    const done: number[] = [];
    const waiting = [0, 1].map((i) => pool.run('render', oneSquare()).then(() => done.push(i)));
    expect(pool.isFull).toBe(true);
    const { refused } = pool.counts;
    const problem = await pool.run('render', oneSquare()).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ProblemError);
    expect(problem).toMatchObject({ code: 'rate_limited', message: 'server at capacity', extra: { retry_after: 1 } });
    expect([pool.counts.refused, done]).toEqual([refused + 1, []]);
    controller.abort(gone);
    await expect(running).rejects.toBe(gone);
    await Promise.all(waiting);
    expect(done).toEqual([0, 1]);
    expect(pool.isFull).toBe(false);
  });

  it('a task that fails is reported, and leaves its place', async () => {
    const { failed } = pool.counts;
    const broken = {
      ...oneSquare(),
      rings: { refs: Int32Array.of(0), ringEnd: Uint32Array.of(1), polygonEnd: Uint32Array.of(1) },
      format: 'none',
    };
    await expect(pool.run('render', broken as unknown as RenderTask)).rejects.toThrow();
    expect([pool.counts.failed, pool.active]).toEqual([failed + 1, 0]);
  });

  it('small work gives the same bytes in the caller as in a thread', async () => {
    const { small } = pool.counts;
    const merge = archipelagos(20);
    const results = [await pool.run('merge', merge), pool.runSmall('merge', merge)];
    expect(results[0]).toMatchObject({ kind: 'bytes' });
    expect(results[1]).toEqual({ ...results[0], bytes: expect.anything() });
    const text = results.map((result) => (result.kind === 'bytes' ? Buffer.from(result.bytes).toString() : ''));
    expect(text[0]).toMatch(/^MULTIPOLYGON\(/);
    expect(text[1]).toBe(text[0]);
    expect(pool.counts.small).toBe(small + 1);
  });

  it('what cannot be sent is refused while it is written', async () => {
    const whole = await pool.run('render', oneSquare());
    const size = whole.kind === 'bytes' ? whole.bytes.length : 0;
    expect(await pool.run('render', { ...oneSquare(), maxBytes: size })).toMatchObject({ kind: 'bytes' });
    for (const format of ['geojson', 'kml', 'wkt', 'gml', 'svg'] as const) {
      expect(await pool.run('render', { ...oneSquare(), format, maxBytes: 30 })).toMatchObject({ kind: 'too_large' });
    }
    // Four vertices need more than ten bytes in any text: that is known before a byte is written.
    expect(await pool.run('render', { ...oneSquare(), maxBytes: 10 })).toEqual({ kind: 'too_large', bytes: 16 });
  });
});

it('flags are not shared: a long task runs on while many others come, go and are given up', async () => {
  const pool = poolOf(2);
  try {
    await Promise.all([pool.run('render', oneSquare()), pool.run('render', oneSquare())]);
    const controller = new AbortController();
    const long = pool.run('merge', HEAVY, controller.signal);
    let ended = false;
    long
      .catch(() => undefined)
      .finally(() => {
        ended = true;
      });
    for (let round = 0; round < 40; round++) {
      const given = Array.from({ length: 10 }, () => new AbortController());
      const tasks = given.map(({ signal }) => pool.run('render', oneSquare(), signal));
      given.forEach((one, i) => {
        if (i % 2) one.abort(gone);
      });
      const outcomes = await Promise.allSettled(tasks);
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5);
    }
    expect([ended, pool.active, pool.counts.killed]).toEqual([false, 1, 0]);
    controller.abort(gone);
    await expect(long).rejects.toBe(gone);
    await until(() => pool.active === 0);
  } finally {
    await pool.close();
  }
});

it('tasks of jobs run in threads of their own at the lowest priority, and are never refused', async () => {
  const pool = poolOf(2, 0);
  const jobs = pool.inBackground();
  const controller = new AbortController();
  try {
    const priorities = () =>
      readdirSync('/proc/self/task').flatMap((task) => {
        try {
          const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
          // The 19th field; the second, the name, is in brackets (proc(5)).
          return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
        } catch {
          // The thread of an earlier test ended since it was listed.
          return [];
        }
      });
    const lowest = () => priorities().filter((nice) => nice === 19).length;
    const before = lowest();
    expect((await jobs.run('render', oneSquare())).kind).toBe('bytes');
    expect(lowest()).toBeGreaterThan(before);
    // A job's tasks are more than its threads, and calls do not wait for them.
    const begun = [0, 1].map(() => jobs.run('merge', HEAVY, controller.signal));
    expect([pool.active, pool.queued, pool.isFull]).toEqual([1, 1, false]);
    expect((await pool.run('render', oneSquare())).kind).toBe('bytes');
    // Nor does a job take a thread that calls wait for, or meet their bound.
    begun.push(...[0, 1].map(() => pool.run('merge', HEAVY, controller.signal)));
    expect([pool.active, pool.queued, pool.isFull]).toEqual([3, 1, true]);
    const more = jobs.run('render', oneSquare(), controller.signal);
    expect([pool.active, pool.queued]).toEqual([3, 2]);
    controller.abort(gone);
    const ended = await Promise.allSettled([...begun, more]);
    expect(ended.map((one) => one.status === 'rejected' && one.reason)).toEqual(Array(5).fill(gone));
    expect([pool.active, pool.queued]).toEqual([0, 0]);
  } finally {
    await pool.close();
  }
});

it('work that cannot look at its flag loses its thread, and the next task gets a new one', async () => {
  const pool = new GeometryPool({ threads: 1, heap: handleOf(COMMON), common: COMMON.table, killAfterMs: 20 });
  try {
    await pool.run('render', oneSquare());
    const given = zigzag(2_000_000);
    // GEOS checks it for many seconds. When it has begun is not seen from here: so the wait grows until it has.
    for (let wait = 1_000; pool.counts.killed === 0 && wait < 20_000; wait *= 2) {
      const controller = new AbortController();
      const lost = pool.run('overlayMerge', given, controller.signal);
      setTimeout(() => controller.abort(gone), wait);
      await expect(lost).rejects.toBe(gone);
    }
    expect(pool.counts.killed).toBe(1);
    expect((await pool.run('render', oneSquare())).kind).toBe('bytes');
    expect([pool.active, pool.queued]).toEqual([0, 0]);
  } finally {
    await pool.close();
  }
}, 60_000);
