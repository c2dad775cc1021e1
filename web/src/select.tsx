import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, type Boundary, type Failure } from './api.ts';
import type { Atlas } from './atlas.ts';
import type { Offer } from './download/offer.ts';
import { DownloadPanel } from './download/panel.tsx';
import { LevelTools } from './drawing/level_tools.tsx';
import { count, pageTitle } from './format.ts';
import { t } from './language.ts';
import { useMapLegend } from './legend.ts';
import { COLORS } from './map_style.ts';
import type { PanelProps } from './panel.ts';
import { currentRoute, go, href } from './route.ts';
import { Search } from './search.tsx';
import {
  codesIn,
  hasLevel,
  isPart,
  NOTHING,
  readSelection,
  type Selectable,
  type Selection,
  toggled,
  withIds,
  withLevel,
  withoutLevel,
} from './select/chosen.ts';
import { Codes } from './select/codes.tsx';
import { Members, type Shapes } from './select/members.tsx';
import { type TreeNode, useNodes, WORLD } from './select/nodes.ts';
import { countOf, fieldsOf, idsOf, idsOfCodes, idsOfLevel, writeSelection } from './select/selection.ts';
import { type LevelRow, Tree } from './select/tree.tsx';
import { UndoRedo } from './select/undo.tsx';
import { useAccount } from './session.ts';
import { useTheme } from './theme.ts';
import { asFailure, type Loaded, Problem, useLoad } from './ui.tsx';
import { boundaryAt } from './union/groups.ts';
import { MAX_BOUNDARIES } from './union/sides.ts';

/** Most boundaries whose shapes are drawn; without an account each ten count as one of the requests of a minute. */
const MOST_DRAWN = { account: 400, other: 100 };
/** Most boundaries that an address of groups takes from here. */
const MOST_GROUPED = 2000;

const ROOT: TreeNode = { id: WORLD, name: '', kind: '', country: null, level: null, path: [], hasShape: false };

/** The number of selected boundaries. */
function useCount(selection: Selection): Loaded<{ readonly count: number; readonly atMost: boolean }> {
  const some = selection.levels.length > 0;
  const counted = useLoad(some ? `count ${JSON.stringify(selection)}` : null, (signal) => countOf(selection, signal));
  return some ? counted : { state: 'done', value: { count: selection.ids.length, atMost: false } };
}

/** Puts the ids of boundaries in the place of their codes in the address. `waits` while they are looked up. */
function useIds(
  selection: Selection,
  replace: (selection: Selection) => void,
): { readonly waits: boolean; readonly failed: Loaded<unknown> | null } {
  const codes = codesIn(selection);
  const found = useLoad(codes.length > 0 ? `codes ${codes.join()}` : null, (signal) => idsOfCodes(codes, signal));
  const ids = codes.length > 0 && found.state === 'done' ? found.value : null;
  useEffect(() => {
    if (ids) replace(withIds(readSelection(currentRoute().fragment), ids));
  }, [ids]);
  return { waits: codes.length > 0 && found.state === 'loading', failed: codes.length > 0 ? found : null };
}

/** Draws what is selected, up to `most` boundaries. */
function useShapes(
  selection: Selection,
  total: number | null,
  most: number,
  atlas: Atlas | null,
  taken: GeoJSON.FeatureCollection | null,
): { readonly found: Shapes | null; readonly loaded: Loaded<Shapes> | null } {
  const drawn = total !== null && total > 0 && total <= most;
  const shapes = useLoad(drawn ? `selected ${JSON.stringify(selection)}` : null, async (signal) => {
    const fields = await fieldsOf(selection);
    return ask<Shapes>('/collections', { method: 'POST', body: { ...fields, detail: 'low' }, signal });
  });
  const found = drawn && shapes.state === 'done' ? shapes.value : null;
  const waits = drawn && shapes.state === 'loading';
  const linked = useRef(currentRoute().query.get('map') === null && total !== 0);
  useEffect(() => {
    if (!atlas || waits) return;
    atlas.show('chosen', taken ?? found);
    // A link shows what it selects; after that the map stays.
    const [west, south, east, north] = found?.bbox ?? [];
    if (!linked.current || west === undefined || south === undefined || east === undefined || north === undefined)
      return;
    linked.current = false;
    atlas.fit({ west, south, east, north }, true);
  }, [atlas, found, waits, taken]);
  useEffect(() => () => atlas?.show('chosen', null), [atlas]);
  return { found, loaded: drawn ? shapes : null };
}

