import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './api.ts';
import { language, parts, t, textOr } from './language.ts';
import { href, signInAddress } from './route.ts';
import type { Key } from './texts/en.ts';

/** The state of a request. */
export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void };

/** Any error as a Failure that can be shown. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure(error instanceof Error ? error.message : String(error), { code: 'page_error' });
}

/** Loads when `key` changes and aborts the previous load. Does nothing while `key` is null. */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, set] = useState<{ key: string | null; loaded: Loaded<T> }>({
    key: null,
    loaded: { state: 'loading' },
  });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    set({ key, loaded: { state: 'loading' } });
    load(stop.signal).then(
      (value) => !stop.signal.aborted && set({ key, loaded: { state: 'done', value } }),
      (error) => {
        if (stop.signal.aborted) return;
        const again = (): void => setTries((n) => n + 1);
        set({ key, loaded: { state: 'failed', failure: asFailure(error), again } });
      },
    );
    return () => stop.abort();
  }, [key, tries]);
  return loaded.key === key ? loaded.loaded : { state: 'loading' };
}

/** A button that copies a text and confirms it. */
export function Copy({ text, label = t('shell.copy') }: { text: string; label?: string }): JSX.Element {
  const [said, say] = useState('');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(t('shell.copied'));
    } catch {
      say(t('shell.selectAndCopy'));
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => say(''), 2000) as unknown as number;
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}

/** Statuses of requests that fail again when retried. */
const FINAL: readonly (number | undefined)[] = [400, 404];

/**
 * A failure: what its code means in the language of the page, the message, its code and request id to copy, and a way to
 * continue.
 */
export function Problem({ failure, again }: { failure: Failure; again?: () => void }): JSX.Element {
  const meaning = failure.isEnglish ? textOr(`problem.${failure.isAtCapacity ? 'at_capacity' : failure.code}`, '') : '';
  const report = `${failure.code}${failure.requestId ? ` ${failure.requestId}` : ''}`;
  return (
    <div class="problem" role="alert" lang={language()}>
      {meaning !== '' && (
        <p>
          {meaning} {failure.retryAfter !== null && t('problem.wait', { n: failure.retryAfter })}
        </p>
      )}
      <p class={meaning === '' ? undefined : 'soft small'} lang={failure.isEnglish ? 'en' : undefined}>
        {failure.message}
      </p>
      {failure.issues.length > 0 && (
        <ul lang="en">
          {failure.issues.slice(0, 5).map((issue) => (
            <li key={issue.path + issue.message}>
              {issue.path && <code>{issue.path}</code>} {issue.message}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        {again && !FINAL.includes(failure.status) && (
          <button type="button" onClick={again}>
            {t('shell.again')}
          </button>
        )}
        {failure.status === 401 && (
          <a class="button" href={signInAddress()} data-plain>
            {t('shell.signIn')}
          </a>
        )}
        {failure.code === 'quota_exceeded' && (
          <a class="button" href={href('/pricing')}>
            {t('page.pricing')}
          </a>
        )}
        <code class="report">{report}</code>
        <Copy text={report} />
      </p>
    </div>
  );
}

/** Notes in place that something needs an account. */
export function SignIn({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <p class="needs">
      <a href={signInAddress()} data-plain>
        {t('shell.signIn')}
      </a>{' '}
      {children}
    </p>
  );
}

/** A text of the page with elements in it, each in the place of its `{name}`; numbers as t() writes them. */
export const said = (key: Key, values: Readonly<Record<string, ComponentChildren>>): ComponentChildren =>
  parts(key, values).map((part) => (typeof part === 'string' ? part : values[part.name]));

/** Gray placeholder lines for loading content. */
export function Skeleton({ lines = 3 }: { lines?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={t('shell.loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

/** Shows the loaded value, a placeholder, or the failure. */
export function Show<T>({
  of,
  lines,
  children,
}: {
  of: Loaded<T>;
  lines?: number;
  children: (value: T) => ComponentChildren;
}): JSX.Element {
  if (of.state === 'loading') return <Skeleton lines={lines} />;
  if (of.state === 'failed') return <Problem failure={of.failure} again={of.again} />;
  return <>{children(of.value)}</>;
}

/** Wraps a wide table: it scrolls sideways if it does not fit, with the keyboard too. */
export function Wide({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable.
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
