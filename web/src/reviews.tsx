import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Form, type Page } from './actions.tsx';
import { ask } from './api.ts';
import { count, day, number, pageTitle } from './format.ts';
import { t } from './language.ts';
import { useAccount } from './session.ts';
import { Show, SignIn, said, useLoad } from './ui.tsx';

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
      <span class="hidden">{t('reviews.ofFive', { n: rating })}</span>
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
    document.title = pageTitle(t('page.reviews'));
  }, []);
  return (
    <main class="page">
      <h1>{t('page.reviews')}</h1>
      <Show of={reviews} lines={6}>
        {({ items, total, average, distribution }) =>
          total === 0 ? (
            <p class="nothing">{t('reviews.noReviewsYet')}</p>
          ) : (
            <>
              <p>
                {said('reviews.average', {
                  average: <b class="figure">{average === null ? '' : number(Math.round(average * 10) / 10)}</b>,
                  n: total,
                })}
              </p>
              <table class="table bars">
                <caption class="hidden">{t('reviews.reviewsByStars')}</caption>
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
                  {t('word.order')}
                  <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
                    {(['new', 'helpful', 'highest', 'lowest'] as const).map((value) => (
                      <option key={value} value={value}>
                        {t(`reviews.${value}`)}
                      </option>
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
                      {review.response.body}{' '}
                      <span class="soft small">
                        {t('word.theTeam')}, {day(review.response.created_at)}
                      </span>
                    </p>
                  )}
                </article>
              ))}
            </>
          )
        }
      </Show>
      <h2>{t('reviews.yourReview')}</h2>
      {sent && <p role="status">{t('reviews.thankYouItWill')}</p>}
      {account ? (
        <Form
          label={t('word.send')}
          work={({ rating, title, body }) =>
            ask('/reviews/me', { method: 'PUT', body: { rating: Number(rating), title, body } })
          }
          done={() => setSent(true)}
        >
          <label>
            {t('reviews.stars')}
            <select name="rating">
              {STARS.map((stars) => (
                <option key={stars}>{stars}</option>
              ))}
            </select>
          </label>
          <label class="grow">
            {t('word.title')}
            <input name="title" maxLength={200} />
          </label>
          <label class="full">
            {t('reviews.text')}
            <textarea name="body" rows={4} maxLength={5000} />
          </label>
        </Form>
      ) : (
        account === null && <SignIn>{t('reviews.signIn')}</SignIn>
      )}
    </main>
  );
}
