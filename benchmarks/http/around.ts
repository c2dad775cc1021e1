/**
 * `around.ts FILE PORT`: a Koa server that does what any service has to do around an answer, but finds nothing: it
 * matches a route, reads the query or the JSON body, writes a body of the file's size that is new to each request, its
 * ETag and our headers. At /export it also keeps the body as a file beside FILE, under its hash. It knows no caller,
 * counts nothing and limits nothing: no service with our answers on Koa can be faster.
 */
import { hash, randomUUID } from 'node:crypto';
import { readFileSync, rename as renameFile, writeFile as writeNewFile } from 'node:fs';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { EVERY_ANSWER } from '../../src/transports/http/direct.ts';

const [writeFile, rename] = [promisify(writeNewFile), promisify(renameFile)];
const [file, port] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  ...EVERY_ANSWER,
  'Boundary-Data': new Date().toISOString(),
  Vary: 'Authorization, Accept-Language, Accept-Encoding, Boundary-Data',
  'Cache-Control': 'private, no-cache',
};
let answered = 0;

/** The file's bytes, but for a number that is new to each request. */
function written(): Buffer {
  const own = Buffer.allocUnsafe(body.length);
  body.copy(own);
  own.write(String(answered++));
  return own;
}

function answer(context: Context, own = written(), sha256 = hash('sha256', own, 'hex')): void {
  context.set(headers);
  context.set('ETag', `"${sha256}"`);
  if (context.fresh) context.status = 304;
  else {
    context.type = 'application/json';
    context.body = own;
  }
}

const router = new Router();
router.get('/', (context) => {
  if (Number.isNaN(Number(context.query.lat ?? 0) + Number(context.query.lon ?? 0))) context.throw(400);
  answer(context);
});
router.get('/export', async (context) => {
  if (Number.isNaN(Number(context.query.tolerance_m ?? 0))) context.throw(400);
  const own = written();
  const sha256 = hash('sha256', own, 'hex');
  const draft = join(dirname(file), randomUUID());
  await writeFile(draft, own, { flag: 'wx', mode: 0o600 });
  await rename(draft, join(dirname(file), `${sha256}.kept`));
  answer(context, own, sha256);
});
router.post('/', async (context) => {
  const { include } = (await json(context.req)) as { readonly include?: unknown };
  if (!Array.isArray(include)) context.throw(400);
  answer(context);
});
const app = new Koa();
app.use(router.routes());
app.listen(Number(port), '127.0.0.1');
