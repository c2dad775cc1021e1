import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the rivals of benchmarks/package.json (about 150 MB with dependencies) unless they are installed. Throws
 * when npm fails: a table without them would claim less than was measured.
 */
export function installRivals(): void {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  if (existsSync(`${folder}node_modules/mapshaper`)) return;
  process.stderr.write('installing the rivals (benchmarks/package.json) …\n');
  // Their versions are pinned. Their install scripts download what we do not use.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  });
}
