import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { privateFolder } from '../common/private_folder.ts';

/** A mail to be sent. */
export interface Mail {
  /** Permanent id: a second mail with the same id is a repetition. */
  readonly id: string;
  /** One email address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** A language tag. */
  readonly language: string;
}

/** Delivers mail to a server or to a folder. */
export interface Mailer {
  /** Resolves when the mail was accepted. Rejects when it was not, or when the outcome is unknown. */
  send(mail: Mail): Promise<void>;
  /** Whether an error of send() is permanent: the recipient or the message was refused. */
  isFinal(error: unknown): boolean;
}

export interface MailOptions {
  /** smtp: or smtps:, with user and password; null: mail is written to `folder`. */
  readonly smtpUrl: string | null;
  readonly from: string;
  /** Folder for one .eml file per mail, mode 0600. */
  readonly folder: string;
  /** Called with each file written and the mail in it. */
  readonly onFile: (path: string, mail: Mail) => void;
}

const TIMEOUT_MS = 20_000;

/** The mailer of this process. */
export function createMailer(options: MailOptions): Mailer {
  return options.smtpUrl === null ? folderMailer(options) : smtpMailer(options.smtpUrl, options.from);
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    async send(mail) {
      await transport.sendMail(message(mail, from));
    },
    isFinal(error) {
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      const refused = code === 'EENVELOPE' || code === 'EMESSAGE';
      return refused && (responseCode === undefined || Number(responseCode) >= 500);
    },
  };
}

/** Writes mail with unwrapped lines and unencoded text (RFC 6152, RFC 6532), so links can be copied from the file. */
function folderMailer({ from, folder, onFile }: MailOptions): Mailer {
  return {
    async send(mail) {
      const { id, to, subject, text, language } = mail;
      const headers = {
        From: from,
        To: to,
        Subject: subject,
        'Message-ID': messageId(id, from),
        Date: new Date().toUTCString(),
        'MIME-Version': '1.0',
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Language': language,
        'Content-Transfer-Encoding': '8bit',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\n`);
      await privateFolder(folder, 'the mail folder');
      const path = join(folder, `${id}.eml`);
      await writeFile(`${path}.part`, `${lines.join('')}\n${text}`, { mode: 0o600 });
      await rename(`${path}.part`, path);
      onFile(path, mail);
    },
    isFinal: () => false,
  };
}

/** The recipient is an address object, so that no part of it is parsed as a list of addresses. */
function message({ id, to, subject, text, language }: Mail, from: string): SendMailOptions {
  return {
    messageId: messageId(id, from),
    from,
    to: { name: '', address: to },
    subject,
    text,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageId(id: string, from: string): string {
  return `<${id}@${/@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'}>`;
}
