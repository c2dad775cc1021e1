/**
 * Writes the manifest of operations that the CLI reads, next to the compiled program:
 *
 *   npx tsx scripts/make_manifest.ts [FOLDER]     # the output folder of the compiler; default dist
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from '../src/cli/manifest.ts';
import { ops } from '../src/ops/index.ts';

const [folder = 'dist'] = process.argv.slice(2);
writeFileSync(join(folder, 'src/cli/operations.json'), JSON.stringify(ops.map(manifestOf)));
