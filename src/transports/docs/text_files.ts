import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

/** A text of the folder docs that is also a page of a running service. */
export interface Text {
  /** File below docs, without its extension: `first/curl`, `sets`. */
  readonly file: string;
  /** Path of the page, from /docs on. */
  readonly path: string;
}

const FIRST = ['curl', 'javascript', 'python', 'r', 'qgis', 'duckdb', 'maplibre'];
const RECIPES = [
  'sales-regions',
  'names-to-ids',
  'figures-on-a-map',
  'store-locator',
  'land-without-sea',
  'old-figures-new-borders',
  'your-own-file',
  'map-on-a-website',
  'one-world-for-a-week',
  'notified-of-changes',
];
const TOPICS = [
  'search',
  'areas',
  'sets',
  'tables',
  'maps',
  'locate',
  'engines',
  'history',
  'land',
  'tiles',
  'imports',
  'updates',
  'jobs',
  'clients',
  'cli',
  'mcp',
  'map',
  'districts',
  'access',
  'operations',
  'seed-data',
  'comparison',
  'benchmarks',
];

const placed = (folder: string, below: string, names: readonly string[]): readonly Text[] =>
  names.map((name) => ({ file: `${below}${name}`, path: `/docs/${folder}/${name}` }));

/** Texts that are listed together. */
export interface Folder {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** What each of its pages says first, as Markdown with links as those of its texts. */
  readonly before?: string;
  readonly texts: readonly Text[];
}

/** The folders of texts, in the order of the navigation. */
export const FOLDERS: readonly Folder[] = [
  {
    path: '/docs/first',
    title: 'First result',
    about: 'From nothing to a boundary on the screen, in the tool that you use.',
    texts: placed('first', 'first/', FIRST),
  },
  {
    path: '/docs/recipes',
    title: 'Recipes',
    about: 'Whole jobs, step by step. Each is run by a test on the data that a first start loads.',
    before:
      '`boundary` is [the command line](../cli.md): sign in once with `boundary login http://127.0.0.1:8080`. `$KEY` is ' +
      'an [API key](../access.md). The steps follow each other in one folder.\n\n',
    texts: placed('recipes', 'recipes/', RECIPES),
  },
  {
    path: '/docs/topics',
    title: 'In detail',
    about: 'What each part does, its limits, and how it is proved.',
    texts: placed('topics', '', TOPICS),
  },
];
/** All texts. */
export const TEXTS = FOLDERS.flatMap(({ texts }) => texts);

const sources = new Map<string, string>();

/** A text as Markdown. It is read once. */
export function sourceOf({ file }: Text): string {
  let source = sources.get(file);
  if (source === undefined) {
    source = readFileSync(join(packageRoot(), 'docs', `${file}.md`), 'utf8');
    sources.set(file, source);
  }
  return source;
}

/** The title of a text: its first heading. */
export function titleOf(text: Text): string {
  const [, title = text.file] = /^# (.+)$/m.exec(sourceOf(text)) ?? [];
  return title;
}
