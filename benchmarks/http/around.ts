/**
 * `around.ts FILE PORT`: a Koa server that does what any service has to do around an answer, but finds nothing: it
 * matches a route, reads the query or the JSON body, writes a body of the file's size that is new to each request, its
 * ETag and our headers. It knows no caller, counts nothing and limits nothing: no service with our answers on Koa can
 * be faster.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { EVERY_ANSWER } from '../../src/transports/http/direct.ts';

const [file, port] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  ...EVERY_ANSWER,
  'Boundary-Data': new Date().toISOString(),
  Vary: 'Authorization, Accept-Language, Accept-Encoding, Boundary-Data',
  'Cache-Control': 'private, no-cache',
};
let answered = 0;

function answer(context: Context): void {
  const own = Buffer.allocUnsafe(body.length);
  body.copy(own);
  own.write(String(answered++));
  context.set(headers);
  context.set('ETag', `"${hash('sha256', own, 'hex')}"`);
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
router.post('/', async (context) => {
  const { include } = (await json(context.req)) as { readonly include?: unknown };
  if (!Array.isArray(include)) context.throw(400);
  answer(context);
});
const app = new Koa();
app.use(router.routes());
app.listen(Number(port), '127.0.0.1');
