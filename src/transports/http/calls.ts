import type { IncomingMessage } from 'node:http';
import { defined } from '../../common/elements.ts';
import { type Answer, sameTag } from '../../core/answer.ts';
import type { Deadline } from '../../core/deadline.ts';
import { asProblem } from '../../core/errors.ts';
import { invoke } from '../../core/invoke.ts';
import type { AnyOp, BodyStream, Bytes, Caller, Context as OpContext } from '../../core/op.ts';
import type { Services } from '../../services.ts';
import { Admission, startCall } from '../admission.ts';
import { bytesRead } from '../body.ts';
import { identify, readCookie } from '../credentials.ts';
import { weigher } from '../weigh.ts';
import type { Exchange } from './exchange.ts';
import { incoming } from './incoming.ts';
import { type BodyPlace, LargeBodies } from './large_bodies.ts';
import { takeAnyTime } from './listen.ts';
import type { Outgoing } from './outgoing.ts';
import { pinnedInput } from './pinned.ts';
import { codingFor, gzipText, isNegotiable, negotiated, represent, weakTag } from './representation.ts';

const JSON_TYPE = 'application/json';

/** Runs an operation for a request and sends its answer. If it throws, nothing was sent yet. */
export type Call = (
  exchange: Exchange,
  op: AnyOp,
  transport: 'http' | 'rpc',
  decode: () => Promise<Record<string, unknown>>,
  /** Media type of a body that the operation reads as a stream. */
  intake?: string,
) => Promise<void>;

/** Bytes of a body that count as one request. */
const BYTES_A_REQUEST = 1024 * 1024;

/** Idle timeout in milliseconds of the sender or reader of a body. */
export const STALLED_MS = 30_000;

/**
 * Returns the function that runs an operation for a request: authenticate, rate limit, invoke, send. `invoke` decodes
 * the input.
 */
export function createCalls(
  services: Services,
  outgoing: Outgoing,
  { trusted = false, stalledMs = STALLED_MS }: { readonly trusted?: boolean; readonly stalledMs?: number },
): Call {
  const admission = new Admission(services, { trusted });
  const bodies = trusted ? null : new LargeBodies();
  return async (exchange, op, transport, decode, intakeType) => {
    const { request, response } = exchange;
    const started = performance.now();
    const network = admission.networkOf(request);
    let who: Caller;
    let place: BodyPlace | undefined;
    try {
      who = await admitCaller(exchange, services, trusted, admission);
      place = bodies?.placeFor(request, who, network);
    } catch (error) {
      const code = asProblem(error)?.code ?? 'internal_error';
      services.metrics.called(op.name, transport, code, (performance.now() - started) / 1000, 0);
      throw error;
    }
    const { deadline, end } = startCall(response, services.config.REQUEST_DEADLINE_MS);
    const weigh = weigher(services, who, network, (limits) => exchange.setAll(limits)) ?? (async () => undefined);
    const read = async (): Promise<Record<string, unknown>> => {
      try {
        return pinnedInput(request, op, await decode());
      } finally {
        deadline.restart();
        await weigh(1 + Math.floor(bytesRead(request) / BYTES_A_REQUEST), 'any');
      }
    };
    try {
      const address = admission.addressOf(request);
      const noted = (bytes: number): void => {
        // An answer that is being sent already holds little of the body.
        if (!response.headersSent) place?.note(bytes);
      };
      const intake = intakeType === undefined ? undefined : intakeOf(request, intakeType, stalledMs, deadline, noted);
      const of = { services, outgoing, who, network, address, transport, deadline, intake };
      const context = new HttpContext(exchange, of);
      const answer = await invoke(op, read, context, deadline.ending);
      if (answer.stream)
        await sendStream(exchange, op, { ...answer, stream: answer.stream }, { who, outgoing, deadline });
      else send(exchange, op, answer, who);
    } finally {
      place?.leave();
      end();
    }
  };
}

/**
 * Streams the request's body. The deadline of the call pauses while the sender is waited for. `noted` is called with the
 * bytes that have come so far.
 */
function intakeOf(
  request: IncomingMessage,
  contentType: string,
  stalledMs: number,
  deadline: Deadline,
  noted: (bytes: number) => void,
): BodyStream {
  takeAnyTime(request);
  const waits = (waiting: boolean): void => (waiting ? deadline.clear() : deadline.restart());
  const length = request.headers['content-length'];
  return {
    contentType,
    chunks: counted(incoming(request, stalledMs, waits), noted),
    ...(length !== undefined && { announced: Number(length) }),
  };
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  noted: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    noted(bytes);
    yield chunk;
  }
}

/** Context of a call over HTTP. A class, because an object with getters is slow to create for each request. */
class HttpContext implements OpContext {
  readonly services: Services;
  readonly caller: Caller;
  readonly requestId: string;
  readonly address: string | null;
  readonly transport: 'http' | 'rpc';
  readonly baseUrl: string;
  readonly headers: OpContext['headers'];
  readonly chosenLanguage: string | null;
  readonly countRequests: OpContext['countRequests'];
  readonly represent: NonNullable<OpContext['represent']>;
  readonly intake: BodyStream | undefined;
  private readonly clock: Deadline;

