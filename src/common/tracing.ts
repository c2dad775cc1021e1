import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Attributes of a span, besides its name and times. Never an input, a credential or a path with ids. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** OTLP's numbers for span kinds: which side of a call a span is on. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
type Kind = keyof typeof KINDS;

/** A span that has ended. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: (typeof KINDS)[Kind];
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** The span that the current asynchronous context is in. `sampled` false: nothing in it is recorded. */
interface Active {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

interface Tracer {
  readonly take: (span: Span) => void;
  /** Share of the traces started here that are recorded, 0 to 1. */
  readonly ratio: number;
}

/** Null: tracing is off, and everything below only checks this. */
let tracer: Tracer | null = null;
const active = new AsyncLocalStorage<Active>();

/** Whether spans are recorded. */
export const isTracing = (): boolean => tracer !== null;

/** Starts recording: `take` receives each span that ended. Returns the function that stops it. */
export function startRecording(take: Tracer['take'], ratio: number): () => void {
  const mine: Tracer = { take, ratio };
  tracer = mine;
  return () => {
    if (tracer === mine) tracer = null;
    active.disable();
  };
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** Reads a `traceparent` header (W3C Trace Context, version 00); null for any other text. */
export function readTraceparent(header: string | string[] | undefined): Active | null {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? '0', 16) & SAMPLED) === SAMPLED };
}

/** Headers that pass the current trace on to a called service; none when there is no trace. */
export function traceHeaders(): Record<string, string> {
  const now = tracer && active.getStore();
  return now ? { traceparent: `00-${now.traceId}-${now.spanId}-0${now.sampled ? SAMPLED : 0}` } : {};
}

const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A span that has begun and not ended. */
interface OpenSpan {
  /** Runs work inside the span. */
  run<T>(work: () => T): T;
  end(name: string, attributes: Attributes, failed: boolean): void;
}

/** Begins a trace, or continues the one that a caller's `traceparent` names. Null when tracing is off. */
export function beginTrace(traceparent: string | string[] | undefined, kind: Kind): OpenSpan | null {
  if (tracer === null) return null;
  const parent = readTraceparent(traceparent);
  const sampled = parent === null ? Math.random() < tracer.ratio : parent.sampled;
  return begin(parent?.traceId ?? newId(16), parent?.spanId ?? null, kind, sampled);
}

function begin(traceId: string, parentSpanId: string | null, kind: Kind, sampled: boolean): OpenSpan {
  const mine: Active = { traceId, spanId: sampled ? newId(8) : (parentSpanId ?? newId(8)), sampled };
  const start = wall();
  return {
    run: (work) => active.run(mine, work),
    end(name, attributes, failed) {
      if (!sampled) return;
      const { spanId } = mine;
      tracer?.take({ traceId, spanId, parentSpanId, name, kind: KINDS[kind], start, end: wall(), attributes, failed });
    },
  };
}

/** Runs work as a span of the current trace. Just runs it when there is no trace or tracing is off. */
export async function traced<T>(
  name: string,
  { kind = 'internal', ...about }: { readonly kind?: Kind; readonly attributes?: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  const parent = tracer && active.getStore();
  if (!parent?.sampled) return work();
  const span = begin(parent.traceId, parent.spanId, kind, true);
  let failed = true;
  try {
    const result = await span.run(work);
    failed = false;
    return result;
  } finally {
    span.end(name, about.attributes ?? {}, failed);
  }
}

/** Records a span of the current trace that took the last `milliseconds`. */
export function tracedUntilNow(name: string, milliseconds: number, attributes: Attributes): void {
  const parent = tracer && active.getStore();
  if (!parent?.sampled) return;
  const end = wall();
  const { traceId, spanId: parentSpanId } = parent;
  const about = { name, kind: KINDS.internal, start: end - milliseconds, end, attributes, failed: false };
  tracer?.take({ traceId, spanId: newId(8), parentSpanId, ...about });
}

/** Milliseconds since the epoch, finer than Date.now(). */
const wall = (): number => performance.timeOrigin + performance.now();
