import { only } from '../common/elements.ts';

const POST_BYTES = 256 * 1024;

/** Reassembles the client's bytes into whole messages. */
export interface Incoming {
  push(bytes: Uint8Array): void;
  /** The next whole message, or null when it is incomplete. The first message of a session has no type byte. */
  next(typed: boolean): Uint8Array | null;
}

/** An empty Incoming. */
export function createIncoming(): Incoming {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const joined = (): Buffer => {
    const all = pieces.length === 1 ? only(pieces) : Buffer.concat(pieces, size);
    pieces = [all];
    return Buffer.from(all.buffer, all.byteOffset, all.byteLength);
  };
  /** Bytes needed for the first message to be whole; known once its header has arrived. */
  let wanted = 0;
  return {
    push(bytes) {
      pieces.push(bytes);
      size += bytes.byteLength;
    },
    next(typed) {
      const header = typed ? 5 : 4;
      if (size < Math.max(wanted, header)) return null;
      const all = joined();
      wanted = all.readInt32BE(header - 4) + header - 4;
      if (size < wanted) return null;
      const message = all.subarray(0, wanted);
      pieces = size > wanted ? [all.subarray(wanted)] : [];
      size -= wanted;
      wanted = 0;
      return message;
    },
  };
}

/** Buffers bytes for the client. */
export interface Outgoing {
  write(bytes: Uint8Array): void;
  flush(): void;
}

/** Gathers replies into larger pieces: one message to the other thread per row would be far too many. */
export function createOutgoing(post: (bytes: Uint8Array<ArrayBuffer>) => void): Outgoing {
  const buffer = new Uint8Array(POST_BYTES);
  let used = 0;
  const flush = (): void => {
    if (used === 0) return;
    post(buffer.slice(0, used));
    used = 0;
  };
  return {
    write(bytes) {
      if (used + bytes.byteLength > buffer.byteLength) flush();
      if (bytes.byteLength > buffer.byteLength) {
        post(bytes.slice() as Uint8Array<ArrayBuffer>);
        return;
      }
      buffer.set(bytes, used);
      used += bytes.byteLength;
    },
    flush,
  };
}
