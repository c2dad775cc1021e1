/** Sends the rows of benchGuard() to the process that forked this one; with `--record` it writes the record. */
import { startCounting } from '../../test/setup/work.ts';

// Before anything of the service runs or is loaded.
startCounting();
const { benchGuard } = await import('./guard.ts');
process.send?.(await benchGuard(process.argv.includes('--record')));
process.disconnect();
