import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Act, Form, type Page, Rest } from './actions.tsx';
import { type Answer, ask } from './api.ts';
import { capital, count, day, plural } from './format.ts';
import { href, useRoute } from './route.ts';
import { useAccount } from './session.ts';
import { Show, SignIn, useLoad } from './ui.tsx';

type Item = Answer<'list_feedback'>['items'][number];

type Whole = Answer<'get_feedback'>;

const words = (text: string): string => capital(text.replaceAll('_', ' '));

function Vote({ item, again }: { item: Item; again: () => void }): JSX.Element {
  const account = useAccount();
  if (!account) return <span class="votes">▲ {count(item.upvotes)}</span>;
  return (
    <Act
      label={`${item.voted ? '▲ Voted' : '△ Vote'} ${count(item.upvotes)}`}
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
            {words(one)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <h1>Feedback</h1>
      <p>Ask for features, report problems and vote for what matters to you.</p>
      <div class="fields">
        {choice('Kind', kind, setKind, ['all', 'feature', 'issue'])}
        {choice('Status', status, setStatus, ['active', 'all', 'open', 'planned', 'in_progress', 'done', 'declined'])}
        {choice('Order', sort, setSort, ['top', 'new'])}
      </div>
      <Show of={items} lines={6}>
        {({ items: list, total }) => (
          <>
            {list.length === 0 && <p class="nothing">Nothing here yet.</p>}
            <ul class="members">
              {list.map((item) => (
                <li key={item.id}>
                  <span class="grow">
                    <a href={href(`/feedback/${item.id}`)}>{item.title}</a>
                    <br />
                    <span class="soft small">
                      {words(item.kind)}, {words(item.status).toLowerCase()}, {plural(item.comment_count, 'comment')},{' '}
                      {day(item.created_at)}
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
      <h2>New</h2>
      {account ? (
        <Form
          label="Send"
          work={({ kind: path, title, details }) =>
            ask(`/feedback/${path}`, { method: 'POST', body: { title, details } })
          }
          done={again}
        >
          <label>
            Kind
            <select name="kind">
              <option value="features">Feature</option>
              <option value="issues">Problem</option>
            </select>
          </label>
          <label class="grow">
            Title
            <input name="title" required maxLength={200} />
          </label>
          <label class="full">
            Details
            <textarea name="details" rows={4} maxLength={10000} />
          </label>
        </Form>
      ) : (
        account === null && <SignIn>to write and to vote.</SignIn>
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
        <a href={href('/feedback')}>Feedback</a>
      </p>
      <Show of={item} lines={5}>
        {(value) => (
          <>
            <h1>{value.title}</h1>
            <p class="row">
              <span class="soft">
                {words(value.kind)}, {words(value.status).toLowerCase()}, {day(value.created_at)}
              </span>
              <Vote item={value} again={again} />
            </p>
            <p class="text">{value.details}</p>
            <h2>{plural(value.comments.total, 'comment')}</h2>
            <ul class="members">
              {value.comments.items.map((comment) => (
                <li key={comment.id}>
                  <span class="grow">
                    <span class="text">{comment.body}</span>
                    <br />
                    <span class="soft small">
                      {comment.by_operator && 'The team, '}
                      {day(comment.created_at, true)}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
      {account ? (
        <Form
          label="Comment"
          work={({ body }) => ask(`/feedback/${encodeURIComponent(id)}/comments`, { method: 'POST', body: { body } })}
          done={again}
        >
          <label class="full">
            Your comment
            <textarea name="body" rows={3} required maxLength={5000} />
          </label>
        </Form>
      ) : (
        account === null && <SignIn>to comment.</SignIn>
      )}
    </>
  );
}

/** The feedback board, and one item of it. */
export default function FeedbackPage(): JSX.Element {
  const { path } = useRoute();
  const id = path.split('/')[2];
  useEffect(() => {
    document.title = 'Feedback · Boundary Lookup';
  }, []);
  return <main class="page">{id ? <One key={id} id={id} /> : <Board />}</main>;
}
