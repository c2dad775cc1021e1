import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { useAction } from '../actions.tsx';
import { ask } from '../api.ts';
import { day, plural } from '../format.ts';
import { currentRoute, go, href } from '../route.ts';
import { Problem } from '../ui.tsx';
import { type AreaSet, newestOf, type Opened, ownersOf, type Territory } from './model.ts';
import { fragmentOf, leftAfter, readMoves } from './moves.ts';

/** Stores the territories with their moves as a version, unless someone else has stored one since they were read. */
export function Save({
  opened: { set, areas, newest },
  territories,
  to,
  saving: { busy, failure, run },
  again,
}: {
  opened: Opened;
  territories: readonly Territory[];
  to: ReadonlyMap<string, string>;
  saving: ReturnType<typeof useAction>;
  again: (said?: string) => void;
}): JSX.Element {
  const [from, setFrom] = useState(new Date().toISOString().slice(0, 10));
  const moves = to.size;
  const replaced = set.versions.some(({ valid_from }) => valid_from === from);
  const empty = territories.filter(({ members }) => members?.length === 0);
  const isChanged = failure?.issues.some(({ path }) => path === 'base');
  const save = (): Promise<boolean> =>
    run(async () => {
      const groups = Object.fromEntries(
        territories.flatMap(({ name, members }) => (members && members.length > 0 ? [[name, members]] : [])),
      );
      const sent = currentRoute();
      const body = { name: set.name, groups, valid_from: from, base: newest, replace: replaced };
      const { versions } = await ask<AreaSet>('/sets', { method: 'POST', body });
      const { path, query, fragment } = currentRoute();
      // Meanwhile another page or version may be shown, or other moves by the way back of the browser.
      if (path === sent.path && query.get('as_of') === sent.query.get('as_of')) {
        const base = newestOf(versions)?.recorded_at ?? '';
        const left = leftAfter(ownersOf(areas), to, readMoves(fragment).to);
        const address = href(`/sets/${set.name}`, { as_of: from, map: query.get('map') ?? undefined });
        go(address + fragmentOf({ base, to: left }), true);
      }
      again(`Saved as the version from ${day(from)}; the set has ${plural(versions.length, 'version')}.`);
    });
  return (
    <section aria-label="Save">
      <h2>Save as a new version</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (moves > 0) void save();
        }}
      >
        <label>
          Valid from
          <input type="date" required value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <button type="submit" aria-disabled={busy || moves === 0}>
          {busy ? 'Saving…' : `Save ${plural(moves, 'move')}`}
        </button>
      </form>
      {replaced && <p class="soft small">It takes the place of the version of that date.</p>}
      {empty.length > 0 && (
        <p class="flag">Without members, and so not in the version: {empty.map(({ name }) => name).join(', ')}.</p>
      )}
      {failure && !isChanged && <Problem failure={failure} again={save} />}
      {isChanged && (
        <div class="problem" role="alert">
          <p>Someone else has saved this set since you opened it. Nothing was overwritten, and your moves are kept.</p>
          <button type="button" onClick={() => again()}>
            Load what they saved
          </button>
        </div>
      )}
    </section>
  );
}
