import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { atLeast } from '../../../src/core/roles.ts';
import { Form } from '../actions.tsx';
import { ask } from '../api.ts';
import { t } from '../language.ts';
import type { Account } from '../session.ts';
import { type Loaded, useLoad } from '../ui.tsx';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** A person's name, or their email address if they have none. */
export const nameOf = ({ name, email }: Person): string => name || email;

/** Whether the account may manage members of its organization. */
export const manages = ({ org }: Account): boolean => atLeast(org.effective_role, 'admin');

/** The loaded list, and a function that reloads it. */
export function useList<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<T | null>(null);
  const loaded = useLoad(`${key} ${turn}`, load);
  useEffect(() => {
    if (loaded.state === 'done') setShown(loaded.value);
  }, [loaded]);
  // Keep showing the old list until the new one has loaded.
  const kept: Loaded<T> = loaded.state === 'loading' && shown !== null ? { state: 'done', value: shown } : loaded;
  return [kept, () => setTurn((n) => n + 1)];
}

/** A form that creates something with a name by POST to `path`. */
export function CreateNamed({ label, path, done }: { label: string; path: string; done: () => void }): JSX.Element {
  return (
    <Form label={label} work={({ name }) => ask(path, { method: 'POST', body: { name } })} done={done}>
      <label>
        {t('account.name')}
        <input name="name" required maxLength={100} />
      </label>
    </Form>
  );
}
