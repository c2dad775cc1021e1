import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { useAction } from '../actions.tsx';
import { ask, Failure } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import { currentRoute, go, href } from '../route.ts';
import { Problem } from '../ui.tsx';
import { type AreaSet, lastSaved, newestOf, type Opened, optionsOf, ownersOf, type Territory } from './area_set.ts';
import { fragmentOf, leftOf, type Moves, readMoves, sizeOf } from './moves.ts';
import { say } from './say.ts';

/** Stores the territories with their moves as a version, unless someone else has stored one since they were read. */
export function Save({
  opened: { set, version, areas, newest },
  territories,
  changes,
  saving: { busy, failure, run },
  again,
}: {
  opened: Opened;
  territories: readonly Territory[];
  changes: Pick<Moves, 'to' | 'added'>;
  saving: ReturnType<typeof useAction>;
  again: (said?: string) => void;
}): JSX.Element {
  const [from, setFrom] = useState(version.valid_from);
  const [asking, setAsking] = useState(false);
  /** The date of the version that someone else saved meanwhile. */
  const [theirs, setTheirs] = useState<string | null>(null);
  const moves = sizeOf(changes);
  const replaced = set.versions.some(({ valid_from }) => valid_from === from);
  const empty = territories.filter(({ members }) => members?.length === 0);
  const later = set.versions.filter(({ valid_from }) => valid_from > version.valid_from);
  const last = later.at(-1);
  /** Whether what is shown would be in force after a version that is later than it. */
  const hides = last !== undefined && from > version.valid_from;
  const next = later.find(({ valid_from }) => valid_from > from);
  const save = (): Promise<boolean> =>
    run(async () => {
      const groups = Object.fromEntries(
        territories.flatMap(({ name, members }) => (members && members.length > 0 ? [[name, members]] : [])),
      );
      const sent = currentRoute();
      setAsking(false);
      setTheirs(null);
      const made = await optionsOf(set.name, version.valid_from);
      const body = { ...made, name: set.name, groups, valid_from: from, base: newest, replace: replaced };
      const { versions } = await ask<AreaSet>('/sets', { method: 'POST', body }).catch(async (error: unknown) => {
        if (!(error instanceof Failure && error.issues.some(({ path: of }) => of === 'base'))) throw error;
        // It may be this save: stored, while its answer was lost.
        const { set: now, version: stored, isSame } = await lastSaved(set.name, from, groups);
        if (isSame) return now;
        setTheirs(stored.valid_from);
        throw error;
      });
      const { path, query, fragment } = currentRoute();
      // Meanwhile another page or version may be shown, or other moves by the way back of the browser.
      if (path === sent.path && query.get('as_of') === sent.query.get('as_of')) {
        const base = newestOf(versions)?.recorded_at ?? '';
        const left = leftOf(ownersOf(areas), changes, readMoves(fragment));
        const address = href(`/sets/${set.name}`, { as_of: from, map: query.get('map') ?? undefined });
        go(address + fragmentOf({ base, ...left }), true);
      }
      again(t('sets.saved', { day: day(from), n: versions.length }));
    });
  return (
    <section aria-label={t('word.save')}>
      <h2>{t('sets.saveAsANew')}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (moves === 0) return;
          if (hides) setAsking(true);
          else void save();
        }}
      >
        <label>
          {t('word.validFrom')}
          <input
            type="date"
            required
            value={from}
            onInput={(event) => {
              setFrom(event.currentTarget.value);
              setAsking(false);
            }}
          />
        </label>
        <button type="submit" aria-disabled={busy || moves === 0}>
          {busy
            ? t('word.saving')
            : changes.added.size > 0
              ? say('save', { n: moves })
              : t('sets.saveMoves', { n: moves })}
        </button>
      </form>
      {replaced && <p class="soft small">{t('sets.itTakesThePlace')}</p>}
      {hides && (
        <div class="flag" role={asking ? 'alert' : undefined}>
          <p>
            {t('sets.notLatest', { day: day(last.valid_from) })}{' '}
            {next
              ? t('sets.inForceUntil', { from: day(from), until: day(next.valid_from) })
              : t('sets.inForce', { from: day(from) })}{' '}
            {t('sets.keepDate', { day: day(version.valid_from) })}
          </p>
          {asking && (
            <p class="row">
              <button type="button" aria-disabled={busy} onClick={save}>
                {t('sets.saveFrom', { day: day(from) })}
              </button>
              <button type="button" class="quiet" onClick={() => setAsking(false)}>
                {t('word.cancel')}
              </button>
            </p>
          )}
        </div>
      )}
      {empty.length > 0 && <p class="flag">{t('sets.empty', { names: empty.map(({ name }) => name).join(', ') })}</p>}
      {failure && theirs === null && <Problem failure={failure} again={save} />}
      {theirs !== null && (
        <div class="problem" role="alert">
          <p>{t('sets.someoneElseHasSaved')}</p>
          <button
            type="button"
            onClick={() => {
              const map = currentRoute().query.get('map') ?? undefined;
              go(href(`/sets/${set.name}`, { as_of: theirs, map }) + fragmentOf({ base: newest, ...changes }));
              again();
            }}
          >
            {t('sets.loadWhatTheySaved')}
          </button>
        </div>
      )}
    </section>
  );
}
