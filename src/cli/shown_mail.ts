import type { Mail } from '../adapters/mail.ts';

/**
 * Shows a mail that no mail server takes as one line on the terminal of the server; undefined off a terminal. Only a
 * terminal is shown links that sign someone in: a log is read by others, and kept. Every process of a server may be the
 * one that sends it.
 */
export const showMail = process.stderr.isTTY
  ? (mail: Mail): void => void process.stderr.write(mailLine(mail))
  : undefined;

function mailLine({ to, text }: Mail): string {
  return `Mail for ${to}: ${/https?:\S+/.exec(text)?.[0] ?? text.split('\n')[0]}\n`;
}
