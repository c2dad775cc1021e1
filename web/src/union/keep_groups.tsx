import type { JSX } from 'preact';
import { useAction } from '../actions.tsx';
import { ask } from '../api.ts';
import { t } from '../language.ts';
import { go, href } from '../route.ts';
import { newName } from '../sets/new_name.ts';
import { TitleForm } from '../sets/title_form.tsx';
import { Problem } from '../ui.tsx';

/** The members of each group, by its name. */
function membersOf(rows: readonly (readonly [id: string, group: string])[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [id, group] of rows) groups.set(group, [...(groups.get(group) ?? []), id]);
  return Object.fromEntries(groups);
}

/** Saves groups as a new set, whose members can be moved from one territory to another. */
export function KeepGroups({ rows }: { rows: readonly (readonly [id: string, group: string])[] }): JSX.Element {
  const { busy, failure, run } = useAction(() => undefined);
  const save = (title: string): Promise<boolean> =>
    run(async () => {
      const body = { name: await newName(title), title, groups: membersOf(rows) };
      const { name } = await ask<{ readonly name: string }>('/sets', { method: 'POST', body });
      go(href(`/sets/${name}`));
    });
  const action = t('union.saveAsTerritories');
  return (
    <>
      <TitleForm action={action} label={action} busy={busy} onTitle={save} />
      {failure && <Problem failure={failure} />}
    </>
  );
}
