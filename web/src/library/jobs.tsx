import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Act, type Page } from '../actions.tsx';
import { type Answer, ask, Failure, save } from '../api.ts';
import { t } from '../language.ts';
import { Show, useLoad } from '../ui.tsx';

type Job = Answer<'list_jobs'>['items'][number];

/** The response of get_job with `input`. */
type Whole = Answer<'get_job'>;

/** Creates a job again with the same input. */
async function createAgain(id: string): Promise<void> {
  const { op, input, name, visibility, mail, webhook } = await ask<Whole>(`/jobs/${id}`, { query: { input: true } });
  const body = { op, input, name, visibility, mail, ...(webhook === null ? {} : { webhook }) };
  await ask('/jobs', { method: 'POST', body });
}

const ENDED = ['done', 'failed', 'canceled'];
const WATCH_MS = 2000;

/**
 * The jobs of the organization: progress, cancel and retry. Calls `onMade` with the number of jobs that wrote a file.
 */
export function Jobs({ onMade }: { onMade: (files: number) => void }): JSX.Element {
  const [turn, setTurn] = useState(0);
  const [last, setLast] = useState<Page<Job> | null>(null);
  const jobs = useLoad(`jobs ${turn}`, (signal) =>
    ask<Page<Job>>('/jobs', { query: { limit: 20 }, signal }).catch((error) => {
      // A service without jobs has no such path.
      if (error instanceof Failure && error.status === 404) return { items: [], total: 0 };
      throw error;
    }),
  );
  const again = (): void => setTurn((n) => n + 1);
  useEffect(() => {
    if (jobs.state !== 'done') return;
    setLast(jobs.value);
    onMade(jobs.value.items.filter(({ file_id }) => file_id !== null).length);
    if (jobs.value.items.every(({ state }) => ENDED.includes(state))) return;
    const timer = setTimeout(again, WATCH_MS);
    return () => clearTimeout(timer);
  }, [jobs]);
  const shown = jobs.state === 'loading' && last ? { state: 'done' as const, value: last } : jobs;
  return (
    <>
      <h2>{t('library.jobs')}</h2>
      <Show of={shown}>
        {({ items }) => (
          <>
            {items.length === 0 && <p class="nothing">{t('library.noJobsYet')}</p>}
            <ul class="members">
              {items.map((job) => {
                const ended = ENDED.includes(job.state);
                return (
                  <li key={job.id}>
                    <span class="grow">
                      {job.name} <span class="soft">{t(`job.${job.state}`)}</span>
                      <br />
                      <span class="soft small">
                        {t('library.doneOf', { done: job.done, n: job.total })}
                        {job.left_s !== null && !ended && `, ${t('library.left', { n: job.left_s })}`}
                        {job.failed.count > 0 && `, ${t('library.leftOut', { n: job.failed.count })}`}
                        {job.file_hidden !== null && `: ${t('library.fileHidden')}`}
                        {job.error && `: ${job.error.detail} (${job.error.code})`}
                      </span>
                    </span>
                    {!ended && (
                      <>
                        <progress
                          aria-label={t('library.progressOf', { name: job.name })}
                          max={Math.max(job.total, 1)}
                          value={job.done}
                        />
                        <Act
                          label={t('word.cancel')}
                          about={job.name}
                          work={() => ask(`/jobs/${job.id}/cancel`, { method: 'POST', body: {} })}
                          done={again}
                        />
                      </>
                    )}
                    {(job.state === 'failed' || job.state === 'canceled') && (
                      <Act label={t('library.retry')} about={job.name} work={() => createAgain(job.id)} done={again} />
                    )}
                    {job.file_id && job.file_hidden === null && (
                      <Act
                        label={t('library.download')}
                        about={job.name}
                        work={() => save(`/files/${job.file_id}/content`, {}, job.name)}
                        done={() => undefined}
                      />
                    )}
                    {job.file_id && job.file_hidden !== null && (
                      <Act
                        label={t('library.delete')}
                        about={job.name}
                        confirm={t('library.confirmMany', { n: 1 })}
                        work={() => ask(`/files/${job.file_id}`, { method: 'DELETE' })}
                        done={again}
                      />
                    )}
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </Show>
    </>
  );
}
