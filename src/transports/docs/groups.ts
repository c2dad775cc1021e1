import type { AnyOp } from '../../core/op.ts';

/** A group of related operations. */
export interface Group {
  /** Used in URLs: /docs/<slug>. */
  readonly slug: string;
  readonly title: string;
  readonly ops: readonly AnyOp[];
}

/** Titles by slug, and the first path segments of the group's operations. */
const TITLES: Readonly<Record<string, { title: string; roots: readonly string[] }>> = {
  boundaries: {
    title: 'Boundaries',
    roots: ['boundaries', 'areas', 'dissolve', 'crosswalk', 'cells', 'maps', 'kinds', 'data-status'],
  },
  collections: { title: 'Collections', roots: ['collections'] },
  points: { title: 'Points', roots: ['locate'] },
  tables: { title: 'Tables', roots: ['match', 'join', 'convert-values'] },
  changes: { title: 'Changes', roots: ['changes', 'changes.atom', 'subscriptions'] },
  files: { title: 'File library', roots: ['files'] },
  sets: { title: 'Area sets', roots: ['sets'] },
  jobs: { title: 'Jobs', roots: ['jobs'] },
  imports: { title: 'Imports', roots: ['imports'] },
  account: { title: 'Account and keys', roots: ['account', 'api-keys', 'oauth-grants', 'usage', 'pricing'] },
  orgs: { title: 'Organizations', roots: ['orgs', 'invites'] },
  feedback: { title: 'Feedback board', roots: ['feedback'] },
  reviews: { title: 'Reviews', roots: ['reviews'] },
};

function slugOf(op: AnyOp): string {
  const [, root = ''] = op.route.path.split('/');
  return Object.entries(TITLES).find(([, { roots }]) => roots.includes(root))?.[0] ?? root;
}

/**
 * Groups operations. Groups and operations are in listing order; an operation with an unknown path gets its own group.
 */
export function groupsOf(ops: readonly AnyOp[]): Group[] {
  const slugs = [...new Set([...Object.keys(TITLES), ...ops.map(slugOf)])];
  return slugs
    .map((slug) => ({
      slug,
      title: TITLES[slug]?.title ?? slug,
      ops: ops.filter((op) => slugOf(op) === slug),
    }))
    .filter((group) => group.ops.length > 0);
}
