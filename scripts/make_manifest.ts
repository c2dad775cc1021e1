/**
 * Writes down what the command line needs to know of every operation, beside the compiled program:
 *
 *   npx tsx scripts/make_manifest.ts [FOLDER]     # where it was compiled to; dist
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sheetOf } from '../src/cli/manifest.ts';
import { ops } from '../src/ops/index.ts';

const [folder = 'dist'] = process.argv.slice(2);
writeFileSync(join(folder, 'src/cli/operations.json'), JSON.stringify(ops.map(sheetOf)));
