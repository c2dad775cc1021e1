import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}

/** A collector of traces on loopback that does as it is told. */
export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  /** Of each request: path, Content-Type and credentials. */
  readonly requests: { readonly path: string; readonly type?: string; readonly authorization?: string }[];
  /** The status of its answers; 0: it never answers. */
  status: number;
  close(): Promise<void>;
}

/** Starts it. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { 'content-type': type, authorization } = request.headers;
    collector.requests.push({ path: request.url ?? '', type, authorization });
    if (collector.status === 0) return;
    if (collector.status === 200) {
      for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
        for (const { spans } of scopeSpans) collector.spans.push(...spans);
      }
    }
    response.writeHead(collector.status).end('{}');
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    status: 200,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return collector;
}
