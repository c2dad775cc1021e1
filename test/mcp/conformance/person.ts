import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leading } from '../../setup/elements.ts';

/** A person with a browser without scripts: keeps cookies, sends forms, and does not follow redirects. */
export interface Person {
  get(url: string): Promise<Response>;
  post(url: string, fields: Record<string, string>): Promise<Response>;
}

/** Signs a person in at a service that writes its mail to `mailFolder`. */
export async function signInAt(base: string, mailFolder: string, email: string): Promise<Person> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, more: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(url, base), {
      ...more,
      redirect: 'manual',
      headers: { ...more.headers, ...(cookie ? { Cookie: cookie } : {}), Origin: base },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = leading(/^([^=]+)=([^;]*)/.exec(line) as RegExpExecArray, 3);
      cookies.set(name, value);
    }
    return response;
  };
  const person: Person = {
    get: (url) => ask(url),
    post: (url, fields) => ask(url, { method: 'POST', body: new URLSearchParams(fields) }),
  };
  await person.post('/sign-in', { email });
  const [, token] = leading(/[?&]token=([\w-]+)/.exec(await newestMail(mailFolder)) ?? [], 2);
  const reply = await person.post('/sign-in/confirm', { token, name: 'Conformance' });
  if (reply.status !== 303) throw new Error(`no one was signed in: ${reply.status} ${await reply.text()}`);
  return person;
}

async function newestMail(folder: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [mail] = await readdir(folder).catch(() => []);
    if (mail) return (await readFile(join(folder, mail), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no mail came');
}

/** Follows an application's authorization request, approves it, and returns to the application. */
export async function allow(person: Person, authorization: string): Promise<void> {
  const page = location(await person.get(authorization));
  const shown = await (await person.get(page)).text();
  const org = /name="org" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const scope = /name="scope" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const answered = await person.post(page, { answer: 'allow', org, scope });
  await fetch(location(await person.get(location(answered))));
}

function location(response: Response): string {
  const found = response.headers.get('location');
  if (!found) throw new Error(`${response.url} answered ${response.status} and led nowhere`);
  return found;
}
