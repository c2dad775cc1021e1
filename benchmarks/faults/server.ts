import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../test/library/s3_server.ts';
import type { BenchServer } from '../http/server.ts';
import { fillDisk, onSmallDisk } from './disk.ts';
import { type Fault, withServer } from './postgres.ts';
import { startRelay } from './proxy.ts';
import { deploymentOf, type FaultEnvironment, injectFault, type Outcome, serve } from './stage.ts';

const BREAKABLE = ['--import', './benchmarks/faults/breakable.mjs'];
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The child processes of a process. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Resolves at an event, ignoring earlier errors. */
const heard = (socket: Socket, event: string): Promise<void> => new Promise((done) => socket.once(event, () => done()));

/** Sends each text over its own connection, and counts the first lines of the responses; closes each after `ms`. */
async function raw(port: number, texts: readonly (string | Buffer)[], ms = 2000): Promise<Map<string, number>> {
  const answers = new Map<string, number>();
  await Promise.all(
    texts.map(async (text) => {
      const socket = connect(port, '127.0.0.1');
      let said = '';
      socket.on('error', () => undefined);
      socket.on('data', (part) => {
        said += part.toString('latin1').slice(0, 200);
      });
      socket.write(text);
      await Promise.race([heard(socket, 'close'), sleep(ms)]);
      socket.destroy();
      const line = /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'closed';
      answers.set(line, (answers.get(line) ?? 0) + 1);
    }),
  );
  return answers;
}

const listed = (answers: ReadonlyMap<string, number>): string =>
  [...answers].map(([line, count]) => `${count} × ${line}`).join(', ');

/** Resident memory of a process in MB. */
const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);

