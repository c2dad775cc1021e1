import type { PGlite } from '@electric-sql/pglite';
import { defined } from '../common/elements.ts';
import { LOST_STATEMENT_STATE } from './database_error.ts';
import { type ExceptionWatch, watchTraps } from './embedded_exceptions.ts';
import { createIncoming, createOutgoing, type Outgoing } from './embedded_pipes.ts';

/**
 * The server side of the PostgreSQL wire protocol (manual, "Frontend/Backend Protocol", "Message Formats") over PGlite.
 *
 * PGlite 0.5.8 is compiled without catching C++ exceptions. One that GEOS throws unwinds to the next place that can
 * hold it: the main loop (the statement ends without CommandComplete and without ErrorResponse) or a PG_TRY of
 * PostgreSQL, which then continues as if the call had returned (CommandComplete has the tag `???`, and the work done so
 * far is committed). So exceptions are counted where they are thrown, and every message must get its reply. When one
 * does not, a real error aborts the statement before the Sync that would commit it, the transaction fails as it would
 * on a server, and the client gets an ErrorResponse.
 */
export interface ProtocolBackend {
  /** Accepts the client's bytes, in any pieces; replies go to the callback. @throws when the instance is broken */
  receive(bytes: Uint8Array): void;
}

const code = (letter: string): number => letter.charCodeAt(0);

const BIND_COMPLETE = code('2');
const CLOSE_COMPLETE = code('3');
const COMMAND_COMPLETE = code('C');
const EMPTY_QUERY = code('I');
const ERROR = code('E');
const NO_DATA = code('n');
const PARSE_COMPLETE = code('1');
const PORTAL_SUSPENDED = code('s');
const PARAMETER_DESCRIPTION = code('t');
const READY = code('Z');
const ROW_DESCRIPTION = code('T');

const QUERY = code('Q');
const SYNC = code('S');
const TERMINATE = code('X');

/** For each message of the client, the replies that confirm it; one of them suffices. */
const EXPECTED = new Map<number, readonly number[]>([
  [code('P'), [PARSE_COMPLETE]],
  [code('B'), [BIND_COMPLETE]],
  [code('D'), [ROW_DESCRIPTION, NO_DATA, PARAMETER_DESCRIPTION]],
  [code('E'), [COMMAND_COMPLETE, EMPTY_QUERY, PORTAL_SUSPENDED]],
  [code('C'), [CLOSE_COMPLETE]],
]);

/** Appended to a script, which succeeded if this did. No session listens on that channel, so it changes nothing. */
const SCRIPT_END = '\n;unlisten boundary_lookup_script_end';
const SCRIPT_END_TAG = 'UNLISTEN';

/** Not SQL: it fails in the parser and aborts any transaction of the session. */
const ABORT = 'boundary_lookup_abort';

const encoder = new TextEncoder();

/** The tag that PostgreSQL writes for a command that did not set one (cmdtaglist.h). */
const UNKNOWN_TAG = '???';

/** Serves one client. `post` receives the replies; each array has its own buffer. */
export function createBackend(
  database: PGlite,
  exceptions: ExceptionWatch,
  post: (bytes: Uint8Array<ArrayBuffer>) => void,
): ProtocolBackend {
  const engine = watchTraps(database);
  const incoming = createIncoming();
  const outgoing = createOutgoing(post);
  let started = false;
  /** After an error of the extended protocol, every message up to Sync is skipped (the manual, "Extended Query"). */
  let skipping = false;
  let status = code('I');

  /** Whether an exception lost any of the last message. */
  let thrown = false;

  function run(message: Uint8Array, script: boolean): Replies {
    const replies = createReplies(outgoing, script);
    const before = exceptions.count;
    exceptions.keepStack(() => engine.run(message, replies.take));
    thrown = exceptions.count > before || replies.unknownTag;
    if (replies.status !== null) status = replies.status;
    return replies;
  }

  function abort(): void {
    const silent = createReplies(null, false);
    exceptions.keepStack(() => engine.run(queryMessage(ABORT), silent.take));
    if (!silent.seen.has(ERROR) || silent.status === null) throw new Error('The embedded database does not answer.');
    status = silent.status;
    outgoing.write(errorResponse());
  }

  function ready(): void {
    outgoing.write(Uint8Array.of(READY, 0, 0, 0, 5, status));
    outgoing.flush();
  }

  function handle(message: Uint8Array): void {
    if (!started) {
      started = true;
      run(message, false);
      ready();
      return;
    }
    const type = defined(message[0]);
    if (type === TERMINATE) return;
    if (type === QUERY) {
      const script = run(scriptMessage(message), true);
      if (!script.seen.has(ERROR) && (thrown || script.lastTag !== SCRIPT_END_TAG)) abort();
      ready();
    } else if (type === SYNC) {
      // After our own abort the session is already in order, and Sync does no harm.
      run(message, false);
      if (thrown) throw new Error('An exception was thrown while a statement was being committed.');
      skipping = false;
      ready();
    } else if (!skipping) {
      const replies = run(message, false);
      const expected = EXPECTED.get(type) ?? [];
      const failed = replies.seen.has(ERROR);
      const answered = expected.length === 0 || expected.some((reply) => replies.seen.has(reply));
      const lost = !failed && (thrown || !answered);
      if (lost) abort();
      skipping = failed || lost;
    }
  }

  return {
    receive(bytes) {
      incoming.push(bytes);
      for (;;) {
        const message = incoming.next(started);
        if (!message) return;
        handle(message);
      }
    },
  };
}

