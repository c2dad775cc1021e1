/** Tries to lock the given data directory, prints the outcome, and stays until it is killed. */
import { defined } from '../../src/common/elements.ts';
import { DatabaseError } from '../../src/db/connect.ts';
import { acquireDataDir } from '../../src/db/lock.ts';

const outcome = await acquireDataDir(defined(process.argv[2])).then(
  () => 'owner',
  (error) => (error instanceof DatabaseError ? error.code : String(error)),
);
process.stdout.write(`${outcome}\n`);
process.stdin.resume();
