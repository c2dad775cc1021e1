import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, type Boundary, type Children, Failure } from '../api.ts';
import { useAccount } from '../session.ts';
import { asFailure } from '../ui.tsx';
import type { Selectable } from './chosen.ts';
import { childrenOf, readTable } from './selection.ts';

/** The id of the root: the world has no boundary. */
export const WORLD = 'world';
/** Most rows below one boundary. */
const MOST_CHILDREN = 20_000;
/** Most subdivisions whose areas are asked for; without an account each ten count as one of the requests of a minute. */
const MOST_AREAS = { account: 5000, other: 20 };

/** Languages of the browser that names are asked for in. */
const MOST_LANGUAGES = 5;

/** A boundary in the tree. */
export interface TreeNode extends Selectable {
  readonly name: string;
  readonly kind: string;
  readonly country: string | null;
  readonly hasShape: boolean;
}

/** What is below a boundary, once it was opened; `failure`: not all of it could be loaded. */
export interface Below {
  readonly state: 'loading' | 'done' | 'failed';
  readonly items: readonly TreeNode[];
  /** More than the rows when there are too many to list. */
  readonly total: number;
  /** The levels below, with the number of boundaries of each and the name of one: numbers of levels say little. */
  readonly levels: readonly { readonly level: number; readonly count: number; readonly first: string }[];
  readonly failure?: Failure;
}

const NOT_LOADED: Below = { state: 'loading', items: [], total: 0, levels: [] };

/** The tree as far as it was opened. */
export interface Nodes {
  readonly below: ReadonlyMap<string, Below>;
  /** In km2, by id. */
  readonly areas: ReadonlyMap<string, number>;
  /** What was loaded of a boundary, by id. */
  readonly known: ReadonlyMap<string, TreeNode>;
  load(node: TreeNode): void;
}

type Levels = ReadonlyMap<string, readonly number[]>;

/** The stored levels of each country below the country itself. */
async function levelsByCountry(): Promise<Levels> {
  type Status = {
    countries: readonly { country: string | null; levels: readonly { admin_level: number | null }[] }[];
  };
  const { countries } = await ask<Status>('/data-status', { query: { countries: true } });
  return new Map(
    countries.map(({ country, levels }) => [country ?? '', levels.flatMap(({ admin_level }) => admin_level ?? [])]),
  );
}

const byName = (a: TreeNode, b: TreeNode): number => a.name.localeCompare(b.name);

async function countries(): Promise<{ below: Below; areas: Map<string, number> }> {
  const lang = navigator.languages.slice(0, MOST_LANGUAGES).join(',');
  const table = await readTable({ within: [-180, -90, 180, 90], kind: 'country', lang }).catch((error: unknown) => {
    // A service without a country.
    if (error instanceof Failure && error.code === 'not_found') return new Map<string, Record<string, string>>();
    throw error;
  });
  const items = [...table].map(([id, { name = '', country = '', kind = '' }]): TreeNode => {
    return { id, name, kind, country: country || null, level: 2, path: [WORLD], hasShape: true };
  });
  const below: Below = { state: 'done', items: items.sort(byName), total: items.length, levels: [] };
  return { below, areas: areasIn(table) };
}

const areasIn = (table: ReadonlyMap<string, Record<string, string>>): Map<string, number> =>
  new Map([...table].flatMap(([id, { area_km2 = '' }]) => (area_km2 === '' ? [] : [[id, Number(area_km2)]])));

const nodeOf = (one: Boundary, path: readonly string[]): TreeNode => ({
  id: one.id,
  name: one.name,
  kind: one.kind,
  level: one.admin_level,
  country: one.country,
  // A boundary may lie in others than those that were opened on the way to it.
  path: [...new Set([...path, ...one.parents.map((parent) => parent.id)])],
  hasShape: one.has_geometry,
});

/** Loads what is below a boundary when it is opened. */
export function useNodes(): Nodes {
  const account = useAccount();
  const [below, setBelow] = useState<ReadonlyMap<string, Below>>(new Map());
  const [areas, setAreas] = useState<ReadonlyMap<string, number>>(new Map());
  const levels = useRef<Promise<Levels> | null>(null);
  const begun = useRef(new Set<string>());
  const unmounted = useRef(new AbortController());
  useEffect(() => () => unmounted.current.abort(), []);
  const put = (id: string, value: Below): void => setBelow((before) => new Map(before).set(id, value));
  const learn = (found: ReadonlyMap<string, number>): void => setAreas((before) => new Map([...before, ...found]));

  const open = async (node: TreeNode): Promise<void> => {
    const { signal } = unmounted.current;
    if (node.id === WORLD) {
      const world = await countries();
      put(WORLD, world.below);
      return learn(world.areas);
    }
    const path = [...node.path, node.id];
    const { items, total } = await childrenOf(node.id, { levels: 'direct' }, MOST_CHILDREN, signal);
    const nodes = items.map((one) => nodeOf(one, path)).sort(byName);
    const done: Below = { state: 'done', items: nodes, total, levels: [] };
    put(node.id, done);
    if (total === 0) return;
    levels.current ??= levelsByCountry().catch((error: unknown) => {
      // The next time it may be there.
      levels.current = null;
      throw error;
    });
    const deeper = ((await levels.current).get(node.country ?? '') ?? []).filter((level) => level > (node.level ?? 0));
    const counted = await Promise.all(
      deeper.map(async (level) => {
        const query = { admin_level: level, limit: 1 };
        const found = await ask<Children>(`/boundaries/${encodeURIComponent(node.id)}/children`, { query, signal });
        return { level, count: found.total, first: found.items[0]?.name ?? '' };
      }),
    );
    put(node.id, { ...done, levels: counted.filter((one) => one.count > 0) });
    const most = account ? MOST_AREAS.account : MOST_AREAS.other;
    if (total <= most && nodes.some(({ hasShape }) => hasShape)) {
      learn(areasIn(await readTable({ children_of: node.id, levels: 'direct' })));
    }
  };
  const known = useMemo(
    () => new Map([...below.values()].flatMap(({ items }) => items.map((node) => [node.id, node] as const))),
    [below],
  );
  return {
    ...{ below, areas, known },
    load(node) {
      if (begun.current.has(node.id)) return;
      begun.current.add(node.id);
      // What was loaded before stays.
      const change = (to: (before: Below) => Below): void =>
        setBelow((before) => new Map(before).set(node.id, to(before.get(node.id) ?? NOT_LOADED)));
      change(({ failure: _, ...before }) => ({ ...before, state: 'loading' }));
      open(node).catch((error: unknown) => {
        if (unmounted.current.signal.aborted) return;
        begun.current.delete(node.id);
        const failure = asFailure(error);
        change((before) => ({ ...before, state: before.items.length > 0 ? 'done' : 'failed', failure }));
      });
    },
  };
}
