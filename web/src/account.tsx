import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Apps } from './account/apps.tsx';
import { Audit } from './account/audit.tsx';
import { Keys } from './account/keys.tsx';
import { MemberList } from './account/members.tsx';
import { Overview } from './account/overview.tsx';
import { Teams } from './account/teams.tsx';
import { Members as NeedsAccount } from './actions.tsx';
import { pageTitle } from './format.ts';
import { t } from './language.ts';
import { href, useRoute } from './route.ts';
import { type Account, useAccount } from './session.ts';
import type { Key } from './texts/en.ts';

type Page = readonly [slug: string, title: Key, (props: { account: Account }) => JSX.Element];
const NOWHERE: Page = ['', 'shell.noPage', () => <h1>{t('shell.noPage')}</h1>];
const PAGES: readonly Page[] = [
  ['', 'account.overview', Overview],
  ['members', 'word.members', MemberList],
  ['teams', 'account.teams', Teams],
  ['keys', 'account.apiKeys', Keys],
  ['apps', 'account.connectedApps', Apps],
  ['audit', 'account.auditLog', Audit],
];

/** The pages of the account and its organization. */
export default function AccountPage(): JSX.Element {
  const { path } = useRoute();
  const account = useAccount();
  const name = path.split('/')[2] ?? '';
  const [, title, View] = PAGES.find(([slug]) => slug === name) ?? NOWHERE;
  useEffect(() => {
    document.title = pageTitle(t(title));
  }, [title]);
  return (
    <main class="page">
      <NeedsAccount title={t('page.account')}>
        <div class="sections">
          <nav aria-label={t('page.account')}>
            {PAGES.map(([slug, label]) => (
              <a
                key={slug}
                href={href(slug ? `/account/${slug}` : '/account')}
                aria-current={slug === name ? 'page' : undefined}
              >
                {t(label)}
              </a>
            ))}
          </nav>
          <div>{account && <View key={name} account={account} />}</div>
        </div>
      </NeedsAccount>
    </main>
  );
}
