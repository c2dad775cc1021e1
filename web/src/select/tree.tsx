import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { area, kindName } from '../format.ts';
import { t } from '../language.ts';
import { hasLevel, isSelected, type Selection } from './chosen.ts';
import { type Nodes, type TreeNode, WORLD } from './nodes.ts';

/** Height of a row in pixels, as in the style sheet. */
const ROW = 32;
/** Rows drawn above and below those that are visible. */
const MORE = 8;
/** Typed letters closer together than this, in milliseconds, are one search. */
const TYPING_MS = 700;

/** All of a level in a boundary. */
export interface LevelRow {
  readonly of: TreeNode;
  readonly level: number;
  readonly count: number;
  /** The name of one of them. */
  readonly first?: string;
}

/** One line of the tree: a boundary, all of a level, or a note. */
interface Row {
  readonly key: string;
  readonly depth: number;
  readonly position: number;
  readonly size: number;
  readonly parent: number;
  readonly node?: TreeNode;
  readonly level?: LevelRow;
  readonly note?: string;
  /** What can be loaded again, beside the note that it could not be. */
  readonly again?: TreeNode;
}

/** The rows of the open part of the tree, in order. */
function rowsOf(nodes: Nodes, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const add = (of: TreeNode, depth: number, parent: number): void => {
    const below = nodes.below.get(of.id);
    if (!below) return;
    const notes: string[] = [];
    if (below.state === 'loading') notes.push(t('word.loading'));
    if (below.state === 'done' && below.total === 0) notes.push(t('select.noSubdivisionsAreStored'));
    if (below.total > below.items.length) notes.push(t('select.notListed', { n: below.total - below.items.length }));
    const { failure } = below;
    const size = below.levels.length + below.items.length + notes.length + (failure ? 1 : 0);
    let position = 0;
    const push = (row: Pick<Row, 'key' | 'node' | 'level' | 'note' | 'again'>): number =>
      rows.push({ ...row, depth, parent, size, position: ++position }) - 1;
    // First, as what is loaded may be longer than the screen. Keys are parts of ids of the document, without spaces.
    if (failure) push({ key: `${of.id}.again`, note: failure.message, again: of });
    for (const one of below.levels) push({ key: `${of.id}*${one.level}`, level: { of, ...one } });
    for (const node of below.items) {
      const at = push({ key: node.id, node });
      if (open.has(node.id)) add(node, depth + 1, at);
    }
    notes.forEach((note, i) => {
      push({ key: `${of.id}.${i}`, note });
    });
  };
  add({ id: WORLD, name: '', kind: '', country: null, level: null, path: [], hasShape: false }, 1, -1);
  return rows;
}

/**
 * The tree of boundaries: only the visible rows are in the document. The keyboard is that of the ARIA tree pattern; the
 * focus stays on the tree, and `aria-activedescendant` names the row.
 */
