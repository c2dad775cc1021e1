import { createInterface } from 'node:readline';
import { asProblem } from '../../core/errors.ts';

/** Hint for an owner who was not asked, or skipped the question. */
export const OWNER_HINT = 'Set the address you sign in with: boundary admin owner set you@example.org';

/**
 * Asks on a terminal for the owner's email address and passes it to `set`, which stores it for the account of the first
 * key. Asks again when the address is refused. An empty line or the end of input skips the question. Does not block
 * startup.
 */
export async function askOwner(
  terminal: { readonly input: NodeJS.ReadableStream; readonly say: (text: string) => void },
  set: (email: string) => Promise<string>,
): Promise<void> {
  const { input, say } = terminal;
  // Not in terminal mode: raw mode would keep Ctrl-C from stopping the server.
  const lines = createInterface({ input, terminal: false });
  say('Your email address, to sign in as the owner of the first key (Enter to skip):');
  try {
    for await (const line of lines) {
      if (line.trim() === '') break;
      try {
        say(`You can now sign in as ${await set(line)}.`);
        return;
      } catch (error) {
        const failure = asProblem(error);
        if (!failure) throw error;
        say(`${failure.message}\nYour email address (Enter to skip):`);
      }
    }
    say(OWNER_HINT);
  } finally {
    lines.close();
    // Reading standard input would keep the process alive.
    input.pause();
  }
}
