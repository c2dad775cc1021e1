import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FileFetchError } from '../../src/adapters/file_address.ts';
import { fetchFile } from '../../src/adapters/file_fetch.ts';

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251));
const SHA = createHash('sha256').update(FILE).digest('hex');

let server: Server;
let base = '';
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: IncomingMessage[] = [];
const folders: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
afterEach(() => {
  asked = [];
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'boundary-fetch-test-'));
  folders.push(made);
  return made;
}

/** Bytes of a file that the last call of `get` has. */
let arrived = 0;

const get = (path: string, { onProgress, ...more }: Partial<Parameters<typeof fetchFile>[1]> = {}) =>
  fetchFile(base + path, {
    ...{ maxBytes: 1e6, allowPrivate: true, userAgent: 'test', pauseMs: 5, ...more },
    onProgress(name, bytes, total) {
      arrived = bytes;
      onProgress?.(name, bytes, total);
    },
  });

/** What went wrong; fails when nothing did. */
async function refusal(fetching: Promise<unknown>): Promise<string> {
  const error = await fetching.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FileFetchError);
  return (error as Error).message;
}

/** Answers with FILE as a server with ranges does; the first `breaks` answers break off after a third of it. */
function serveRanges(breaks: number, tag = '"one"'): void {
  answer = (request, response) => {
    const { range, 'if-range': condition, 'if-none-match': known } = request.headers;
    if (known === tag) return void response.writeHead(304).end();
    const start = range && condition === tag ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0;
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Length': FILE.length - start,
      ETag: tag,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${FILE.length - 1}/${FILE.length}` } : {}),
    });
    if (asked.length > breaks) return void response.end(FILE.subarray(start));
    arrived = start;
    const end = start + FILE.length / 3;
    response.write(FILE.subarray(start, end));
    // Of an answer that breaks off before it was read, nothing would be there to go on from.
    const watch = setInterval(() => arrived >= end && response.destroy(), 5);
    response.once('close', () => clearInterval(watch));
  };
}

describe('a file fetched by HTTP', () => {
  test('goes on where the connection broke', async () => {
    serveRanges(1);
    const seen: number[] = [];
    const { path, remove } = await get('/x/towns.gpkg', { onProgress: (_, bytes) => seen.push(bytes) });
    expect(readFileSync(path).equals(FILE)).toBe(true);
    expect(path).toMatch(/towns\.gpkg$/);
    expect(asked.map(({ headers }) => headers.range ?? null)).toEqual([null, `bytes=${FILE.length / 3}-`]);
    expect(seen.at(-1)).toBe(FILE.length);
    remove();
    expect(existsSync(path)).toBe(false);
  });

  test('starts over when it changed between the two parts', async () => {
    serveRanges(1);
    const before = answer;
    answer = (request, response) => {
      if (asked.length > 1) serveRanges(0, '"two"');
      (asked.length > 1 ? answer : before)(request, response);
    };
    const { path, remove } = await get('/towns.gpkg');
    expect(readFileSync(path).equals(FILE)).toBe(true);
    remove();
  });

  test('goes on in a later call where it is kept, and is not fetched twice', { timeout: 60_000 }, async () => {
    const keep = folder();
    serveRanges(1);
    const first = answer;
    answer = (request, response) => (asked.length === 1 ? first(request, response) : void response.destroy());
    expect(await refusal(get('/towns.gpkg', { keep }))).toMatch(/cannot be fetched: .*the same command goes on there/);
    expect(readdirSync(keep).filter((name) => !name.startsWith('.'))).toEqual([]);
    asked = [];
    serveRanges(0);
    const { path, remove } = await get('/towns.gpkg', { keep, sha256: SHA });
    expect(asked.map(({ headers }) => headers.range)).toEqual([`bytes=${FILE.length / 3}-`]);
    expect(readFileSync(path).equals(FILE)).toBe(true);
    asked = [];
    expect((await get('/towns.gpkg', { keep, sha256: SHA })).path).toBe(path);
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual(['"one"']);
    remove();
    expect(existsSync(path)).toBe(true);
    writeFileSync(path, 'changed by hand');
    expect(await refusal(get('/towns.gpkg', { keep, sha256: SHA }))).toMatch(/has the SHA-256 [0-9a-f]{64}, not/);
    expect(existsSync(path)).toBe(false);
  });

  test.each([
    ['/too-long', { maxBytes: FILE.length - 1 }, /at least 300000 bytes; --max-bytes allows 299999|more than/],
    ['/wrong', { sha256: '0'.repeat(64) }, /has the SHA-256/],
    ['/private', { allowPrivate: false }, /127\.0\.0\.1 is not an address of the public internet: --allow-private/],
  ])('is refused: %s', async (path, options, message) => {
    serveRanges(0);
    expect(await refusal(get(path, options))).toMatch(message);
  });

  test('is refused where a name or a redirect leads to a private address', async () => {
    const { port } = server.address() as AddressInfo;
    const options = { maxBytes: 1e6, allowPrivate: false, userAgent: 'test' };
    const named = await refusal(fetchFile(`http://localhost:${port}/x`, options));
    expect(named).toMatch(/localhost is not an address of the public internet/);
    expect(asked).toEqual([]);
    answer = (_, response) => void response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
    expect(await refusal(get('/away'))).toMatch(/only http and https are followed/);
  });

  test('longer than said without a length is refused at the limit', async () => {
    answer = (_, response) => {
      response.writeHead(200);
      for (let k = 0; k < 20; k++) response.write(FILE);
      response.end();
    };
    expect(await refusal(get('/long'))).toMatch(/--max-bytes allows 1000000/);
  });

  test.each([
    '<!DOCTYPE html><html>',
    '\ufeff\n <html lang="en">',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">',
  ])('that is a web page is refused: %j', async (page) => {
    answer = (_, response) => void response.writeHead(200, { 'Content-Type': 'application/zip' }).end(page);
    expect(await refusal(get('/data.zip'))).toMatch(/answered a web page .*not a file/);
  });

  test('that is XML is taken', async () => {
    answer = (_, response) => void response.end('<?xml version="1.0"?><kml/>');
    const { path, remove } = await get('/a.kml');
    expect(readFileSync(path, 'utf8')).toContain('<kml/>');
    remove();
  });

  test('that is not there is refused at once', async () => {
    answer = (_, response) => void response.writeHead(404).end();
    expect(await refusal(get('/none'))).toMatch(/answers with the status 404/);
    expect(asked.length).toBe(1);
  });

  test('waits as the server asks, and tries again', async () => {
    serveRanges(0);
    const good = answer;
    answer = (request, response) =>
      asked.length === 1 ? void response.writeHead(503, { 'Retry-After': '0' }).end() : good(request, response);
    const { path, remove } = await get('/busy.zip');
    expect(readFileSync(path).equals(FILE)).toBe(true);
    remove();
  });

  test.each([
    ['/d?id=1', { 'Content-Disposition': 'attachment; filename="../../a b.zip"' }, 'a b.zip'],
    ['/d', { 'Content-Disposition': "attachment; filename*=UTF-8''kommuner%20%C3%A5.gpkg" }, 'kommuner å.gpkg'],
    ['/export', { 'Content-Type': 'application/geo+json; charset=utf-8' }, 'export.geojson'],
    ['/', { 'Content-Type': 'application/zip' }, 'download.zip'],
    ['/..%2f..%2fetc%2fpasswd', {}, 'passwd'],
  ])('is named as the server says: %s', async (path, headers, name) => {
    answer = (_, response) => void response.writeHead(200, headers as Record<string, string>).end('x');
    const keep = folder();
    const fetched = await get(path, { keep });
    expect(fetched.path).toBe(join(keep, name));
  });

  test('comes through the proxy of the environment', async () => {
    answer = (_, response) => void response.end('through the proxy');
    const tunnels: (string | undefined)[] = [];
    server.on('connect', ({ url }, socket) => {
      tunnels.push(url);
      const { port } = server.address() as AddressInfo;
      const through = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      through.pipe(socket).pipe(through);
    });
    process.env.http_proxy = base;
    try {
      const options = { maxBytes: 1e6, allowPrivate: false, userAgent: 'test' };
      const { path, remove } = await fetchFile('http://data.example/towns.zip', options);
      expect(readFileSync(path, 'utf8')).toBe('through the proxy');
      expect(tunnels).toEqual(['data.example:80']);
      remove();
    } finally {
      delete process.env.http_proxy;
    }
  });
});

