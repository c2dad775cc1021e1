import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Page } from './actions.tsx';
import { ask } from './api.ts';
import { day, pageTitle } from './format.ts';
import { t } from './language.ts';
import type { PanelProps } from './panel.ts';
import { href } from './route.ts';
import { useAccount } from './session.ts';
import type { AreaSet } from './sets/area_set.ts';
import { NewSet } from './sets/new_set.tsx';
import { OneSet } from './sets/one.tsx';
import { Show, SignIn, said, useLoad } from './ui.tsx';

/** The area sets of the organization, or one of them on the map. */
export default function SetsPanel(props: PanelProps): JSX.Element {
  const account = useAccount();
  const name = props.route.path.split('/')[2];
  if (account && name) return <OneSet key={name} name={name} {...props} />;
  return <List {...props} signedIn={account === undefined ? undefined : account !== null} />;
}

const MOST_LISTED = 100;

function List({ click, signedIn, atlas }: PanelProps & { signedIn: boolean | undefined }): JSX.Element {
  click.current = () => undefined;
  useEffect(() => {
    document.title = pageTitle(t('page.sets'));
  }, []);
  const sets = useLoad(signedIn ? 'sets' : null, (signal) =>
    ask<Page<AreaSet>>('/sets', { query: { limit: MOST_LISTED }, signal }),
  );
  return (
    <div class="scroll">
      <h1 tabIndex={-1}>{t('page.sets')}</h1>
      <p>{t('sets.areasOfYourOwn')}</p>
      {signedIn === false && <SignIn>{t('sets.signIn')}</SignIn>}
      {signedIn && (
        <Show of={sets}>
          {({ items, total }) => (
            <>
              {items.length === 0 && (
                <p class="nothing">
                  {said('sets.nothing', {
                    link: <a href={href('/file')}>{t('place.orFile')}</a>,
                    groups: <a href={href('/union', { groups: 'new' })}>{t('sets.makeGroups')}</a>,
                  })}
                </p>
              )}
              <ul class="places">
                {items.map(({ name, title, versions }) => (
                  <li key={name}>
                    <a href={href(`/sets/${name}`)}>
                      <span>{title}</span>
                      <span class="soft">
                        {t('word.areas', { n: versions.at(-1)?.areas ?? 0 })}, {day(versions.at(-1)?.valid_from ?? '')}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
              {items.length > 0 && (
                <p class="soft small">
                  {said('sets.another', { link: <a href={href('/file')}>{t('place.orFile')}</a> })}
                </p>
              )}
              <NewSet atlas={atlas} />
              {total > items.length && <p class="soft small">{t('word.firstOf', { shown: items.length, total })}</p>}
            </>
          )}
        </Show>
      )}
    </div>
  );
}
