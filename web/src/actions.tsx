import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from './api.ts';
import { count } from './format.ts';
import { signInAddress } from './route.ts';
import { useAccount } from './session.ts';
import { asFailure, Problem, Skeleton } from './ui.tsx';

/** A list of an operation, with what is asked for again after a change. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Runs something that may fail, one at a time, and keeps what it failed with. */
export function useAction(done: () => void): {
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      done();
      return true;
    } catch (error) {
      setFailure(asFailure(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

/** A button for a change; `confirm` is asked in place before it is made. */
export function Act({
  label,
  about = '',
  confirm,
  work,
  done,
}: {
  label: string;
  /** What it is done to, for who does not see where the button is. */
  about?: string;
  confirm?: string;
  work: () => Promise<unknown>;
  done: () => void;
}): JSX.Element {
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useAction(() => {
    setAsking(false);
    done();
  });
  if (failure) return <Problem failure={failure} again={() => run(work)} />;
  if (asking) {
    return (
      <span class="row asking">
        {confirm}
        <button type="button" class="small" disabled={busy} onClick={() => run(work)} autofocus>
          {label}
        </button>
        <button type="button" class="quiet small" onClick={() => setAsking(false)}>
          Cancel
        </button>
      </span>
    );
  }
  return (
    <button type="button" class="quiet small" disabled={busy} onClick={() => (confirm ? setAsking(true) : run(work))}>
      {label}
      {about && <span class="hidden"> {about}</span>}
    </button>
  );
}

/** A form whose fields are sent as an object; it is emptied when that went well. */
export function Form({
  children,
  label,
  work,
  done,
}: {
  children: ComponentChildren;
  label: string;
  work: (fields: Record<string, string>) => Promise<unknown>;
  done: () => void;
}): JSX.Element {
  const { busy, failure, run } = useAction(done);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value.trim();
    if (await run(() => work(fields))) form.reset();
  };
  return (
    <form class="fields" onSubmit={submit}>
      {children}
      <button type="submit" disabled={busy}>
        {label}
      </button>
      {failure && <Problem failure={failure} />}
    </form>
  );
}

/** Says that a list has more than is shown. */
export function Rest({ of: { items, total } }: { of: Page<unknown> }): JSX.Element | null {
  if (total <= items.length) return null;
  return (
    <p class="soft">
      The first {count(items.length)} of {count(total)}.
    </p>
  );
}

/** Leads through a list that is newest first, `size` at a time; `many`: how many there are, in words. */
export function Pager({
  offset,
  size,
  total,
  many,
  go,
}: {
  offset: number;
  size: number;
  total: number;
  many: string;
  go: (offset: number) => void;
}): JSX.Element {
  return (
    <p class="row">
      <button type="button" class="quiet" disabled={offset === 0} onClick={() => go(offset - size)}>
        Newer
      </button>
      <button type="button" class="quiet" disabled={offset + size >= total} onClick={() => go(offset + size)}>
        Older
      </button>
      <span class="soft">{many}</span>
    </p>
  );
}

/** A page for people who are signed in; others are asked to sign in, and come back to it. */
export function Members({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const account = useAccount();
  if (account === undefined) return <Skeleton lines={6} />;
  if (account !== null) return <>{children}</>;
  return (
    <>
      <h1>{title}</h1>
      <p>This page belongs to an account. There is no password: you get a link by email.</p>
      <p>
        <a class="button" href={signInAddress()} data-plain>
          Sign in
        </a>
      </p>
    </>
  );
}
