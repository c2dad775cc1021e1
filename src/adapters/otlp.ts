import type { Attributes, Span } from '../tracing.ts';

/** Where spans go. */
export interface OtlpOptions {
  /** Of the collector, without `/v1/traces` and a slash at the end. */
  readonly endpoint: string;
  /** Sent with every request: credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of this process. */
  readonly resource: Attributes;
  /** Told at most once a minute, when spans were lost. */
  readonly onLost: (error: unknown, spans: number) => void;
  /** Milliseconds that spans wait for others to be sent with; 2,000 when absent. */
  readonly waitMs?: number;
  /** Milliseconds that the collector may take to answer; 5,000 when absent. */
  readonly deadlineMs?: number;
}

/** Sends spans to a collector. */
export interface Otlp {
  readonly take: (span: Span) => void;
  /** Spans that were not delivered: the queue was full, or the collector did not take them. */
  readonly lost: number;
  /** Sends what waits, and ends. */
  close(): Promise<void>;
}

/** Spans that wait; more are lost, so that a collector that is down costs no memory. */
const MOST_WAITING = 4096;
const BATCH = 512;
const WAIT_MS = 2000;
const DEADLINE_MS = 5000;
const MINUTE_MS = 60_000;

/**
 * An exporter of OTLP over HTTP in JSON (opentelemetry.io/docs/specs/otlp): one request at a time, of at most 512 spans.
 * What a collector does not take within 5 s is lost, and counted: traces never hold up what they are of.
 */
export function openOtlp(options: OtlpOptions): Otlp {
  const url = `${options.endpoint}/v1/traces`;
  const resource = { attributes: attributesOf(options.resource) };
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let lost = 0;
  let told = Number.NEGATIVE_INFINITY;
  let closed = false;

  function lose(spans: number, error: unknown): void {
    lost += spans;
    if (performance.now() - told < MINUTE_MS) return;
    told = performance.now();
    options.onLost(error, lost);
  }

  async function post(spans: readonly Span[]): Promise<void> {
    try {
      const scopeSpans = [{ scope: { name: 'boundary-lookup' }, spans: spans.map(written) }];
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...options.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        // With credentials, nowhere else.
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
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    return sending;
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
      // What one request takes is sent; a collector that is down does not hold up the end.
      const last = waiting.splice(0, BATCH);
      lost += waiting.length;
      waiting = [];
      if (timer) clearTimeout(timer);
      await sending;
      if (last.length > 0) await post(last);
    },
  };
}

/** Reads OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values percent-encoded. */
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
