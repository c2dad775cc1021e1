import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server received it. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body with \r\n line ends. */
  readonly raw: string;
}

export interface MailServer {
  /** The smtp: URL with the port. */
  readonly url: string;
  readonly mails: Received[];
  /** The response code for the next recipients, and whether to cut the connection after accepting a mail. */
  readonly behavior: { refuse: number | null; cutAfterData: boolean };
  close(): Promise<void>;
}

/** Starts a real mail server on loopback that stores what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Received[] = [];
  const mood: MailServer['behavior'] = { refuse: null, cutAfterData: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      const { refuse } = mood;
      done(refuse === null ? null : Object.assign(new Error('not now'), { responseCode: refuse }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString(),
        });
        if (mood.cutAfterData) for (const one of server.connections) one.close();
        else done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    behavior: mood,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
