import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import { LevelTools } from '../drawing/level_tools.tsx';
import { t } from '../language.ts';
import { Search } from '../search.tsx';
import { MOST_SELECTED } from '../select/selection.ts';
import { asFailure, Problem } from '../ui.tsx';
import { boundaryAt } from '../union/groups.ts';
import { type MemberShape, shapesOf, sortOut } from './overlaps.ts';
import { say } from './say.ts';

/** Most new members that are listed. */
const MOST_LISTED = 100;

/** What is needed to add members to a territory. */
export interface Adding {
  /** The members and new members, with their shapes. */
  readonly members: readonly MemberShape[];
  readonly territoryOf: (id: string) => string | undefined;
  /** The territory that gets them. */
  readonly target: string;
  readonly atlas: Atlas | null;
  /** Makes boundaries members of the territory, and says so. */
  readonly onAdd: (found: readonly MemberShape[], said: string) => void;
  readonly onSay: (said: string) => void;
  /** Whether nothing can be changed now, which it says. */
  readonly mustWait: () => boolean;
}

/** Adds boundaries to the territory that is chosen: what was found by a search, clicked, or is inside a drawing. */
export function useAddMembers({ members, territoryOf, target, atlas, onAdd, onSay, mustWait }: Adding, usual: number) {
  const [level, setLevel] = useState(usual);
  const [isClicking, setClicking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const sayWhat = ({ free, taken }: Awaited<ReturnType<typeof sortOut>>, wanted: ReadonlyMap<string, MemberShape>) => {
    const nameOf = (id: string): string => wanted.get(id)?.properties.name ?? id;
    const [first] = free;
    const said: string[] = [];
    if (first && free.length === 1) said.push(say('isNew', { member: first.properties.name, name: target }));
    if (free.length > 1) said.push(say('areNew', { n: free.length, name: target }));
    const [[id, other] = []] = taken;
    if (id !== undefined && other && wanted.size === 1) {
      const name = territoryOf(other.properties.id) ?? '';
      said.push(say('overlaps', { member: nameOf(id), other: other.properties.name, name }));
    } else if (taken.size > 0) said.push(say('leftOut', { n: taken.size }));
    return said.join(' ');
  };
  const sayMembers = ([id = '', ...others]: readonly string[]): string => {
    const member = members.find(({ properties }) => properties.id === id)?.properties.name ?? id;
    return others.length > 0 ? say('areMembers') : t('sets.alreadyIn', { member, name: territoryOf(id) ?? '' });
  };
  const add = async (find: () => Promise<readonly string[]>): Promise<void> => {
    if (busy || mustWait()) return;
    setFailure(null);
    setBusy(true);
    try {
      const all = [...new Set(await find())];
      const ids = all.filter((id) => territoryOf(id) === undefined);
      if (ids.length === 0) return onSay(sayMembers(all));
      const n = members.length + ids.length;
      if (n > MOST_SELECTED) return onSay(say('tooMany', { most: MOST_SELECTED, n }));
      const found = await shapesOf(ids);
      const missing = ids.filter((id) => !found.has(id));
      const sorted = await sortOut([...found.values()], members);
      const lost = missing.length > 0 ? say('noShape', { members: missing.slice(0, 5).join(', ') }) : '';
      const said = `${sayWhat(sorted, found)} ${lost}`.trim();
      if (sorted.free.length > 0) onAdd(sorted.free, said);
      else onSay(said);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  /** Adds the boundary of the level at a point. Returns false where clicks add nothing. */
  const click = (point: { lat: number; lon: number }): boolean => {
    if (isClicking && atlas) void add(async () => [await boundaryAt(point, level, atlas)]);
    return isClicking;
  };
  const form = (
    <details class="adding">
      <summary>{say('title')}</summary>
      <Search
        label={say('search', { name: target })}
        onPick={({ id, bbox }) => {
          if (bbox) atlas?.fit(bbox, true);
          void add(async () => [id]);
        }}
      />
      <p class="row">
        <button
          type="button"
          class="quiet"
          aria-pressed={isClicking}
          disabled={!atlas}
          onClick={() => setClicking(!isClicking)}
        >
          {say('clicks')}
        </button>
      </p>
      <LevelTools
        label={say('level')}
        level={level}
        onLevel={setLevel}
        atlas={atlas}
        onFound={(ids) => void add(async () => ids)}
        onFailure={(error) => setFailure(error === null ? null : asFailure(error))}
      />
      {failure && <Problem failure={failure} />}
    </details>
  );
  return { click, form };
}

/** The boundaries that become members when the moves are saved, each with a button that takes it back. */
export function NewMembers({
  added,
  nameOf,
  onRemove,
}: {
  added: ReadonlyMap<string, string>;
  nameOf: (id: string) => string;
  onRemove: (id: string) => void;
}): JSX.Element | null {
  if (added.size === 0) return null;
  return (
    <ul class="members" aria-label={say('list')}>
      {[...added].slice(-MOST_LISTED).map(([id, name]) => (
        <li key={id}>
          <span class="grow">
            {nameOf(id)} <span class="soft">{name}</span>
          </span>
          <button type="button" class="quiet small" onClick={() => onRemove(id)}>
            ×<span class="hidden"> {say('remove', { member: nameOf(id) })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