export const SERVER_FAULTS: Readonly<Record<string, Fault>> = {
  'one of two serve processes killed': async (stage) => {
    const server = await serve(stage, { PROCESSES: '2' });
    try {
      return await injectFault(stage, server, async () => {
        for (let round = 0; round < 2; round++) {
          process.kill(childrenOf(server.pid)[0], 'SIGKILL');
          await sleep(3000);
        }
      });
    } finally {
      await server.stop();
    }
  },

  'a pool thread ended': async (stage) => {
    const server = await serve(stage, {}, BREAKABLE);
    try {
      return await injectFault(stage, server, async () => {
        for (let round = 0; round < 4; round++) {
          server.process.send('end last thread');
          await sleep(500);
        }
      });
    } finally {
      await server.stop();
    }
  },

  'DATA_DIR full': (stage) =>
    onSmallDisk(stage.folder, 64, () =>
      withServer(stage, async () => {
        const free = fillDisk(stage.folder);
        await sleep(6000);
        free();
      }),
    ),

  'clock a month forward and back': async (stage) => {
    const file = join(stage.folder, 'clock');
    writeFileSync(file, '+0');
    const env = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const server = await serve(stage, env);
    try {
      const dates: (string | null)[] = [];
      const note = async () => {
        const { headers } = await fetch(`http://127.0.0.1:${server.port}/healthz`);
        dates.push(headers.get('date'));
      };
      const outcome = await injectFault(stage, server, async () => {
        for (const offset of ['+31d', '-31d']) {
          writeFileSync(file, offset);
          await sleep(6000);
          await note();
        }
        writeFileSync(file, '+0');
      });
      return { ...outcome, note: `Date was ${dates.join(', then ')}` };
    } finally {
      await server.stop();
    }
  },

  'clients that read one byte a second': (stage) =>
    // A large response that costs no units.
    slowClients(stage, 'readers', 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n', (socket) => socket.read(1)),

  'clients that send one byte a second': (stage) => {
    const head = 'POST /v1/boundaries/union HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    return slowClients(stage, 'writers', head, (socket) => void socket.write('a'));
  },

  'idle connections, 10,000': async (stage) => {
    const server = await serve(stage);
    const idle: Socket[] = [];
    try {
      let open = 0;
      const outcome = await injectFault(stage, server, async () => {
        for (let i = 0; i < 10_000; i++) {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.on('connect', () => open++);
          idle.push(socket);
          if (i % 100 === 99) await sleep(20);
        }
        await sleep(4000);
      });
      return { ...outcome, note: `${open} open; ${memoryOf(server.pid)} MB` };
    } finally {
      for (const socket of idle) socket.destroy();
      await server.stop();
    }
  },

  'bodies of 1 GB, deep JSON, a million ids, malformed requests': async (stage) => {
    const server = await serve(stage);
    const head = (path: string, about: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stage.key}\r\nContent-Type: application/json\r\n${about}\r\n\r\n`;
    const post = (path: string, body: Buffer | string) =>
      Buffer.concat([Buffer.from(head(path, `Content-Length: ${Buffer.byteLength(body)}`)), Buffer.from(body)]);
    const get = (target: string, about = '') =>
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n${about}Authorization: Bearer ${stage.key}\r\n\r\n`, 'latin1');
    const union = '/v1/boundaries/union';
    const ids = `{"include":[${'"r349044",'.repeat(999_999)}"r349044"]}`;
    const deep = `{"include":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    const bad = [
      get('/v1/boundaries/%'),
      get('/v1/boundaries/%E0%A4%A'),
      get('/v1/boundaries/%00'),
      get('/v1/boundaries/search?q=%FF%FE'),
      get('/v1/boundaries/search?q=%'),
      get('/v1/boundaries/search?q=\xff\xfe'),
      get('//////../../etc/passwd'),
      get(`/v1/boundaries/search?q=${'a'.repeat(60_000)}`),
      get('/v1/boundaries/iso:ES', 'X-Forwarded-For: \xff\x01\r\n'),
      get('/v1/boundaries/iso:ES', 'Content-Length: -1\r\n'),
      get('/v1/boundaries/iso:ES', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'),
      get('/v1/boundaries/iso:ES', `${'X-A: b\r\n'.repeat(5000)}`),
      post(union, Buffer.from('{"include":["\xff\xfe"]}', 'latin1')),
      post(union, '{"include":["\\ud800"]}'),
      Buffer.from('\x16\x03\x01\x02\x00\x01\x00'),
      Buffer.from('GET / HTTP/9.9\r\n\r\n'),
    ];
    const said: string[] = [];
    try {
      const outcome = await injectFault(stage, server, async () => {
        said.push(`malformed: ${listed(await raw(server.port, bad))}`);
        said.push(`deep: ${listed(await raw(server.port, [post(union, deep)]))}`);
        said.push(`a million ids: ${listed(await raw(server.port, [post(union, ids)]))}`);
        said.push(`1 GB: ${listed(await gigabyte(server.port, head(union, 'Content-Length: 1000000000')))}`);
        said.push(
          `1 GB in chunks: ${listed(await gigabyte(server.port, head(union, 'Transfer-Encoding: chunked'), true))}`,
        );
      });
      return { ...outcome, note: `${said.join('; ')}; ${memoryOf(server.pid)} MB` };
    } finally {
      await server.stop();
    }
  },

  'memory limited to 1 GiB, one of two processes takes all of it': (stage) =>
    inGroup(2 ** 30, async (group) => {
      const server = await serve(stage, { PROCESSES: '2' }, group.node);
      try {
        let calm = 0;
        const outcome = await injectFault(stage, server, async () => {
          await heavy(stage, server);
          calm = group.usedMb();
          process.kill(childrenOf(server.pid)[0], 'SIGUSR2');
          await sleep(6000);
        });
        return { ...outcome, note: `${calm} MB under heavy calls; then ${group.ended()} ended by the kernel` };
      } finally {
        await server.stop();
      }
    }),

  'blob store down, slow, failing': async (stage) => {
    const s3 = await startS3();
    const relay = await startRelay(Number(new URL(new URL(s3.url).searchParams.get('endpoint') as string).port));
    const server = await serve(stage, {
      STORAGE_URL: s3.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${relay.port}`),
    });
    try {
      return await injectFault(stage, server, async () => {
        relay.delay(500);
        await sleep(3000);
        relay.delay(0);
        relay.shut();
        await sleep(5000);
        relay.open();
      });
    } finally {
      await server.stop();
      await relay.close();
      await s3.close();
    }
  },

  'boundary work killed': async (stage) => {
    const server = await serve(stage, { JOBS_AT_ONCE: '0' });
    try {
      return await injectFault(stage, server, async () => {
        for (let round = 0; round < 4; round++) {
          const worker = startWork(stage);
          await sleep(round === 3 ? 6000 : 1500 + 300 * round);
          if (round < 3) worker.kill('SIGKILL');
          else setTimeout(() => worker.kill('SIGTERM'), 30_000).unref();
        }
      });
    } finally {
      await server.stop();
    }
  },

  'serve killed and started again': (stage) => killed(stage),
};

/** Kills the server and starts a new one in its place, as systemd does. */
async function killed(stage: FaultEnvironment): Promise<Outcome> {
  const first = await serve(stage);
  let second = first;
  try {
    return await injectFault(
      stage,
      first,
      async () => {
        const ended = once(first.process, 'exit');
        first.process.kill('SIGKILL');
        await ended;
        second = await serve(stage, { PORT: String(first.port) });
      },
      () => deploymentOf(first, stage),
    );
  } finally {
    await second.stop();
  }
}

/** Processes with a common memory limit, in a cgroup (version 1). */
interface Group {
  /** The command prefix with which a Node process joins the group before it loads anything. */
  readonly node: readonly string[];
  /** Peak memory of the group so far, in MB. */
  usedMb(): number;
  /** How many of its processes the kernel killed for lack of memory. */
  ended(): number;
}

