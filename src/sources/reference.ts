import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * Reads a committed table of facts from the `data` folder of the package.
 * @param name file name, for example `countries.json`
 * @returns the parsed JSON; the caller gives its type, which the tests of the table check
 * @throws Error when the file is not part of the installation
 */
export function readTable<T>(name: string): T {
  // The sources are two folders below the package root, the compiled files three.
  for (const up of ['../../', '../../../']) {
    const path = fileURLToPath(new URL(`${up}data/${name}`, import.meta.url));
    if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  }
  throw new Error(`data/${name} is missing from the installation`);
}

/**
 * Loads a CommonJS package lazily: a process that never calls this does not pay for it.
 * @param name package name
 * @returns the exports of the package; the caller gives their type, from the package's own declarations
 */
export function requirePackage<T>(name: string): T {
  return require(name) as T;
}

/**
 * The path of a file of an installed package, for example `us-atlas/counties-10m.json`.
 * @throws Error when it is not installed
 */
export function packageFile(specifier: string): string {
  return require.resolve(specifier);
}

/** The version of the installed package that holds a file (see packageFile), from the nearest package.json above it. */
export function packageVersion(specifier: string): string {
  let folder = dirname(packageFile(specifier));
  for (let previous = ''; folder !== previous; previous = folder, folder = dirname(folder)) {
    const path = `${folder}/package.json`;
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
    if (manifest.name !== undefined && manifest.version !== undefined) return manifest.version;
  }
  throw new Error(`${specifier}: no package.json with a version above it`);
}
