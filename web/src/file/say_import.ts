import { textsOf } from '../language.ts';
import { de, en, es, fr } from '../texts/own/imports.ts';

/** A text of the import of a file, in the language of the page. */
export const sayImport = textsOf({ en, es, de, fr });

/** What a column of a file holds, in words; its key where the pages have none. */
export const columnName = (meaning: string): string => {
  const key = `importColumn.${meaning}`;
  return Object.hasOwn(en, key) ? sayImport(key as keyof typeof en) : meaning;
};
