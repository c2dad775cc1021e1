import { SingleFlight } from '../common/single_flight.ts';
import type { Attributes, Span } from '../common/tracing.ts';

/** How spans are exported. */
export interface OtlpOptions {
  /** URL of the collector, without `/v1/traces` and without a trailing slash. */
  readonly endpoint: string;
  /** Sent with every request, such as credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this process. */
  readonly resource: Attributes;
  /** Called at most once a minute when spans were lost, with the total so far. */
  readonly onLost: (error: unknown, spans: number) => void;
  /** Milliseconds that spans wait to be sent together; 2,000 when absent. */
  readonly waitMs?: number;
  /** Milliseconds that the collector may take to answer; 5,000 when absent. */
  readonly deadlineMs?: number;
}

/** Sends spans to a collector. */
export interface Otlp {
  readonly take: (span: Span) => void;
  /** Spans that were not delivered, because the queue was full or the collector did not accept them. */
  readonly lost: number;
  /** Sends what is queued, and stops. */
  close(): Promise<void>;
}

/** Limit of the spans in the queue. Further spans are lost, so that an unreachable collector costs no memory. */
const MOST_WAITING = 4096;
const BATCH = 512;
const WAIT_MS = 2000;
const DEADLINE_MS = 5000;
const MINUTE_MS = 60_000;

/**
 * Opens an exporter of OTLP over HTTP in JSON (opentelemetry.io/docs/specs/otlp): one request at a time, of at most 512
 * spans. Spans that the collector does not accept within 5 s are lost and counted: tracing never delays what it traces.
 */
export function openOtlp(options: OtlpOptions): Otlp {
  const url = `${options.endpoint}/v1/traces`;
  const resource = { attributes: attributesOf(options.resource) };
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | null = null;
  const sending = new SingleFlight<void>();
  let lost = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function lose(spans: number, error: unknown): void {
    lost += spans;
    if (performance.now() - reportedAt < MINUTE_MS) return;
    reportedAt = performance.now();
    options.onLost(error, lost);
  }

  async function post(spans: readonly Span[]): Promise<void> {
    try {
      const scopeSpans = [{ scope: { name: 'boundary-lookup' }, spans: spans.map(written) }];
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...options.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        // The headers contain credentials: do not send them to another host.
        redirect: 'error',
        signal: AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
    } catch (error) {
      lose(spans.length, error);
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await post(waiting.splice(0, BATCH));
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    return sending.run('', sendAll);
  }

  return {
    take(span) {
      if (closed || waiting.length >= MOST_WAITING) {
        lose(1, new Error('too many spans wait'));
        return;
      }
      waiting.push(span);
      if (waiting.length >= BATCH) void flush();
      else timer ??= setTimeout(() => void flush(), options.waitMs ?? WAIT_MS).unref();
    },
    get lost() {
      return lost;
    },
    async close() {
      closed = true;
      // One more request is sent; a collector that is down must not delay the shutdown.
      const last = waiting.splice(0, BATCH);
      lost += waiting.length;
      waiting = [];
      if (timer) clearTimeout(timer);
      await sending.running('');
      if (last.length > 0) await post(last);
    },
  };
}

/** Parses OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values percent-encoded. */
export function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);

const FAILED = 2;

function written({ start, end, attributes, failed, parentSpanId, ...span }: Span): object {
  return {
    ...span,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    status: failed ? { code: FAILED } : {},
  };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
