import { problem } from '../core/errors.ts';
import type { ChosenFile } from '../sources/catalog.ts';

/** Calls `find`; its error is the person's. @throws invalid_input */
export function inCatalog<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw problem('invalid_input', (error as Error).message);
  }
}

/** What a person must know before a file of the catalog is imported. */
export function licenseText({ name, recipe }: ChosenFile): string {
  const limits = recipe.redistribution
    ? ''
    : ' Others may not pass the data on: check the license before you publish it.';
  const tried = recipe.verified ? '' : ' Its address and columns were not tried.';
  return `@${name}: ${recipe.title}, ${recipe.publisher}. License: ${recipe.license}.${limits}${tried}\n`;
}
