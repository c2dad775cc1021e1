import { domainToASCII } from 'node:url';
import { invalidInput } from '../errors.ts';
import { hasHidden } from '../plain_text.ts';

/** Neither quotes, comments, groups nor lists (RFC 5322): what is one address here is one address to every mail program. */
const LOCAL = /^[^\s@<>"(),:;\\[\]]+$/u;
/** What domainToASCII would read as the end of a host, or decode. */
const NOT_HOST = /[\s/?#@:\\[\]%]/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMBER = /^\d+$/;
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/**
 * The one spelling of an email address that accounts, invitations and limits know it by: lower case, NFC, the domain in
 * ASCII (`ANN@Bücher.example` is `ann@xn--bcher-kva.example`), blanks around it dropped.
 * Throws invalid_input for a text that is not the address of one mailbox, or that has hidden characters.
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

/** Whether mail can be addressed to a domain: two labels at least, and no IP address, which domainToASCII reads too. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '');
}
