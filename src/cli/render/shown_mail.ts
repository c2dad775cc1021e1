import type { Mail } from '../../adapters/mail.ts';

/**
 * Prints a mail that has no mail server to take it as one line on the server's terminal; undefined without a terminal.
 * Sign-in links must not go to a log, which others read and which is kept. Any process of a server may send the mail.
 */
export const showMail = process.stderr.isTTY
  ? (mail: Mail): void => void process.stderr.write(mailLine(mail))
  : undefined;

function mailLine({ to, text }: Mail): string {
  return `Mail for ${to}: ${/https?:\S+/.exec(text)?.[0] ?? text.split('\n')[0]}\n`;
}
