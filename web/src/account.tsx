import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Apps } from './account/apps.tsx';
import { Audit } from './account/audit.tsx';
import { Keys } from './account/keys.tsx';
import { MemberList } from './account/members.tsx';
import { Overview } from './account/overview.tsx';
import { Teams } from './account/teams.tsx';
import { Members as NeedsAccount } from './actions.tsx';
import { href, useRoute } from './route.ts';
import { type Account, useAccount } from './session.ts';

type Page = readonly [slug: string, title: string, (props: { account: Account }) => JSX.Element];
const OVERVIEW: Page = ['', 'Overview', Overview];
const PAGES: readonly Page[] = [
  OVERVIEW,
  ['members', 'Members', MemberList],
  ['teams', 'Teams', Teams],
  ['keys', 'API keys', Keys],
  ['apps', 'Connected apps', Apps],
  ['audit', 'Audit log', Audit],
];

/** The pages of the account and its organization. */
export default function AccountPage(): JSX.Element {
  const { path } = useRoute();
  const account = useAccount();
  const name = path.split('/')[2] ?? '';
  const [, title, View] = PAGES.find(([slug]) => slug === name) ?? OVERVIEW;
  useEffect(() => {
    document.title = `${title} · Boundary Lookup`;
  }, [title]);
  return (
    <main class="page">
      <NeedsAccount title="Account">
        <div class="sections">
          <nav aria-label="Account">
            {PAGES.map(([slug, label]) => (
              <a
                key={slug}
                href={href(slug ? `/account/${slug}` : '/account')}
                aria-current={slug === name ? 'page' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <div>{account && <View key={name} account={account} />}</div>
        </div>
      </NeedsAccount>
    </main>
  );
}