  constructor(
    exchange: Exchange,
    of: {
      readonly services: Services;
      readonly outgoing: Outgoing;
      readonly who: Caller;
      readonly network: string;
      readonly address: string;
      readonly transport: 'http' | 'rpc';
      readonly deadline: Deadline;
      readonly intake: BodyStream | undefined;
    },
  ) {
    const { services, who, deadline } = of;
    const { headers } = exchange.request;
    this.services = services;
    this.caller = who;
    this.requestId = exchange.requestId;
    this.address = of.address;
    this.transport = of.transport;
    this.baseUrl = services.config.BASE_URL;
    this.headers = { 'accept-language': headers['accept-language'], 'if-none-match': headers['if-none-match'] };
    // Without a cookie, Koa's context is not made.
    this.chosenLanguage =
      headers.cookie === undefined ? null : readCookie(exchange.context, 'boundary_language', this.baseUrl);
    this.countRequests = weigher(services, who, of.network, (limits) => exchange.setAll(limits));
    this.represent = (content) => representation(exchange, of, content, deadline);
    this.intake = of.intake;
    this.clock = deadline;
  }

  get signal(): AbortSignal {
    return this.clock.signal;
  }

  get deadline(): number {
    return this.clock.at;
  }
}

/** Identifies and counts the caller. @throws rate_limited, and what a bad credential throws */
export async function admitCaller(
  exchange: Exchange,
  services: Services,
  trusted: boolean,
  admission: Admission,
): Promise<Caller> {
  const { caller, refused } = await admission.enter(
    () => identify(services, exchange, trusted),
    admission.networkOf(exchange.request),
    (headers) => exchange.setAll(headers),
  );
  if (refused) throw refused;
  return caller;
}

/**
 * Selects the representation to send: in the content coding that the client prefers, if the outgoing buffer has room.
 */
async function representation(
  exchange: Exchange,
  { services, outgoing, who }: { services: Services; outgoing: Outgoing; who: Caller },
  { bytes, contentType, headers }: Pick<Bytes, 'bytes' | 'contentType' | 'headers'>,
  deadline: { readonly signal: AbortSignal },
): Promise<Pick<Bytes, 'bytes' | 'headers'>> {
  const { request, response } = exchange;
  const ifNoneMatch = request.headers['if-none-match'];
  const given = headers.ETag;
  if (isNegotiable(bytes, given)) {
    const coding = request.headers['accept-encoding'] === undefined ? null : codingFor(exchange, bytes.byteLength);
    const signal = coding === null ? undefined : deadline.signal;
    const sent = await represent(services, { bytes, etag: given }, coding, ifNoneMatch, signal);
    outgoing.reserve(response, sent.bytes);
    return { bytes: sent.bytes, headers: negotiated(sent) };
  }
  const added: Record<string, string> = {};
  const asked = request.method === 'GET' || request.method === 'HEAD';
  // An ETag makes repeated requests for public data cheap: they get 304.
  if (given === undefined && asked && who.account === null) added.ETag = weakTag(bytes);
  if (sameTag(ifNoneMatch, given ?? added.ETag)) return { bytes, headers: added };
  const shrunk = contentType === JSON_TYPE ? await gzipText(exchange, bytes) : null;
  if (shrunk) added['Content-Encoding'] = 'gzip';
  outgoing.reserve(response, shrunk ?? bytes);
  return { bytes: shrunk ?? bytes, headers: added };
}

/** Headers that an answer under /v1 depends on. */
const VARY = 'Authorization, Accept-Language, Accept-Encoding, Boundary-Data';

/**
 * Sends an answer that is generated while it is sent. Each part restarts the deadline, which pauses while the reader is
 * waited for.
 */
async function sendStream(
  exchange: Exchange,
  op: AnyOp,
  { stream, ...answer }: Answer & { readonly stream: NonNullable<Answer['stream']> },
  { who, outgoing, deadline }: { who: Caller; outgoing: Outgoing; deadline: Deadline },
): Promise<void> {
  try {
    outgoing.admitStream();
  } catch (error) {
    await stream.throw(error).catch(() => undefined);
    throw error;
  }
  setHead(exchange, op, answer, who);
  exchange.begin(answer.status);
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const part of stream) {
      deadline.restart();
      yield part;
    }
  }
  await outgoing.sendParts(exchange.response, parts(), (waiting) => (waiting ? deadline.clear() : deadline.restart()));
}

function send(exchange: Exchange, op: AnyOp, answer: Answer, who: Caller): void {
  setHead(exchange, op, answer, who);
  exchange.end(answer.status, answer.status === 304 ? null : answer.bytes);
}

/** Sets the headers of an answer. */
function setHead(
  exchange: Exchange,
  op: AnyOp,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  who: Caller,
): void {
  for (const name in headers) {
    if (name !== 'Content-Type') exchange.set(name, defined(headers[name]));
  }
  if (status !== 201) exchange.set('Vary', VARY);
  // Answers to authenticated callers must not end up in a shared cache.
  if (!headers['Cache-Control']) {
    if (who.account || op.effect === 'write') exchange.set('Cache-Control', 'private, no-cache');
    else if (!who.operator) exchange.set('Cache-Control', 'public, no-cache');
  }
  if (status === 304) return;
  const type = defined(headers['Content-Type']);
  exchange.set('Content-Type', type === JSON_TYPE ? 'application/json; charset=utf-8' : type);
}
