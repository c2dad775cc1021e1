import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { bundle } from '../../src/backup/bundle.ts';
import { supportCommands } from '../../src/cli/operator/support.ts';
import { defined } from '../../src/common/elements.ts';
import { createLogger, readableLine, recentLines } from '../../src/common/log.ts';
import { loadConfig, shownSettings } from '../../src/config.ts';
import { openTestServer, type TestServer } from './test_server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The samples of http_requests_total: `route status` to their value. */
async function requests(): Promise<Record<string, number>> {
  const page = await server.services.metrics.page();
  const samples = [...page.matchAll(/^http_requests_total\{route="([^"]*)",status="(\d+)"\} (\d+)$/gm)];
  return Object.fromEntries(samples.map(([, route, status, value]) => [`${route} ${status}`, Number(value)]));
}

describe('requests', () => {
  test('are counted by the pattern of their route and their status', async () => {
    await server.ask('GET', '/healthz');
    await server.ask('GET', '/v1/boundaries/search?q=Ulm');
    await server.ask('GET', '/v1/boundaries/search');
    await server.ask('POST', '/v1/ops/echo', { json: { q: 'Ulm' } });
    await server.ask('POST', '/v1/ops/no_such_op', { json: {} });
    await server.ask('DELETE', '/healthz');
    for (let i = 0; i < 20; i++) await server.ask('GET', `/nowhere/${i}`);
    await server.ask('GET', '/v1/boundaries/%zz');
    await expect.poll(requests).toMatchObject({
      '/healthz 200': 1,
      '/healthz 405': 1,
      '/v1/boundaries/search 200': 1,
      '/v1/boundaries/search 400': 1,
      '/v1/ops/* 200': 1,
      '/v1/ops/* 404': 1,
      'none 404': 20,
      'none 400': 1,
    });
    // The values of the label are patterns: nothing that a client writes.
    expect(Object.keys(await requests()).filter((name) => /nowhere|zz|Ulm/.test(name))).toEqual([]);
  });

  test('for what does not exist are logged without query and secrets, at most 60 a minute', async () => {
    const found = () =>
      server.logged.filter((line) => line.includes('"msg":"not found"')).map((line) => JSON.parse(line));
    await server.ask('GET', '/admin/bnd_0123456789abcdef?token=sesame');
    await expect.poll(() => found().at(-1)).toMatchObject({ method: 'GET', path: '/admin/bnd_[redacted]' });
    expect(server.logged.join('')).not.toMatch(/sesame|0123456789abcdef/);
    await server.ask('GET', `/oauth/authorize/${'Aa1-'.repeat(11)}/x`);
    await expect.poll(() => found().at(-1)).toMatchObject({ path: '/oauth/authorize/[redacted]/x' });
    for (let i = 0; i < 200; i++) await server.ask('GET', `/probe/${i}`);
    // Two minutes may begin meanwhile.
    expect(found().length).toBeLessThanOrEqual(180);
    expect(found().length).toBeGreaterThan(20);
  });
});

describe('a log', () => {
  test('is JSON off a terminal, and the last lines are kept', () => {
    const written: string[] = [];
    const log = createLogger('info', { write: (line) => void written.push(line) });
    log.debug('not written');
    for (let i = 0; i < 600; i++) log.info({ i, token: 'sesame' }, 'line');
    expect(written).toHaveLength(600);
    expect(JSON.parse(defined(written[7]))).toMatchObject({ level: 30, i: 7, msg: 'line', token: '[redacted]' });
    const kept = recentLines(log);
    expect(kept).toHaveLength(500);
    expect(JSON.parse(defined(kept[0]))).toMatchObject({ i: 100 });
  });

  test('is lines for people on a terminal, which cannot steer it', () => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line) => void lines.push(readableLine(line)) });
    log.warn({ job: 'job_1', attempts: 2 }, 'a job failed');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN a job failed job=job_1 attempts=2\n$/);
    log.info({ path: '/a\u001b[2Jb\nc' }, 'not found');
    expect(lines[1]).toContain('INFO not found path=/a\\u001b[2Jb\\u000ac\n');
    log.error({ err: new TypeError('it broke') }, 'internal error');
    expect(lines[2]).toMatch(/ERROR internal error\nTypeError: it broke\n +at /);
  });
});

