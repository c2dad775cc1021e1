import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Act, Form, type Page, Rest } from './actions.tsx';
import { type Answer, ask } from './api.ts';
import { capital, count, day, pageTitle } from './format.ts';
import { t } from './language.ts';
import { href, useRoute } from './route.ts';
import { useAccount } from './session.ts';
import type { Key } from './texts/en.ts';
import { Show, SignIn, useLoad } from './ui.tsx';

type Item = Answer<'list_feedback'>['items'][number];

type Whole = Answer<'get_feedback'>;

/** The words for kinds, statuses and orders. */
const WORDS: Readonly<Record<string, Key>> = {
  ...{ all: 'word.all', feature: 'feedback.feature', issue: 'feedback.problem' },
  ...{ active: 'feedback.active', open: 'feedback.open', planned: 'feedback.planned', declined: 'feedback.declined' },
  ...{ in_progress: 'feedback.inProgress', done: 'feedback.isDone', top: 'feedback.top', new: 'feedback.newest' },
};
const words = (text: string): string => {
  const key = WORDS[text];
  return key ? t(key) : text;
};

function Vote({ item, again }: { item: Item; again: () => void }): JSX.Element {
  const account = useAccount();
  if (!account) return <span class="votes">▲ {count(item.upvotes)}</span>;
  return (
    <Act
      label={`${item.voted ? `▲ ${t('feedback.voted')}` : `△ ${t('feedback.vote')}`} ${count(item.upvotes)}`}
      about={item.title}
      work={() =>
        ask(`/feedback/${item.id}/vote`, { method: item.voted ? 'DELETE' : 'PUT', body: item.voted ? undefined : {} })
      }
      done={again}
    />
  );
}

function Board(): JSX.Element {
  const account = useAccount();
  const [kind, setKind] = useState('all');
  const [status, setStatus] = useState('active');
  const [sort, setSort] = useState('top');
  const [turn, setTurn] = useState(0);
  const again = (): void => setTurn((n) => n + 1);
  const items = useLoad(`feedback ${kind} ${status} ${sort} ${turn} ${account?.id}`, (signal) =>
    ask<Page<Item>>('/feedback', { query: { kind, status, sort, limit: 50 }, signal }),
  );
  const choice = (
    label: string,
    value: string,
    set: (value: string) => void,
    values: readonly string[],
  ): JSX.Element => (
    <label>
      {label}
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {capital(words(one))}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <h1>{t('page.feedback')}</h1>
      <p>{t('feedback.askForFeaturesReport')}</p>
      <div class="fields">
        {choice(t('word.kind'), kind, setKind, ['all', 'feature', 'issue'])}
        {choice(t('feedback.status'), status, setStatus, [
          'active',
          'all',
          'open',
          'planned',
          'in_progress',
          'done',
          'declined',
        ])}
        {choice(t('word.order'), sort, setSort, ['top', 'new'])}
      </div>
      <Show of={items} lines={6}>
        {({ items: list, total }) => (
          <>
            {list.length === 0 && <p class="nothing">{t('feedback.nothingHereYet')}</p>}
            <ul class="members">
              {list.map((item) => (
                <li key={item.id}>
                  <span class="grow">
                    <a href={href(`/feedback/${item.id}`)}>{item.title}</a>
                    <br />
                    <span class="soft small">
                      {capital(words(item.kind))}, {words(item.status)},{' '}
                      {t('feedback.comments', { n: item.comment_count })}, {day(item.created_at)}
                    </span>
                  </span>
                  <Vote item={item} again={again} />
                </li>
              ))}
            </ul>
            <Rest of={{ items: list, total }} />
          </>
        )}
      </Show>
      <h2>{t('feedback.new')}</h2>
      {account ? (
        <Form
          label={t('word.send')}
          work={({ kind: path, title, details }) =>
            ask(`/feedback/${path}`, { method: 'POST', body: { title, details } })
          }
          done={again}
        >
          <label>
            {t('word.kind')}
            <select name="kind">
              <option value="features">{capital(t('feedback.feature'))}</option>
              <option value="issues">{capital(t('feedback.problem'))}</option>
            </select>
          </label>
          <label class="grow">
            {t('word.title')}
            <input name="title" required maxLength={200} />
          </label>
          <label class="full">
            {t('feedback.details')}
            <textarea name="details" rows={4} maxLength={10000} />
          </label>
        </Form>
      ) : (
        account === null && <SignIn>{t('feedback.signIn')}</SignIn>
      )}
    </>
  );
}

function One({ id }: { id: string }): JSX.Element {
  const account = useAccount();
  const [turn, setTurn] = useState(0);
  const again = (): void => setTurn((n) => n + 1);
  const item = useLoad(`item ${id} ${turn} ${account?.id}`, (signal) =>
    ask<Whole>(`/feedback/${encodeURIComponent(id)}`, { signal }),
  );
  return (
    <>
      <p class="crumbs">
        <a href={href('/feedback')}>{t('page.feedback')}</a>
      </p>
      {item.state === 'failed' && <h1>{t('page.feedback')}</h1>}
      <Show of={item} lines={5}>
        {(value) => (
          <>
            <h1>{value.title}</h1>
            <p class="row">
              <span class="soft">
                {capital(words(value.kind))}, {words(value.status)}, {day(value.created_at)}
              </span>
              <Vote item={value} again={again} />
            </p>
            <p class="text">{value.details}</p>
            <h2>{t('feedback.comments', { n: value.comments.total })}</h2>
            <ul class="members">
              {value.comments.items.map((comment) => (
                <li key={comment.id}>
                  <span class="grow">
                    <span class="text">{comment.body}</span>
                    <br />
                    <span class="soft small">
                      {comment.by_operator && `${t('word.theTeam')}, `}
                      {day(comment.created_at, true)}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
      {item.state === 'done' &&
        (account ? (
          <Form
            label={t('feedback.comment')}
            work={({ body }) => ask(`/feedback/${encodeURIComponent(id)}/comments`, { method: 'POST', body: { body } })}
            done={again}
          >
            <label class="full">
              {t('feedback.yourComment')}
              <textarea name="body" rows={3} required maxLength={5000} />
            </label>
          </Form>
        ) : (
          account === null && <SignIn>{t('feedback.signInComment')}</SignIn>
        ))}
    </>
  );
}

/** The feedback board, and one item of it. */
export default function FeedbackPage(): JSX.Element {
  const { path } = useRoute();
  const id = path.split('/')[2];
  useEffect(() => {
    document.title = pageTitle(t('page.feedback'));
  }, []);
  return <main class="page">{id ? <One key={id} id={id} /> : <Board />}</main>;
}