export function Tree({
  nodes,
  selection,
  onToggle,
  onToggleLevel,
  onActive,
}: {
  nodes: Nodes;
  selection: Selection;
  onToggle: (node: TreeNode) => void;
  onToggleLevel: (row: LevelRow) => void;
  /** The boundary of the current row, to show it. */
  onActive: (node: TreeNode | null) => void;
}): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const prefix = useId();
  const rows = useMemo(() => rowsOf(nodes, open), [nodes.below, open]);
  const found = rows.findIndex(({ key }) => key === activeKey);
  const active = Math.max(found, 0);
  const row = rows[active];

  useLayoutEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(() => box.current && setHeight(box.current.clientHeight));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onActive(found < 0 ? null : (row?.node ?? null)), [activeKey]);

  const moveTo = (index: number): void => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!target || !box.current) return;
    setActiveKey(target.key);
    const from = rows.indexOf(target) * ROW;
    const { scrollTop, clientHeight } = box.current;
    if (from < scrollTop) box.current.scrollTop = from;
    else if (from + ROW > scrollTop + clientHeight) box.current.scrollTop = from + ROW - clientHeight;
  };
  const setOpened = (node: TreeNode, to: boolean): void => {
    if (to) nodes.load(node);
    setOpen((before) => {
      const next = new Set(before);
      if (to) next.add(node.id);
      else next.delete(node.id);
      return next;
    });
  };
  const toggle = ({ node, level, again }: Row): void => {
    if (again) nodes.load(again);
    if (node?.hasShape) onToggle(node);
    if (level) onToggleLevel(level);
  };
  const type = (letter: string): void => {
    const now = performance.now();
    const text = now - typed.current.at < TYPING_MS ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    const wanted = text.toLocaleLowerCase();
    const from = text.length > 1 ? active : active + 1;
    const order = [...rows.keys()].map((i) => (i + from) % rows.length);
    const next = order.find((i) => rows[i]?.node?.name.toLocaleLowerCase().startsWith(wanted));
    if (next !== undefined) moveTo(next);
  };
  const press = (event: KeyboardEvent): void => {
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = row;
    const isOpen = node !== undefined && open.has(node.id);
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(found < 0 ? 0 : active + 1),
      ArrowUp: () => moveTo(active - 1),
      PageDown: () => moveTo(active + page),
      PageUp: () => moveTo(active - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      ArrowRight: () => {
        if (node && !isOpen) setOpened(node, true);
        else if (isOpen && rows[active + 1]?.parent === active) moveTo(active + 1);
      },
      ArrowLeft: () => {
        if (node && isOpen) setOpened(node, false);
        else if (row.parent >= 0) moveTo(row.parent);
      },
      Enter: () => toggle(row),
      ' ': () => toggle(row),
    };
    const act = keys[event.key] ?? (event.key.length === 1 ? () => type(event.key) : null);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const click = (event: MouseEvent, one: Row): void => {
    setActiveKey(one.key);
    const target = event.target instanceof Element ? event.target : null;
    if (one.node && target?.closest('.twist')) setOpened(one.node, !open.has(one.node.id));
    else if (one.level || one.again || target?.closest('.check')) toggle(one);
    else if (one.node) setOpened(one.node, !open.has(one.node.id));
  };

  const first = Math.max(0, Math.floor(top / ROW) - MORE);
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + MORE);
  const shown = new Set(Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i));
  // The current row stays in the document, because the tree refers to it.
  if (row) shown.add(active);
  return (
    <div
      class="tree"
      role="tree"
      aria-label={t('word.boundaries')}
      aria-activedescendant={row ? `${prefix}${row.key}` : undefined}
      tabIndex={0}
      ref={box}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={press}
    >
      <div class="rows" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
        {[...shown].map((i) => {
          const one = rows[i];
          if (!one) return null;
          const { node, level, note, again } = one;
          const isOn = node ? isSelected(selection, node) : level && hasLevel(selection, level);
          const takes = level !== undefined || node?.hasShape === true;
          const km2 = node && nodes.areas.get(node.id);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of all rows are handled by the tree.
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the tree.
            <div
              key={one.key}
              id={`${prefix}${one.key}`}
              role="treeitem"
              class={i === active ? 'branch active' : 'branch'}
              aria-level={one.depth}
              aria-posinset={one.position}
              aria-setsize={one.size}
              aria-expanded={node ? open.has(node.id) : undefined}
              aria-checked={takes ? Boolean(isOn) : undefined}
              aria-disabled={takes || node || again ? undefined : true}
              style={{ top: `${i * ROW}px`, paddingLeft: `${(one.depth - 1) * 1.1 + 0.25}rem` }}
              onClick={(event) => click(event, one)}
            >
              <span class="twist" aria-hidden="true">
                {node ? (open.has(node.id) ? '▾' : '▸') : ''}
              </span>
              {takes && <span class={isOn ? 'check on' : 'check'} aria-hidden="true" />}
              <span class="grow">
                {node?.name}
                {level && t('select.allOf', { count: level.count, level: String(level.level) })}
                {again && <span class="again">{t('shell.again')}</span>} {note && <span class="soft">{note}</span>}
              </span>
              <span class="soft small">
                {node && (km2 === undefined ? kindName(node.kind) : area(km2))}
                {level?.first && `${level.first}, …`}
                {node && !node.hasShape && `, ${t('word.noShape')}`}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
