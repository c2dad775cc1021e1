/** Gives the readers what they expect to be there in Node: imported before them. */
import { XMLSerializer } from '@xmldom/xmldom';
import { Buffer } from 'buffer';

Object.assign(globalThis, { Buffer, XMLSerializer });

export { Buffer };

/** As Node's: whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
