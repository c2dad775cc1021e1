import type { Mailer } from '../../src/adapters/mail.ts';
import type { Database } from '../../src/db/connect.ts';
import { createFeedback, type Feedback } from '../../src/domain/boards/feedback.ts';
import { createReviews, type Reviews } from '../../src/domain/boards/reviews.ts';
import { createOutbox, type Outbox, type OutboxLog } from '../../src/domain/delivery/outbox.ts';
import { createDeviceCodes, type DeviceCodes } from '../../src/domain/people/device_codes.ts';
import { inviteMail } from '../../src/domain/people/invites.ts';
import { createOAuth, type OAuth } from '../../src/domain/people/oauth.ts';
import { createPeople, type People } from '../../src/domain/people/people.ts';
import { createSessions, type Sessions } from '../../src/domain/people/sessions.ts';
import { createSignIn, type SignIn, signInMail } from '../../src/domain/people/sign_in.ts';
import { oauthResources } from '../../src/transports/pages/oauth_resources.ts';

const noMailer: Mailer = { send: () => Promise.reject(new Error('no mail leaves a test')), isFinal: () => false };

export interface TestPeople extends People {
  readonly sessions: Sessions;
  readonly oauth: OAuth;
  readonly outbox: Outbox;
  readonly signIn: SignIn;
  readonly deviceCodes: DeviceCodes;
  readonly secretKeys: readonly string[];
  readonly feedback: Feedback;
  readonly reviews: Reviews;
}

/** The account services on a test database. Mail stays in the outbox until a test sends it. */
export function testPeople(
  db: Database,
  {
    baseUrl = 'https://maps.example',
    mailer = noMailer,
    mailLog = () => undefined,
  }: { baseUrl?: string; mailer?: Mailer; mailLog?: OutboxLog } = {},
): TestPeople {
  const sessions = createSessions(db);
  const outbox = createOutbox(db, mailer, mailLog, {
    sign_in: signInMail(db, baseUrl),
    invite: inviteMail(db, baseUrl),
  });
  const oauth = createOAuth(db, oauthResources(baseUrl));
  return {
    ...createPeople(db, { sessions, oauth, outbox }),
    oauth,
    sessions,
    outbox,
    signIn: createSignIn(db, { sessions, outbox, plan: 'free' }),
    deviceCodes: createDeviceCodes(db),
    secretKeys: ['a key of the tests alone'],
    feedback: createFeedback(db),
    reviews: createReviews(db),
  };
}
