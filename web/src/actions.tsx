import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from './api.ts';
import { useKeptFocus } from './focus.ts';
import { t } from './language.ts';

import { signInAddress } from './route.ts';
import { useAccount } from './session.ts';
import { asFailure, Problem, Skeleton } from './ui.tsx';

/** One page of a list operation; reload it after a change. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/**
 * Runs one task at a time and keeps its failure. Mark the control that starts it `aria-disabled` while it is busy: a
 * `disabled` button loses the focus.
 */
export function useAction(done: () => void): {
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
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
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, failure, run };
}

/**
 * Runs the task that was asked for last, and aborts the one before it: for what is shown, where useAction() is for
 * changes. A task that was aborted changes nothing after it: it checks its signal.
 */
export function useLatest(): {
  readonly busy: boolean;
  readonly failure: Failure | null;
  readonly run: (work: (signal: AbortSignal) => Promise<unknown>) => Promise<void>;
} {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (work: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setBusy(true);
    setFailure(null);
    try {
      await work(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) setFailure(asFailure(error));
    }
    if (!stop.signal.aborted) setBusy(false);
  };
  return { busy, failure, run };
}

/** A button for a change. With `confirm`, it asks for confirmation in place first. */
export function Act({
  label,
  about = '',
  confirm,
  work,
  done,
}: {
  label: string;
  /** The object of the action, for screen readers that do not see the button's context. */
  about?: string;
  confirm?: string;
  work: () => Promise<unknown>;
  done: () => void;
}): JSX.Element {
  const [asking, setAsking] = useState(false);
  const root = useKeptFocus<HTMLSpanElement>();
  const { busy, failure, run } = useAction(() => {
    setAsking(false);
    done();
  });
  return (
    <span class="act" ref={root}>
      {failure ? (
        <Problem failure={failure} again={() => run(work)} />
      ) : asking ? (
        <span key="asking" class="row asking">
          {confirm}
          <button type="button" class="small" aria-disabled={busy} onClick={() => run(work)}>
            {label}
          </button>
          <button type="button" class="quiet small" onClick={() => setAsking(false)}>
            {t('word.cancel')}
          </button>
        </span>
      ) : (
        <button
          key="first"
          type="button"
          class="quiet small"
          aria-disabled={busy}
          onClick={() => (confirm ? setAsking(true) : run(work))}
        >
          {label}
          {about && <span class="hidden"> {about}</span>}
        </button>
      )}
    </span>
  );
}

/** A form that submits its fields as an object and resets on success. */
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
  const root = useKeptFocus<HTMLFormElement>();
  useLayoutEffect(() => {
    // Preact sets the selected option but not the default one, so a reset would go back to the first option.
    for (const option of root.current?.querySelectorAll('option') ?? []) option.defaultSelected = option.selected;
  }, []);
  const { busy, failure, run } = useAction(done);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields: Record<string, string> = {};
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields[name] = value.trim();
    if (await run(() => work(fields))) form.reset();
  };
  return (
    <form class="fields" onSubmit={submit} ref={root}>
      {children}
      <button type="submit" aria-disabled={busy}>
        {label}
      </button>
      {failure && <Problem failure={failure} />}
    </form>
  );
}

/** Notes that a list has more items than are shown. */
export function Rest({ of: { items, total } }: { of: Page<unknown> }): JSX.Element | null {
  if (total <= items.length) return null;
  return <p class="soft">{t('word.firstOf', { shown: items.length, total })}</p>;
}

/** Pages through a list that is newest first, `size` items at a time; `many` is the total in words. */
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
  const [isFirst, isLast] = [offset === 0, offset + size >= total];
  return (
    <p class="row">
      <button type="button" class="quiet" aria-disabled={isFirst} onClick={() => isFirst || go(offset - size)}>
        {t('act.newer')}
      </button>
      <button type="button" class="quiet" aria-disabled={isLast} onClick={() => isLast || go(offset + size)}>
        {t('act.older')}
      </button>
      <span class="soft">{many}</span>
    </p>
  );
}

/** A page for signed-in people. Others are asked to sign in and return to it. */
export function Members({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const account = useAccount();
  if (account === undefined) return <Skeleton lines={6} />;
  if (account !== null) return <>{children}</>;
  return (
    <>
      <h1>{title}</h1>
      <p>{t('act.thisPageBelongsTo')}</p>
      <p>
        <a class="button" href={signInAddress()} data-plain>
          {t('shell.signIn')}
        </a>
      </p>
    </>
  );
}