/** Selects boundaries in a tree, on the map or by a list; the selection is in the address. */
export default function SelectPanel({ route, atlas, click }: PanelProps): JSX.Element {
  const account = useAccount();
  const theme = useTheme();
  const nodes = useNodes();
  const selection = useMemo(() => readSelection(route.fragment), [route.fragment]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const write = (next: Selection, replace = false): void => {
    setFailure(null);
    try {
      writeSelection(next, replace);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const codes = useIds(selection, (next) => write(next, true));
  const counted = useCount(codes.waits ? NOTHING : selection);
  const total = counted.state === 'done' && !codes.waits ? counted.value.count : null;
  const isAtMost = counted.state === 'done' && counted.value.atMost;
  /** The shapes as they would be downloaded. */
  const [taken, setTaken] = useState<GeoJSON.FeatureCollection | null>(null);
  const most = account ? MOST_DRAWN.account : MOST_DRAWN.other;
  const { found: shapes, loaded } = useShapes(selection, account === undefined ? null : total, most, atlas, taken);
  const [active, setActive] = useState<TreeNode | null>(null);
  const [level, setLevel] = useState(2);
  useEffect(() => {
    document.title = pageTitle(t('page.select'));
    nodes.load(ROOT);
  }, []);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  /** The selection of the address: by the time an answer arrives, it may be another. */
  const now = (): Selection => readSelection(currentRoute().fragment);
  const add = (ids: readonly string[]): void => {
    const before = now();
    write({ ...before, ids: [...new Set([...before.ids, ...ids])] });
  };
  const toggle = (one: Selectable): void => {
    if (one.level !== null) setLevel(one.level);
    write(toggled(now(), one));
  };
  const toggleLevel = async (row: LevelRow): Promise<void> => {
    setLevel(row.level);
    if (!hasLevel(now(), row)) return write(withLevel(now(), row, nodes.known));
    const members = isPart(now(), row) ? await idsOfLevel(row.of.id, row.level) : [];
    write(withoutLevel(now(), row, members));
  };
  click.current = (point) =>
    void attempt(async () => {
      if (!atlas) return;
      const id = await boundaryAt(point, level, atlas);
      const { properties } = await ask<{ properties: Boundary }>(`/boundaries/${encodeURIComponent(id)}`, {
        query: { detail: 'low' },
      });
      write(toggled(now(), { id, level, path: properties.parents.map((parent) => parent.id) }));
    });
  const show = (): Promise<void> =>
    attempt(async () => {
      if (!active) return;
      const { bbox } = await ask<GeoJSON.Feature>(`/boundaries/${encodeURIComponent(active.id)}`, {
        query: { detail: 'low' },
      });
      const [west = 0, south = 0, east = 0, north = 0] = bbox ?? [];
      atlas?.fit({ west, south, east, north }, true);
    });
  const merge = (): Promise<void> =>
    attempt(async () => go(href('/union', { include: (await idsOf(now(), MAX_BOUNDARIES)).join(',') })));
  const dissolve = (): Promise<void> =>
    attempt(async () => {
      const ids = await idsOf(now(), MOST_GROUPED);
      go(`${href('/union')}#groups=A:${ids.join(',')}`);
    });

  const said = total === null || total > most ? '' : t('select.legend', { n: total });
  useMapLegend('', shapes && said !== '' ? [{ color: COLORS[theme].chosen, label: said }] : []);
  const world = nodes.below.get(WORLD);
  const nothing = selection.ids.length === 0 && selection.levels.length === 0;
  return (
    <>
      <Search label={t('search.add')} onPick={(hit) => add([hit.id])} />
      <div class="scroll">
        <h1>{t('select.selectBoundaries')}</h1>
        {world?.state === 'done' && world.items.length === 0 && (
          <p class="nothing">
            {t('select.noCountryIsStored')} <a href={href('/coverage')}>{t('data.bringACountryIn')}</a>
          </p>
        )}
        <Tree
          nodes={nodes}
          selection={selection}
          onToggle={toggle}
          onToggleLevel={(row) => attempt(() => toggleLevel(row))}
          onActive={setActive}
        />
        <p class="row">
          <button type="button" class="quiet small" aria-disabled={!active} onClick={show}>
            {active ? t('select.showOnMap', { name: active.name }) : t('library.openOnTheMap')}
          </button>
          {active && (
            <a class="button quiet small" href={href('/', { id: active.id })}>
              {t('select.itsPage')}
            </a>
          )}
        </p>
        <LevelTools
          label={t('select.onTheMapA')}
          level={level}
          onLevel={setLevel}
          atlas={atlas}
          onFound={add}
          onFailure={(error) => setFailure(error === null ? null : asFailure(error))}
        />
        <Codes onAdd={add} />
        {failure && <Problem failure={failure} />}
        <section aria-label={t('select.selection')}>
          <h2>
            {t('select.selected')}{' '}
            <span class="soft" role="status">
              {total === null ? '…' : t(isAtMost ? 'select.atMost' : 'word.nBoundaries', { n: total })}
            </span>
          </h2>
          {codes.failed?.state === 'failed' && <Problem failure={codes.failed.failure} again={codes.failed.again} />}
          {counted.state === 'failed' && <Problem failure={counted.failure} again={counted.again} />}
          <p class="row">
            <UndoRedo state={route.fragment} />
          </p>
          {nothing && <p class="nothing">{t('select.checkBoundariesInThe')}</p>}
          {loaded?.state === 'failed' && <Problem failure={loaded.failure} again={loaded.again} />}
          {total !== null && total > most && (
            <p class="soft small">{t(account ? 'select.drawsUpTo' : 'select.drawsUpToWithout', { n: most })}</p>
          )}
          {!nothing && (
            <>
              <DownloadPanel offers={[offerOf(selection, total, shapes)]} onShape={setTaken} />
              <Members selection={selection} shapes={shapes} write={write} />
              <p class="row">
                <button type="button" class="quiet" onClick={merge}>
                  {t('page.union')}
                </button>
                <button type="button" class="quiet" onClick={dissolve}>
                  {t('word.dissolveByGroups')}
                </button>
                <button type="button" class="quiet" onClick={() => write(NOTHING)}>
                  {t('select.clear')}
                </button>
              </p>
            </>
          )}
        </section>
      </div>
    </>
  );
}

/** The selection as a file. */
function offerOf(selection: Selection, total: number | null, shapes: Shapes | null): Offer {
  const names = shapes?.features.slice(0, MOST_NAMED).map(({ properties }) => properties.name) ?? [];
  const more = (total ?? 0) - names.length;
  const [level] = selection.levels;
  const name =
    level && selection.ids.length === 0 && selection.levels.length === 1
      ? t('select.levelOf', { of: level.of, level: String(level.level) })
      : [names.join(', ') || t('word.boundaries'), more > 0 ? `+ ${count(more)}` : ''].filter(Boolean).join(' ');
  return {
    ...{
      key: 'selection',
      label: t('select.theSelection'),
      name,
      op: 'export_collection',
      count: total,
      units: total ?? 0,
    },
    text: JSON.stringify(selection),
    input: () => fieldsOf(selection),
  };
}

/** Most names in the name of a file. */
const MOST_NAMED = 3;
