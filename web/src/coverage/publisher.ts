import type { Answer } from '../api.ts';

export type Catalog = NonNullable<Answer<'get_data_status'>['catalog']>;

/** Where a person gets the file of a recipe. */
export interface Published {
  readonly title: string;
  readonly publisher: string;
  readonly license: string;
  readonly homepage: string;
  /** Of the file itself; null where it is found from the homepage. */
  readonly address: string | null;
}

const PLACEHOLDER = /\{iso[23]\}/;

/** Where the file of a recipe such as `whosonfirst/CH/regions` is; null for one that the catalog has not. */
export function publishedAs(recipe: string, catalog: Catalog): Published | null {
  const [name, ...rest] = recipe.split('/');
  const source = catalog.find((one) => one.name === name);
  if (!source) return null;
  const { title, publisher, license, homepage, files } = source;
  const named = rest.join('/');
  for (const { part, address } of files) {
    const code = codeIn(part, named);
    if (code === null) continue;
    return { title, publisher, license, homepage, address: address?.replace(PLACEHOLDER, code.toLowerCase()) ?? null };
  }
  return null;
}

/** What the placeholder of a part stands for in a name; '' where the part has none, null where the name does not fit. */
function codeIn(part: string, named: string): string | null {
  const [before = '', after] = part.split(PLACEHOLDER);
  if (after === undefined) return part === named ? '' : null;
  const code = named.slice(before.length, named.length - after.length);
  return named.startsWith(before) && named.endsWith(after) && /^[A-Za-z]{2,3}$/.test(code) ? code : null;
}
