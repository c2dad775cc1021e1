import { domainToASCII } from 'node:url';
import { hasHidden } from '../../common/plain_text.ts';
import { invalidInput } from '../../core/errors.ts';

/** A local part without quotes, comments, groups or lists (RFC 5322), so every mail program reads it as one address. */
const LOCAL = /^[^\s@<>"(),:;\\[\]]+$/u;
/** Characters that domainToASCII would decode or take for the end of a host. */
const NOT_HOST = /[\s/?#@:\\[\]%]/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMBER = /^\d+$/;
/** Characters of a whole address. */
const LONGEST = 254;
/** UTF-8 bytes of a local part. */
const LONGEST_LOCAL = 64;

/**
 * Returns the canonical spelling of an email address, the key of accounts, invitations and limits: trimmed, lower case,
 * NFC, with the domain in ASCII (`ANN@Bücher.example` becomes `ann@xn--bcher-kva.example`).
 * @throws invalid_input if the text is not the address of one mailbox or has hidden characters
 */
export function readEmail(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(0, at)).normalize('NFC').toLowerCase();
  const host = trimmed.slice(at + 1);
  const domain = host.length > LONGEST || hasHidden(trimmed) || NOT_HOST.test(host) ? '' : domainToASCII(host);
  const email = `${local}@${domain}`;
  if (!LOCAL.test(local) || Buffer.byteLength(local) > LONGEST_LOCAL || !isDomain(domain) || email.length > LONGEST) {
    throw invalidInput([{ path: 'email', code: 'invalid_format', message: 'must be an email address' }]);
  }
  return email;
}

/** Whether mail can be sent to a domain: at least two labels, and not an IP address (which domainToASCII accepts). */
function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '');
}