test('a file that cannot be written ends the download with that error, also while the server is waited for', async () => {
  answer = (_request, response) => {
    response.write(FILE.subarray(0, 2_000));
    setTimeout(() => response.end(FILE.subarray(2_000)), 200);
  };
  const keep = folder();
  const id = createHash('sha256').update(`${base}/blocked`).digest('hex').slice(0, 16);
  mkdirSync(join(keep, `.${id}.part`));
  await expect(get('/blocked', { keep })).rejects.toMatchObject({ code: 'EISDIR' });
});

test('files of one name from two addresses are kept beside each other, and neither is taken for the other', async () => {
  const contents: Readonly<Record<string, Buffer>> = {
    '/2022/communes.csv': FILE.subarray(0, 1_000),
    '/2023/communes.csv': FILE.subarray(5),
  };
  answer = (request, response) => {
    const { url = '', headers } = request;
    if (headers['if-none-match'] === '"of-this-address"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"of-this-address"' }).end(contents[url]);
  };
  const keep = folder();
  writeFileSync(join(keep, 'communes.csv'), 'of the person');
  for (const _ of [1, 2]) {
    const files = await Promise.all(Object.keys(contents).map((path) => get(path, { keep })));
    expect(files.map(({ path }) => readFileSync(path).length)).toEqual(
      Object.values(contents).map((one) => one.length),
    );
  }
  expect(readFileSync(join(keep, 'communes.csv'), 'utf8')).toBe('of the person');
  expect(asked.filter(({ headers }) => 'if-none-match' in headers)).toHaveLength(2);
});

test('a name that is too long for a folder is cut between letters, and keeps its extension', async () => {
  answer = (_, response) => void response.end(FILE);
  const keep = folder();
  // 3 bytes a letter.
  const { path } = await get(`/${encodeURIComponent(`${'界'.repeat(120)}.geojson`)}`, { keep });
  expect(basename(path)).toMatch(/^界{30,}\.geojson$/);
  expect(readFileSync(path).equals(FILE)).toBe(true);
  expect(basename((await get(`/${'a'.repeat(400)}.parquet`)).path)).toMatch(/^a{30,}\.parquet$/);
});
