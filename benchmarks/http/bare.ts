/**
 * `bare.ts FILE PROCESSES PORT`: a Koa server with one route that sends one buffer: the upper bound for any service on
 * Koa. With several processes, it shows how much they slow each other down on this machine.
 */
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import Koa from 'koa';

const [file, processes, port] = process.argv.slice(2);
if (cluster.isPrimary && Number(processes) > 1) {
  for (let i = 0; i < Number(processes); i++) cluster.fork();
} else {
  const body = readFileSync(file);
  const app = new Koa();
  app.use((ctx) => {
    ctx.type = 'application/geo+json';
    ctx.body = body;
  });
  app.listen(Number(port), '127.0.0.1');
}