describe('a support bundle', () => {
  const SECRETS = {
    DATABASE_URL: 'postgres://planted-user:planted-password@db.internal/boundaries?sslkey=planted-parameter',
    MIGRATE_DATABASE_URL: 'postgres://planted-owner:planted-word@db.internal/boundaries',
    SMTP_URL: 'smtp://planted-mailer:planted-mail-password@mail.internal:587',
    STORAGE_URL: 's3://bucket/maps/planted-prefix?endpoint=https://planted-endpoint.internal',
    UPSTREAM_URL: 'https://planted-name:planted-pass@overpass.internal/api/planted-path',
    UPSTREAM_CONTACT: 'planted-contact@example.org',
    MAIL_FROM: 'Planted Sender <planted-sender@example.org>',
    METRICS_TOKEN: 'planted-metrics-token',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20planted-collector-token',
    SECRET_KEYS: 'planted-secret-key-one,planted-secret-key-two',
    AREA_PLANNER_URL: 'https://planner.internal/v1',
    AREA_PLANNER_KEY: 'planted-planner-key',
    STRIPE_SECRET_KEY: 'planted-stripe-key',
    STRIPE_WEBHOOK_SECRET: 'planted-stripe-secret',
    BOUNDARY_API_KEY: 'bnd_planted',
  };

  test('has versions, settings, figures and log lines, and none of the secrets that were planted', async () => {
    const config = loadConfig(SECRETS);
    const log = createLogger('info', { write: () => undefined });
    const made = await server.key({ email: 'planted-person@example.org' });
    log.warn(
      { err: new Error(`refused ${SECRETS.DATABASE_URL} for ${made.key}`), email: 'planted-person@example.org' },
      'x',
    );
    log.info(`planted-person@example.org sent Bearer planted-bearer-token and ${SECRETS.BOUNDARY_API_KEY}`);
    const ready = async () => ({ ready: true, checks: {} });
    const app = { services: { ...server.services, config, log, ready } } as unknown as App;
    const files = await supportCommands.support_texts.run(app, {}, () => undefined);
    const texts = Object.fromEntries(
      Object.entries(files as Record<string, string[]>).map(([name, lines]) => [name, `${lines.join('\n')}\n`]),
    );
    const folder = mkdtempSync(join(tmpdir(), 'boundary-bundle-'));
    try {
      const path = join(folder, 'bundle.tar.gz');
      writeFileSync(path, await bundle(texts));
      const names = execFileSync('tar', ['tzf', path], { encoding: 'utf8' }).trim().split('\n');
      expect(names.sort()).toEqual([
        'database.json',
        'log.jsonl',
        'metrics.txt',
        'migrations.json',
        'ready.json',
        'settings.json',
        'tables.json',
        'versions.json',
      ]);
      const all = execFileSync('tar', ['xzOf', path], { encoding: 'utf8', maxBuffer: 2 ** 26 });
      expect(all).not.toMatch(/planted/i);
      expect(all).not.toContain(made.key);
      for (const [key] of await server.services.db
        .query<{ value: string }>('select value from secret')
        .then((rows) => rows.map(({ value }) => [value])))
        expect(all).not.toContain(key);
      expect(JSON.parse(defined(texts['settings.json']))).toMatchObject({
        DATABASE_URL: 'postgres://db.internal/boundaries',
        METRICS_TOKEN: 'set',
        SECRET_KEYS: 'set',
        STORAGE_URL: 's3://bucket/maps',
        PORT: 8080,
      });
      expect(texts['migrations.json']).toContain('000001_boundaries.sql');
      expect(JSON.parse(defined(texts['database.json'])).extensions).toHaveProperty('postgis');
      expect(texts['metrics.txt']).toContain('# TYPE http_requests_total counter');
      expect(defined(texts['log.jsonl']).trim().split('\n')).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('of nothing that is set says that it is not', () => {
    expect(shownSettings(loadConfig({}))).toMatchObject({
      SECRET_KEYS: 'not set',
      METRICS_TOKEN: null,
      UPSTREAM_URL: [],
    });
  });
});
