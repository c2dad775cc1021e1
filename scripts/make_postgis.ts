/**
 * Writes dist/postgis.tar.gz: what an embedded database needs of the PostGIS package, a third of it. Left out are rasters,
 * topologies, geocoders and scripts that upgrade a database, which would be held in memory several times at each start.
 *
 *   npx tsx scripts/make_postgis.ts
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const NEEDED =
  /^(?:lib\/postgresql\/postgis-\d+\.so|share\/proj\/.*|share\/postgresql\/extension\/postgis(?:\.control|--[\d.]+\.sql))$/;
/** Files without which no database can be made. */
const REQUIRED = [/\.so$/, /\/proj\.db$/, /\.control$/, /\.sql$/];
const BLOCK = 512;
/** The type of a plain file in the header of an entry, and where the header has its name, its size and its type. */
const PLAIN = '0';
const [NAME, SIZE, TYPE] = [
  [0, 100],
  [124, 136],
  [156, 157],
] as const;

const require = createRequire(import.meta.url);
const bundle = join(require.resolve('@electric-sql/pglite-postgis'), '..', 'postgis.tar.gz');
const whole = gunzipSync(readFileSync(bundle));
const text = (header: Buffer, [from, to]: readonly [number, number]) =>
  header.toString('latin1', from, to).replace(/\0.*$/s, '');

const kept: Buffer[] = [];
const names: string[] = [];
for (let at = 0; at + BLOCK <= whole.length; ) {
  const header = whole.subarray(at, at + BLOCK);
  const name = text(header, NAME);
  // An archive ends with empty blocks.
  if (name === '') break;
  const size = Number.parseInt(text(header, SIZE), 8);
  if (!Number.isSafeInteger(size)) throw new Error(`${bundle}: the size of ${name} cannot be read`);
  const next = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  if (text(header, TYPE) === PLAIN && NEEDED.test(name)) {
    names.push(name);
    kept.push(whole.subarray(at, next));
  }
  at = next;
}
const lacking = REQUIRED.filter((one) => !names.some((name) => one.test(name)));
if (lacking.length > 0) throw new Error(`${bundle} has no file ${lacking.join(', ')}: its layout has changed`);

const dist = resolve(import.meta.dirname, '..', 'dist');
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'postgis.tar.gz'), gzipSync(Buffer.concat([...kept, Buffer.alloc(2 * BLOCK)])));