async function inGroup(bytes: number, harm: (group: Group) => Promise<Outcome>): Promise<Outcome> {
  const folder = '/sys/fs/cgroup/memory/boundary-faults';
  execFileSync('mkdir', ['-p', folder]);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes));
  const enters = `import{writeFileSync}from'node:fs';writeFileSync('${folder}/cgroup.procs',String(process.pid))`;
  try {
    return await harm({
      node: ['--import', `data:text/javascript,${encodeURIComponent(enters)}`, ...BREAKABLE],
      usedMb: () => Math.round(Number(read('memory.max_usage_in_bytes')) / 1e6),
      ended: () => Number(/oom_kill (\d+)/.exec(read('memory.oom_control'))?.[1]),
    });
  } finally {
    execFileSync('rmdir', [folder]);
  }
}

/** Keeps 32 large calls in flight for four seconds; their operations are not among those whose units are compared. */
async function heavy({ key }: FaultEnvironment, { port }: BenchServer): Promise<void> {
  const all = { children_of: 'iso:ES', levels: 'all' };
  const body = JSON.stringify({ a: all, b: all });
  const end = performance.now() + 4000;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/crosswalk`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
    }
  };
  await Promise.allSettled(Array.from({ length: 32 }, one));
}

/** Starts a `boundary work` for a stage. */
function startWork({ env }: FaultEnvironment): ChildProcess {
  const settings = { JOB_LEASE_MS: '3000', JOB_PART: '4', LOG_LEVEL: 'warn', ...env };
  return spawn(process.execPath, ['dist/src/main.js', 'work'], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
}

/** Sends a gigabyte, or as much as the server accepts before it closes the connection. */
async function gigabyte(port: number, head: string, chunked = false): Promise<Map<string, number>> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOpen = false;
  });
  socket.on('data', (part) => {
    said += part.toString('latin1').slice(0, 200);
  });
  socket.write(head);
  const part = Buffer.alloc(1_000_000, ' ');
  let sent = 0;
  for (; sent < 1000 && isOpen; sent++) {
    const bytes = chunked ? Buffer.concat([Buffer.from('f4240\r\n'), part, Buffer.from('\r\n')]) : part;
    if (!socket.write(bytes)) await Promise.race([heard(socket, 'drain'), heard(socket, 'close'), sleep(3000)]);
    if (said !== '') break;
  }
  socket.destroy();
  return new Map([[`${/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'closed'} after ${sent} MB`, 1]]);
}

/** Faults of a server with the embedded database. */
export const EMBEDDED_FAULTS: Readonly<Record<string, (stage: FaultEnvironment) => Promise<Outcome>>> = {
  "the embedded database's thread ended": async (stage) => {
    const server = await serve(stage, {}, BREAKABLE);
    try {
      return await injectFault(stage, server, async () => {
        server.process.send('end first thread');
        await sleep(3000);
      });
    } finally {
      await server.stop();
    }
  },

  'embedded: serve killed and started again': (stage) => killed(stage),

  'embedded: memory limited to 2 GiB, all of it taken, and started again': (stage) =>
    inGroup(2 * 2 ** 30, async (group) => {
      const first = await serve(stage, {}, group.node);
      let second = first;
      try {
        let calm = 0;
        const harm = async (): Promise<void> => {
          await heavy(stage, first);
          calm = group.usedMb();
          const ended = once(first.process, 'exit');
          first.process.kill('SIGUSR2');
          await ended;
          second = await serve(stage, { PORT: String(first.port) }, group.node);
        };
        const outcome = await injectFault(stage, first, harm, () => deploymentOf(first, stage));
        return { ...outcome, note: `${calm} MB under heavy calls; then ${group.ended()} ended by the kernel` };
      } finally {
        await second.stop();
      }
    }),

  'embedded: DATA_DIR full': (stage) =>
    withServer(stage, async () => {
      const free = fillDisk(stage.folder);
      await sleep(6000);
      free();
    }),
};

/** Opens 300 connections that send a head, read nothing, and make one step per second. */
async function slowClients(
  stage: FaultEnvironment,
  what: string,
  head: string,
  step: (socket: Socket) => unknown,
): Promise<Outcome> {
  const server = await serve(stage);
  const slow: Socket[] = [];
  try {
    const outcome = await injectFault(stage, server, async () => {
      for (let i = 0; i < 300; i++) {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(head);
        socket.pause();
        slow.push(socket);
      }
      for (let second = 0; second < 8; second++) {
        await sleep(1000);
        for (const socket of slow) step(socket);
      }
    });
    return { ...outcome, note: `300 ${what}; ${memoryOf(server.pid)} MB` };
  } finally {
    for (const socket of slow) socket.destroy();
    await server.stop();
  }
}
