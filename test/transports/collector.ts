import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span in OTLP/JSON. */
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

/** A trace collector on loopback with configurable behavior. */
export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  /** Path, Content-Type and credentials of each request. */
  readonly requests: { readonly path: string; readonly type?: string; readonly authorization?: string }[];
  /** The status of its responses; 0: it never responds. */
  status: number;
  close(): Promise<void>;
}

/** Starts a collector. */
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
