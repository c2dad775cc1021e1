import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask } from '../api.ts';
import { t } from '../language.ts';
import { go, href } from '../route.ts';
import { newName } from '../sets/new_name.ts';
import { Problem } from '../ui.tsx';

/** The members of each group, by its name. */
function membersOf(rows: readonly (readonly [id: string, group: string])[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, group] of rows) groups.set(group, [...(groups.get(group) ?? []), id]);
  return Object.fromEntries(groups);
}

/** Saves groups as a new set, whose members can be moved from one territory to another. */
export function KeepGroups({ rows }: { rows: readonly (readonly [id: string, group: string])[] }): JSX.Element {
  const [title, setTitle] = useState('');
  const { busy, failure, run } = useAction(() => undefined);
  return (
    <>
      <form
        class="fields"
        aria-label={t('union.saveAsTerritories')}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = title.trim();
          if (busy || wanted === '') return;
          void run(async () => {
            const body = { name: await newName(wanted), title: wanted, groups: membersOf(rows) };
            const { name } = await ask<{ readonly name: string }>('/sets', { method: 'POST', body });
            go(href(`/sets/${name}`));
          });
        }}
      >
        <label>
          {t('sets.titleOfNew')}
          <input
            value={title}
            required
            maxLength={100}
            autocomplete="off"
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="quiet" aria-disabled={busy}>
          {busy ? t('word.loading') : t('union.saveAsTerritories')}
        </button>
      </form>
      {failure && <Problem failure={failure} />}
    </>
  );
}
