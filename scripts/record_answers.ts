/**
 * `tsx scripts/record_answers.ts URL KEY FILE` sends about 600 requests to a server with the seed data and records the
 * responses; `… --compare OLD NEW` lists the requests whose responses differ, and exits with 1 if there are any. The
 * requests are derived from the data: the same data gives the same requests. URL is what the server calls itself
 * (BASE_URL). Run it before a release, and before and after a refactoring.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

interface Answer {
  readonly status: number;
  readonly type: string;
  /** Digest of the body without volatile members; for JSON the body itself, so that a reader can compare it. */
  readonly body: unknown;
}

type Answers = Record<string, Answer>;

/** Members that differ between calls, or depend on the server's address. */
const VOLATILE = new Set(
  'request_id retry_after url expires_at loaded_at imported_at created_at as_of last_used_at prefix'.split(' '),
);
/** Longest body in characters that is recorded in full; longer ones are recorded as a digest. */
const LONGEST = 4_000;
const DETAILS = ['low', 'medium', 'high', 'full'];
const FORMATS = ['geojson', 'kml', 'wkt', 'svg', 'gml'];

/** JSON without its volatile members. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, member]) => [name, settled(member)]),
  );
}

const digest = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

async function record(base: string, key: string): Promise<Answers> {
  const answers: Answers = {};
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
  async function ask(method: string, path: string, body?: unknown, keyed = true): Promise<any> {
    const name = `${keyed ? '' : 'without a key: '}${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
    const headers: Record<string, string> = { accept: '*/*' };
    if (keyed) headers.authorization = `Bearer ${key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(base + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    const received = Buffer.from(await response.arrayBuffer());
    // Every requested format is text.
    const text = received.toString().replaceAll(base, 'http://server');
    const settledText = text
      .replace(/\b(usr|org|key)_[0-9A-Z]{26}\b/g, '$1')
      // When a feed's entries were stored.
      .replace(/<updated>[^<]*<\/updated>/g, '');
    const bytes = Buffer.from(settledText);
    const json = /[/+]json\b(?!-)/.test(type) && !/ndjson/.test(type) ? JSON.parse(bytes.toString()) : null;
    const plain = json === null ? null : JSON.stringify(settled(json));
    const short = plain !== null && plain.length <= LONGEST;
    answers[name] = {
      status: response.status,
      type,
      body: short ? JSON.parse(plain) : `${bytes.length} bytes, ${digest(plain ?? bytes)}`,
    };
    return json;
  }
  const id = encodeURIComponent;

  const countries = ['iso:ES', 'iso:US', 'iso:FR', 'iso:LU', 'iso:JP', 'iso:ZA'];
  const places: { id: string; name: string; centroid: { lat: number; lon: number } }[] = [];
  for (const country of countries) {
    const found = await ask('GET', `/v1/boundaries/${id(country)}`);
    if (found?.properties?.centroid) places.push(found.properties);
    const children = await ask('GET', `/v1/boundaries/${id(country)}/children?limit=200`);
    places.push(...(children?.items ?? []));
  }
  const some = places.filter((_, i) => i % Math.ceil(places.length / 45) === 0);
  for (const [i, { id: own, name, centroid }] of some.entries()) {
    await ask('GET', `/v1/boundaries/search?q=${id(name)}`);
    await ask('GET', `/v1/boundaries/search?q=${id(name.toLowerCase().slice(0, -1))}&limit=3`);
    await ask('GET', `/v1/boundaries/${own}?lang=${['en', 'es', 'de'][i % 3]}`);
    await ask('GET', `/v1/boundaries/reverse?lat=${centroid.lat}&lon=${centroid.lon}`);
    await ask('GET', `/v1/boundaries/${own}/children?limit=5`);
    await ask('GET', `/v1/boundaries/${own}/neighbors?limit=5`);
    await ask('GET', `/v1/boundaries/${own}/export?format=${FORMATS[i % 5]}&detail=${DETAILS[i % 4]}`);
    const include = [0, 1, 2].map((step) => some[(i + step) % some.length]?.id);
    await ask('POST', '/v1/boundaries/union', { include, detail: DETAILS[i % 2] });
  }
  const words = ['the provinces of Andalusia', 'Spain without Catalonia', 'counties of Delaware', 'nowhere at all'];
  for (const description of words) await ask('POST', '/v1/areas', { description, detail: 'low' });
  for (const format of ['geojson', 'topojson', 'csv', 'kml', 'gml', 'poly', 'ndjson', 'svg']) {
    await ask('POST', '/v1/collections', { children_of: 'iso:ES-SE', format, detail: 'low' });
  }

  // The response of each operation to no input and to wrong input; operations that write reject GET.
  const { paths } = await ask('GET', '/openapi-rpc.json');
  for (const path of Object.keys(paths).sort()) {
    // Skip operations that count earlier requests.
    if (/get_usage|list_audit/.test(path)) continue;
    await ask('GET', `${path}?input={}`);
    await ask('GET', `${path}?input=${id('{"id":7,"q":[],"no_such_member":true}')}`);
    await ask('GET', `${path}?input={}`, undefined, false);
  }
  return answers;
}

function compare(before: Answers, after: Answers): number {
  let different = 0;
  for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [old, own] = [before[name], after[name]].map((answer) => JSON.stringify(answer ?? 'not asked'));
    if (old === own) continue;
    different++;
    console.log(`${name}\n  before: ${old?.slice(0, 600)}\n  after:  ${own?.slice(0, 600)}`);
  }
  console.log(`${Object.keys(after).length} answers, ${different} of them different`);
  return different;
}

const [first = '', second = '', file = ''] = process.argv.slice(2);
const read = (path: string): Answers => JSON.parse(readFileSync(path, 'utf8'));
if (first === '--compare') process.exitCode = compare(read(second), read(file)) === 0 ? 0 : 1;
else {
  const answers = await record(first.replace(/\/$/, ''), second);
  writeFileSync(file, JSON.stringify(answers, null, 1));
  console.log(`${Object.keys(answers).length} answers in ${file}`);
}
