import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, type Children, Failure } from './api.ts';
import type { Atlas } from './atlas.ts';
import { Choose, type Point } from './choose.tsx';
import { given, type Offer } from './download/offer.ts';
import { DownloadPanel } from './download/panel.tsx';
import { LevelTools } from './drawing/level_tools.tsx';
import { count, kindName, pageTitle } from './format.ts';
import { askedFor, GroundSwitch, useGround } from './ground.tsx';
import { t } from './language.ts';
import { useMapLegend } from './legend.ts';
import { COLORS } from './map_style.ts';
import { currentRoute, href, type Route } from './route.ts';
import { Search } from './search.tsx';
import { UndoRedo } from './select/undo.tsx';
import { useAccount } from './session.ts';
import { Share, waysToMerge } from './share.tsx';
import { useTheme } from './theme.ts';
import { asFailure, Problem, SignIn, Skeleton, useLoad } from './ui.tsx';
import { type Union, UnionDetails } from './union/details.tsx';
import { Dissolve } from './union/dissolve.tsx';
import { LinkedGroups } from './union/draw_groups.tsx';
import { MAX_BOUNDARIES, readSides, type Sides, sidesOf, sidesText, writeSides } from './union/sides.ts';

/** Most names in the name of a file. */
const MOST_NAMED = 3;

/** A member with the fields that are known immediately. */
interface Member {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly area_km2: number;
}

type Members = GeoJSON.FeatureCollection<GeoJSON.Polygon | GeoJSON.MultiPolygon, Member>;

/** The first names of a list, and how many more there are. */
function namesOf(ids: readonly string[], known: ReadonlyMap<string, Members['features'][number]>): string {
  const names = ids.slice(0, MOST_NAMED).map((id) => known.get(id)?.properties.name ?? id);
  const more = ids.length - names.length;
  return names.join(', ') + (more > 0 ? ` + ${count(more)}` : '');
}

/** What can be downloaded of a union: itself, and the boundaries that it is made of. */
function offersOf(sides: Sides, known: ReadonlyMap<string, Members['features'][number]>): Offer[] {
  const { include, exclude } = sides;
  const names = namesOf(include, known);
  const name = exclude.length > 0 ? t('union.without', { names, cut: namesOf(exclude, known) }) : names;
  const units = new Set([...include, ...exclude]).size;
  const union: Offer = {
    ...{ key: 'union', label: t('union.theUnion', { name }), name, op: 'union_boundaries', count: 1, units },
    ...given(exclude.length > 0 ? { include, exclude } : { include }),
  };
  const members: Offer = {
    ...{
      key: 'members',
      label: t('union.itsBoundaries', { n: include.length }),
      name: namesOf(include, known),
    },
    ...{ op: 'export_collection', count: include.length, units: include.length },
    ...given({ ids: include }),
  };
  return include.length > 1 ? [union, members] : [union];
}

