import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { type Answer, ask, Failure } from '../api.ts';
import { useKeptFocus } from '../focus.ts';
import { t } from '../language.ts';
import { href } from '../route.ts';
import { Copied } from '../share.tsx';
import { asFailure, Problem } from '../ui.tsx';
import { sayImport } from './say_import.ts';

type Job = Answer<'get_job'>;

/** What the service says of an import that is done. */
interface Report {
  readonly source: string;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly first: readonly { readonly id: string; readonly name: string }[];
  readonly left_out: { readonly total: number; readonly items: readonly { id: string; reason: string }[] };
  readonly broken: { readonly total: number };
  readonly seed: { readonly replaced: number; readonly namesakes: { readonly total: number } };
}

/** Seconds that a question may wait for the end of a job. */
const WAIT_S = 2;
const PAUSE_MS = 500;
/** Whether a later question may have an answer: an embedded database answers none while it stores an import. */
const passes = (error: unknown): boolean =>
  error instanceof Failure && (['offline', 'unreachable', 'rate_limited'].includes(error.code) || error.status >= 500);
const isLive = ({ state }: Job): boolean => state === 'queued' || state === 'running';

/** How far an import is, and what became of it. */
export function ImportJob({ id }: { id: string }): JSX.Element {
  const [job, setJob] = useState<Job | null>(null);
  const [failed, setFailed] = useState<Failure | null>(null);
  /** Whether the last question had an answer. */
  const [answered, setAnswered] = useState(false);
  const { busy, failure, run } = useAction(() => undefined);
  const root = useKeptFocus<HTMLDivElement>();
  useLayoutEffect(() => {
    // The button that started it is not there any more.
    if (document.activeElement === document.body) root.current?.querySelector('button')?.focus();
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const watch = async (): Promise<void> => {
      for (;;) {
        const call = { query: { wait: WAIT_S }, signal: stop.signal };
        const next = await ask<Job>(`/jobs/${id}`, call).catch((error: unknown) => {
          if (passes(error)) return null;
          throw error;
        });
        setAnswered(next !== null);
        if (next !== null) setJob(next);
        if (next !== null && !isLive(next)) return;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
        if (stop.signal.aborted) return;
      }
    };
    watch().catch((error: unknown) => !stop.signal.aborted && setFailed(asFailure(error)));
    return () => stop.abort();
  }, [id]);
  const report = job?.state === 'done' ? (job.report as unknown as Report | null) : null;
  return (
    <div ref={root} class="flag" role="status">
      {job && !report && (
        <p>
          {job.name}: {t(`job.${job.state}`)}
          {job.doing !== null && <span lang="en">, {job.doing}</span>}
        </p>
      )}
      {!answered && failed === null && <p>{sayImport('import.waiting')}</p>}
      {(job === null || isLive(job)) && failed === null && (
        <p class="row">
          <progress class="grow" aria-label={t('library.progressOf', { name: job?.name ?? '' })} />
          <button
            type="button"
            class="quiet"
            aria-disabled={busy}
            onClick={() => run(async () => setJob(await ask<Job>(`/jobs/${id}/cancel`, { method: 'POST', body: {} })))}
          >
            {t('word.cancel')}
          </button>
        </p>
      )}
      {job?.error && (
        <p lang="en">
          {job.error.detail} ({job.error.code})
        </p>
      )}
      {failure && <Problem failure={failure} />}
      {failed && <Problem failure={failed} />}
      {report && <Imported report={report} />}
    </div>
  );
}

/** What was stored, with the first areas on the map. */
function Imported({ report }: { report: Report }): JSX.Element {
  const { source, added, replaced, unchanged, first, left_out, broken, seed } = report;
  return (
    <>
      <p>
        {sayImport('import.added', { n: added })}, {sayImport('import.replaced', { n: replaced })},{' '}
        {sayImport('import.unchanged', { n: unchanged })}, {t('file.leftOut', { n: left_out.total })},{' '}
        {sayImport('import.broken', { n: broken.total })}.
      </p>
      {seed.replaced > 0 && <p>{sayImport('import.seedReplaced', { n: seed.replaced })}</p>}
      {seed.namesakes.total > 0 && <p>{sayImport('import.namesakes', { n: seed.namesakes.total })}</p>}
      {left_out.items.slice(0, 5).map(({ id, reason }) => (
        <p key={id} class="small" lang="en">
          {id}: {reason}
        </p>
      ))}
      <p>{sayImport('import.onTheMap')}</p>
      <ul class="members">
        {first.map(({ id, name }) => (
          <li key={id}>
            <a href={href('/', { id })}>{name}</a>
          </li>
        ))}
      </ul>
      <Copied rows={[[sayImport('import.removeAgain'), `boundary sources remove ${source}`]]} />
    </>
  );
}
