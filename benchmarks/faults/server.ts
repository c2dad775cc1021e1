import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../test/library/s3_server.ts';
import { gigabyte, heavy, listed, raw, slowClients } from './clients.ts';
import { fillDisk, onSmallDisk } from './disk.ts';
import { BREAKABLE, inGroup, memoryOf } from './memory.ts';
import { type Fault, withServer } from './postgres.ts';
import { startRelay } from './proxy.ts';
import { killed } from './restart.ts';
import { type FaultEnvironment, injectFault, serve } from './stage.ts';

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The child processes of a process. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

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

/** Starts a `boundary work` for a stage. */
function startWork({ env }: FaultEnvironment): ChildProcess {
  const settings = { JOB_LEASE_MS: '3000', JOB_PART: '4', LOG_LEVEL: 'warn', ...env };
  return spawn(process.execPath, ['dist/src/main.js', 'work'], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
}