/** Collects boundaries, merges them and shows the result. */
export default function UnionPanel({
  route,
  atlas,
  click,
}: {
  route: Route;
  atlas: Atlas | null;
  click: { current: (place: { lat: number; lon: number }) => void };
}): JSX.Element {
  const account = useAccount();
  const sides = useMemo(() => readSides(route.query), [route]);
  const all = [...sides.include, ...sides.exclude];
  const ground = useGround();
  const [choice, setChoice] = useState<Point | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [level, setLevel] = useState(6);
  const [merged, setMerged] = useState<Union | null>(null);
  /** The shapes as they would be downloaded. */
  const [taken, setTaken] = useState<GeoJSON.FeatureCollection | null>(null);
  // While groups are drawn, clicks go to them.
  const picking = useRef<((point: Point) => void) | null>(null);
  click.current = (point) => (picking.current ?? setChoice)(point);

  const members = useLoad<Members | null>(all.length > 0 ? `members ${all} ${ground}` : null, (signal) =>
    ask<Members>('/collections', { method: 'POST', body: { ids: all, detail: 'low', ...askedFor(ground) }, signal }),
  );
  const { chosen, cut } = COLORS[useTheme()];
  useMapLegend('', [
    ...(sides.include.length > 0 ? [{ color: chosen, label: t('union.merged') }] : []),
    ...(sides.exclude.length > 0 ? [{ color: cut, label: t('word.cutOut') }] : []),
  ]);
  const known = members.state === 'done' && members.value ? members.value.features : [];
  // Other forms of ids name the features in their place, unless one is left out.
  const isWhole = known.length === all.length;
  const byId = new Map(
    known.flatMap((one, i) => [
      [one.properties.id, one] as const,
      ...(isWhole ? [[all[i] ?? one.properties.id, one] as const] : []),
    ]),
  );

  useEffect(() => {
    document.title = pageTitle(t('union.mergeBoundaries'));
  }, []);
  useEffect(() => {
    if (!atlas) return;
    const collect = (ids: readonly string[]): GeoJSON.FeatureCollection => ({
      type: 'FeatureCollection',
      features: ids.flatMap((id) => byId.get(id) ?? []),
    });
    if (members.state === 'done' || all.length === 0) {
      atlas.show('chosen', taken ?? merged ?? collect(sides.include));
      atlas.show('cut', collect(sides.exclude));
    }
  }, [atlas, members.state, all.join(), merged, taken, ground]);
  useEffect(() => {
    if (atlas && members.state === 'done' && members.value?.bbox && !currentRoute().query.get('map')) {
      const [west, south, east, north] = members.value.bbox;
      atlas.fit({ west, south, east, north }, true);
    }
  }, [atlas, members.state, all.join()]);
  useEffect(
    () => () => {
      for (const overlay of ['chosen', 'cut', 'children'] as const) atlas?.show(overlay, null);
    },
    [atlas],
  );

  const add = (ids: readonly string[], side: keyof Sides, instead?: string): void => {
    setFailure(null);
    const rest = (list: readonly string[]): string[] => list.filter((id) => id !== instead && !ids.includes(id));
    const next = { include: rest(sides.include), exclude: rest(sides.exclude) };
    next[side].push(...ids);
    const named = next.include.length + next.exclude.length;
    if (named > MAX_BOUNDARIES) {
      const message = t('union.tooMany', { n: named, most: MAX_BOUNDARIES });
      setFailure(new Failure(message, { code: 'too_many_boundaries' }));
      return;
    }
    writeSides(next);
  };
  const remove = (id: string): void => {
    const rest = (list: readonly string[]): string[] => list.filter((one) => one !== id);
    writeSides({ include: rest(sides.include), exclude: rest(sides.exclude) });
  };
  const divide = async (id: string, side: keyof Sides): Promise<void> => {
    setFailure(null);
    try {
      const query = { limit: MAX_BOUNDARIES + 1 };
      const { items, total } = await ask<Children>(`/boundaries/${encodeURIComponent(id)}/children`, { query });
      if (total === 0) throw new Failure(t('union.itHasNoStored'), { code: 'no_children' });
      if (total > MAX_BOUNDARIES) {
        const message = t('union.tooManyBelow', { n: total, most: MAX_BOUNDARIES });
        throw new Failure(message, { code: 'too_many_boundaries' });
      }
      add(
        items.map((one) => one.id),
        side,
        id,
      );
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const list = (side: keyof Sides, title: string): JSX.Element | null =>
    sides[side].length === 0 ? null : (
      <section aria-label={title}>
        <h2>
          {title} <span class="soft">{sides[side].length}</span>
        </h2>
        <ul class="members">
          {sides[side].map((id) => {
            const name = byId.get(id)?.properties.name ?? id;
            const kind = byId.get(id)?.properties.kind;
            const other = side === 'include' ? 'exclude' : 'include';
            return (
              <li key={id}>
                <span class="grow">
                  <a href={href('/', { id })}>{name}</a> {kind && <span class="soft">{kindName(kind)}</span>}
                </span>
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => divide(id, side)}
                  title={t('union.allOfItsSubdivisions')}
                >
                  {t('union.split')} <span class="hidden"> {name}</span>
                </button>
                <button type="button" class="quiet small" onClick={() => add([id], other)}>
                  {side === 'include' ? t('word.cutOut') : t('union.include')}
                  <span class="hidden"> {name}</span>
                </button>
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => remove(id)}
                  aria-label={t('word.removeOne', { name })}
                >
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    );

  return (
    <>
      <Search label={t('search.add')} onPick={(hit) => add([hit.id], 'include')} />
      <div class="scroll">
        <h1>{t('union.mergeBoundaries')}</h1>
        {all.length === 0 && <p>{t('union.searchForPlacesOr')}</p>}
        <LevelTools
          label={t('union.adminLevel')}
          level={level}
          onLevel={setLevel}
          atlas={atlas}
          onFound={(ids) => add(ids, 'include')}
          onFailure={(error) => setFailure(error === null ? null : asFailure(error))}
        />
        {failure && <Problem failure={failure} />}
        {choice && (
          <Choose
            point={choice}
            atlas={atlas}
            onAdd={({ id }, side) => add([id], side)}
            onClose={() => setChoice(null)}
          />
        )}
        {members.state === 'failed' && all.length > 0 && <Problem failure={members.failure} again={members.again} />}
        {list('include', t('union.merged'))}
        {list('exclude', t('word.cutOut'))}
        {sides.include.length > 0 && (
          <section aria-label={t('word.result')}>
            <h2>{t('word.result')}</h2>
            <GroundSwitch />
            {account === undefined ? (
              <Skeleton />
            ) : account === null ? (
              <SignIn>{t('union.signIn')}</SignIn>
            ) : (
              <>
                <UnionDetails sides={sides} busy={members.state === 'loading'} onMerged={setMerged} />
                <DownloadPanel offers={offersOf(sides, byId)} onShape={setTaken} />
              </>
            )}
            <Share ways={waysToMerge(sides)} />
          </section>
        )}
        {account && <Dissolve sides={sides} atlas={atlas} level={level} picking={picking} />}
        {account === null && route.fragment !== '' && (
          <>
            <LinkedGroups atlas={atlas} />
            <SignIn>{t('union.signInGroups')}</SignIn>
          </>
        )}
        <p class="row">
          <UndoRedo state={sidesText(sides)} goTo={(text) => writeSides(sidesOf(text))} />
        </p>
        {all.length > 0 && (
          <p class="row">
            <button type="button" class="quiet" onClick={() => writeSides({ include: [], exclude: [] })}>
              {t('union.startAgain')}
            </button>
          </p>
        )}
      </div>
    </>
  );
}
