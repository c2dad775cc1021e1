import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Form, type Page } from './actions.tsx';
import { ask } from './api.ts';
import { count, day, plural } from './format.ts';
import { useAccount } from './session.ts';
import { Show, SignIn, useLoad } from './ui.tsx';

interface Review {
  readonly id: string;
  readonly rating: number;
  readonly title: string;
  readonly body: string;
  readonly likes: string;
  readonly dislikes: string;
  readonly use_case: string;
  readonly display_name: string;
  readonly display_company: string | null;
  readonly response: { readonly body: string; readonly created_at: string } | null;
}

interface Reviews extends Page<Review> {
  readonly average: number | null;
  readonly distribution: Readonly<Record<string, number>>;
}

const STARS = [5, 4, 3, 2, 1] as const;

function Stars({ rating }: { rating: number }): JSX.Element {
  return (
    <span class="stars">
      <span aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(5 - rating)}</span>
      <span class="hidden">{plural(rating, 'star')} of 5</span>
    </span>
  );
}

/** The reviews of the service, and the visitor's own. */
export default function ReviewsPage(): JSX.Element {
  const account = useAccount();
  const [sort, setSort] = useState('new');
  const [sent, setSent] = useState(false);
  const reviews = useLoad(`reviews ${sort}`, (signal) =>
    ask<Reviews>('/reviews', { query: { sort, limit: 50 }, signal }),
  );
  useEffect(() => {
    document.title = 'Reviews · Boundary Lookup';
  }, []);
  return (
    <main class="page">
      <h1>Reviews</h1>
      <Show of={reviews} lines={6}>
        {({ items, total, average, distribution }) =>
          total === 0 ? (
            <p class="nothing">No reviews yet.</p>
          ) : (
            <>
              <p>
                <b class="figure">
                  {average === null ? '' : average.toLocaleString(undefined, { maximumFractionDigits: 1 })}
                </b>{' '}
                of 5 from {plural(total, 'review')}
              </p>
              <table class="table bars">
                <caption class="hidden">Reviews by stars</caption>
                <tbody>
                  {STARS.map((stars) => (
                    <tr key={stars}>
                      <th scope="row">
                        <Stars rating={stars} />
                      </th>
                      <td>
                        <span class="bar" style={{ width: `${((distribution[stars] ?? 0) / total) * 70}%` }} />{' '}
                        {count(distribution[stars] ?? 0)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <div class="fields">
                <label>
                  Order
                  <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
                    {['new', 'helpful', 'highest', 'lowest'].map((value) => (
                      <option key={value}>{value}</option>
                    ))}
                  </select>
                </label>
              </div>
              {items.map((review) => (
                <article key={review.id} class="review">
                  <h2>
                    <Stars rating={review.rating} /> {review.title}
                  </h2>
                  <p class="soft small">
                    {review.display_name}
                    {review.display_company && `, ${review.display_company}`}
                  </p>
                  {[review.body, review.likes, review.dislikes, review.use_case].filter(Boolean).map((text) => (
                    <p key={text} class="text">
                      {text}
                    </p>
                  ))}
                  {review.response && (
                    <p class="flag text">
                      {review.response.body} <span class="soft small">The team, {day(review.response.created_at)}</span>
                    </p>
                  )}
                </article>
              ))}
            </>
          )
        }
      </Show>
      <h2>Your review</h2>
      {sent && <p role="status">Thank you. It will be published after someone has read it.</p>}
      {account ? (
        <Form
          label="Send"
          work={({ rating, title, body }) =>
            ask('/reviews/me', { method: 'PUT', body: { rating: Number(rating), title, body } })
          }
          done={() => setSent(true)}
        >
          <label>
            Stars
            <select name="rating">
              {STARS.map((stars) => (
                <option key={stars}>{stars}</option>
              ))}
            </select>
          </label>
          <label class="grow">
            Title
            <input name="title" maxLength={200} />
          </label>
          <label class="full">
            Text
            <textarea name="body" rows={4} maxLength={5000} />
          </label>
        </Form>
      ) : (
        account === null && <SignIn>to write one.</SignIn>
      )}
    </main>
  );
}
