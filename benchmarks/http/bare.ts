/** `bare.ts FILE PORT`: a Koa server with one route that sends one buffer: the upper bound for any service on Koa. */
import { readFileSync } from 'node:fs';
import Koa from 'koa';

const [file, port] = process.argv.slice(2);
const body = readFileSync(file);
const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/geo+json';
  ctx.body = body;
});
app.listen(Number(port), '127.0.0.1');