interface Replies {
  readonly take: (bytes: Uint8Array) => void;
  readonly seen: Set<number>;
  /** The transaction status of the last ReadyForQuery. */
  readonly status: number | null;
  readonly lastTag: string | null;
  /** Whether any command ended with an unknown tag. */
  readonly unknownTag: boolean;
}

/**
 * Parses a reply as its bytes arrive and passes it on, except ReadyForQuery (the caller sends it once it knows the
 * outcome) and, for a script, the completion of its end mark.
 */
function createReplies(outgoing: Outgoing | null, script: boolean): Replies {
  const seen = new Set<number>();
  let status: number | null = null;
  let lastTag: string | null = null;
  let unknownTag = false;
  const header = new Uint8Array(5);
  let headerUsed = 0;
  let left = 0;
  /** The body of a message that is held back until it is complete. */
  let held: number[] | null = null;

  function finishHeld(body: number[]): void {
    if (header[0] === READY) {
      status = defined(body[0]);
      return;
    }
    lastTag = String.fromCharCode(...body.slice(0, -1));
    if (lastTag === UNKNOWN_TAG) {
      unknownTag = true;
      return;
    }
    if (script && lastTag === SCRIPT_END_TAG) return;
    outgoing?.write(header);
    outgoing?.write(Uint8Array.from(body));
  }

  function take(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (headerUsed < 5) {
        header[headerUsed++] = defined(bytes[at++]);
        if (headerUsed < 5) continue;
        left = new DataView(header.buffer).getInt32(1) - 4;
        seen.add(defined(header[0]));
        held = header[0] === READY || header[0] === COMMAND_COMPLETE ? [] : null;
        if (!held) outgoing?.write(header);
      }
      const piece = bytes.subarray(at, at + left);
      at += piece.length;
      left -= piece.length;
      if (held) held.push(...piece);
      else if (piece.length > 0) outgoing?.write(piece);
      if (left > 0) continue;
      headerUsed = 0;
      if (held) finishHeld(held);
      held = null;
    }
  }

  return {
    take,
    seen,
    get status() {
      return status;
    },
    get lastTag() {
      return lastTag;
    },
    get unknownTag() {
      return unknownTag;
    },
  };
}

function queryMessage(sql: string): Uint8Array {
  const text = encoder.encode(sql);
  const message = new Uint8Array(6 + text.length);
  message[0] = QUERY;
  new DataView(message.buffer).setInt32(1, 5 + text.length);
  message.set(text, 5);
  return message;
}

function scriptMessage(message: Uint8Array): Uint8Array {
  return queryMessage(new TextDecoder().decode(message.subarray(5, -1)) + SCRIPT_END);
}

function errorResponse(): Uint8Array {
  const fields = [
    'SERROR',
    'VERROR',
    `C${LOST_STATEMENT_STATE}`,
    'MThe embedded database lost the statement to an internal exception (GEOS); nothing of it was kept.',
  ];
  const body = encoder.encode(`${fields.join('\0')}\0\0`);
  const message = new Uint8Array(5 + body.length);
  message[0] = ERROR;
  new DataView(message.buffer).setInt32(1, 4 + body.length);
  message.set(body, 5);
  return message;
}
