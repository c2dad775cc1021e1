import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask } from '../api.ts';
import { day, plural } from '../format.ts';
import { currentRoute, go, href } from '../route.ts';
import { Problem } from '../ui.tsx';
import type { AreaSet, Opened, Territory } from './model.ts';

/** Stores the territories with their moves as a version, unless someone else has stored one since they were read. */
export function Save({
  opened: { set, newest },
  territories,
  moves,
  again,
}: {
  opened: Opened;
  territories: readonly Territory[];
  moves: number;
  again: (said?: string) => void;
}): JSX.Element {
  const [from, setFrom] = useState(new Date().toISOString().slice(0, 10));
  const { busy, failure, run } = useAction(() => undefined);
  const replaced = set.versions.some(({ valid_from }) => valid_from === from);
  const empty = territories.filter(({ members }) => members?.length === 0);
  const isChanged = failure?.issues.some(({ path }) => path === 'base');
  const save = (): Promise<boolean> =>
    run(async () => {
      const groups = Object.fromEntries(
        territories.flatMap(({ name, members }) => (members && members.length > 0 ? [[name, members]] : [])),
      );
      const body = { name: set.name, groups, valid_from: from, base: newest, replace: replaced };
      const { versions } = await ask<AreaSet>('/sets', { method: 'POST', body });
      go(href(`/sets/${set.name}`, { as_of: from, map: currentRoute().query.get('map') ?? undefined }), true);
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
