import { createInterface } from 'node:readline';
import { asProblem } from '../errors.ts';

/** How an owner without a terminal, or one who skipped the question, says who they are. */
export const OWNER_HINT = 'Set the address you sign in with: boundary admin owner set you@example.org';

/**
 * Asks on a terminal for the owner's email address, and has `set` give it to the account of the first key; asks again when
 * it cannot be used. An empty answer, or the end of the input, skips the question. Nothing waits for the answer.
 */
export async function askOwner(
  terminal: { readonly input: NodeJS.ReadableStream; readonly say: (text: string) => void },
  set: (email: string) => Promise<string>,
): Promise<void> {
  const { input, say } = terminal;
  // Not as a terminal: in raw mode, Ctrl-C would no longer end the server.
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
    // What reads standard input keeps the process alive.
    input.pause();
  }
}
