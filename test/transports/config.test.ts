import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/common/config_error.ts';
import { createLogger, maskSecrets } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';

describe('the environment', () => {
  test('nothing set gives the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      BASE_URL: 'http://127.0.0.1:8080',
      DATA_DIR: '.data',
      CACHE_BYTES: 256 * 2 ** 20,
      ARC_CACHE_BYTES: 512 * 2 ** 20,
      SEARCH_BYTES: 256 * 2 ** 20,
      MAX_RESPONSE_BYTES: 64 * 2 ** 20,
      EXPORT_BYTES: 10 * 2 ** 30,
      REQUEST_DEADLINE_MS: 30_000,
      UPSTREAM_URL: [],
      UPSTREAM_REQUESTS_PER_DAY: 5000,
      UPSTREAM_WAIT_MS: 2000,
      LOG_LEVEL: 'info',
      CHECK_OUTPUT: false,
    });
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
    expect(loadConfig({}).WORKER_THREADS).toBeGreaterThan(0);
  });

  test('values are read as what they are', () => {
    const config = loadConfig({
      PORT: '0',
      HOST: '::1',
      BASE_URL: 'https://maps.example/sub/',
      DATABASE_URL: 'postgres:///maps?host=/run/postgresql',
      UPSTREAM_URL: 'https://a.example/api, https://b.example/api',
      TRUSTED_PROXIES: '10.0.0.0/8,::1',
      STORAGE_URL: 's3://bucket/prefix',
      SECRET_KEYS: 'x'.repeat(16),
    });
    expect(config).toMatchObject({
      PORT: 0,
      BASE_URL: 'https://maps.example/sub',
      UPSTREAM_URL: ['https://a.example/api', 'https://b.example/api'],
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    });
    expect(loadConfig({ HOST: '::1', PORT: '80' }).BASE_URL).toBe('http://[::1]:80');
    expect(loadConfig({ HOST: '0.0.0.0' }).BASE_URL).toBe('http://localhost:8080');
  });

  test('a replica is one of a database that is named, too', () => {
    const DATABASE_REPLICA_URL = 'postgres://replica/maps';
    expect(() => loadConfig({ DATABASE_REPLICA_URL })).toThrow('DATABASE_REPLICA_URL needs DATABASE_URL');
    expect(loadConfig({ DATABASE_URL: 'postgres://primary/maps', DATABASE_REPLICA_URL })).toMatchObject({
      DATABASE_REPLICA_URL,
    });
  });

  test.each([
    ['256MiB', 256 * 2 ** 20],
    ['256 MiB', 256 * 2 ** 20],
    ['1gib', 2 ** 30],
    ['64KiB', 65_536],
    ['2TiB', 2 ** 41],
    ['0', 0],
    ['1000', 1000],
  ])('a size may have a unit: %s', (text, bytes) => {
    expect(loadConfig({ CACHE_BYTES: text }).CACHE_BYTES).toBe(bytes);
  });

  const wrong: [string, string][] = [
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['WORKER_THREADS', '0'],
    ['CACHE_BYTES', '256 megabytes'],
    ['CACHE_BYTES', '256M'],
    ['CACHE_BYTES', '-1MiB'],
    ['CACHE_BYTES', '9999999999TiB'],
    ['MAX_RESPONSE_BYTES', '1e6'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'secret-password'],
    ['BASE_URL', 'maps.example'],
    ['UPSTREAM_URL', 'https://a.example,nonsense'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['STORAGE_URL', '/var/files'],
    ['SMTP_URL', 'mail.example:25'],
    ['METRICS_TOKEN', 'short'],
    ['SECRET_KEYS', 'secret-password'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-password'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=a%0d%0aother:b'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'always'],
    ['REQUEST_DEADLINE_MS', '0'],
  ];
  test.each(wrong)('%s=%s stops the start with one line that names it and not its value', (name, value) => {
    let message = '';
    try {
      loadConfig({ [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toMatch(new RegExp(`^${name} must `));
    expect(message).not.toContain('\n');
    if (value.length > 5) expect(message).not.toContain(value);
  });

  test('all wrong values are named in the one line', () => {
    expect(() => loadConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT must .*; LOG_LEVEL must /);
  });
});

describe('the log', () => {
  function capture(write: (log: ReturnType<typeof createLogger>) => void): string {
    let text = '';
    const sink = new Writable({
      write(line, _encoding, done) {
        text += line;
        done();
      },
    });
    write(createLogger('info', sink));
    return text;
  }

  test('secrets are taken out wherever they stand', () => {
    const key = 'bnd_live_abcdefghijklmnopqrstuvwxyz0123456789';
    const text = capture((log) => {
      log.info({ headers: { authorization: `Bearer ${key}`, cookie: 'session=1', host: 'x' } }, 'request');
      log.info({ account: { id: 'usr_1', email: 'ada@example.org' }, key }, 'made');
      log.info({ req: { headers: { 'set-cookie': 'a=b' } }, email: 'ada@example.org', token: 'abc-token' });
      const error = Object.assign(new Error(`duplicate key (ada@example.org) ${key} at postgres://u:pass1@h/d`), {
        detail: 'Key (email)=(eve@example.org)',
        parameters: ['pass1'],
        code: '23505',
      });
      log.error({ err: error }, 'failed');
      log.error({ err: new Error('outer', { cause: error }) }, 'failed');
      log.error({ err: 'thrown text with ada@example.org' }, 'failed');
    });
    expect(text).not.toMatch(/bnd_live_|session=1|@example\.org|a=b|abc-token|pass1/);
    expect(text).toContain('"code":"23505"');
    expect(text).toContain('usr_1');
    expect(text).toContain('config.test.ts');
  });

  test('the level is kept to, and lines are JSON with a time', () => {
    const text = capture((log) => {
      log.debug('hidden');
      log.info({ op: 'echo' }, 'shown');
    });
    expect(JSON.parse(text)).toMatchObject({ level: 30, op: 'echo', msg: 'shown', time: expect.stringMatching(/Z$/) });
  });

  test('masking leaves ordinary text alone', () => {
    expect(maskSecrets('relation/62422 at 52.5,13.4 (r62422)')).toBe('relation/62422 at 52.5,13.4 (r62422)');
  });

  test.each([
    ['to <ada.b@mail.example.org>, eve@x.org: no', 'to <[email]>, [email]: no'],
    ['a@b a@b.c@d.e', 'a@b [email]@d.e'],
    ['s3://key:secret@host/x and postgres://u:p:w@h', 's3://[redacted]@host/x and postgres://[redacted]@h'],
    ['failed: https://a.example:8080/b?token=c, then', 'failed: https://a.example:8080/b?[redacted], then'],
    ['{"url":"pg://u:p@db.internal/x?k=v","n":1}', '{"url":"pg://[redacted]@db.internal/x?[redacted]","n":1}'],
    ['authorization: Bearer  abc.def==', 'authorization: Bearer [redacted]'],
  ])('masking %j', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});
