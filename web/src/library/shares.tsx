import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Form } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import { Copy, Show, useLoad } from '../ui.tsx';

type Share = NonNullable<Answer<'get_file'>['shares']>[number];

const DAYS = [1, 7, 30, 90, 365];
const ACCESSES = ['read', 'write', 'admin'] as const;

/** Whom a file of the library or an area set is shared with, and the links to a file. */
export function Shares({
  of,
  turn,
  again,
}: {
  /** Its path: `/files/ID` or `/sets/NAME`. */
  of: string;
  turn: number;
  again: () => void;
}): JSX.Element {
  const shared = useLoad(`shares ${of} ${turn}`, (signal) => ask<{ shares: Share[] | null }>(of, { signal }));
  const [made, setMade] = useState<Share | null>(null);
  const link = async ({ link_days }: Record<string, string>): Promise<void> => {
    const body = { link_days: Number(link_days) };
    const { items } = await ask<{ items: Share[] }>(`${of}/shares`, { method: 'POST', body });
    setMade(items.find((share) => share.link?.url !== undefined) ?? null);
  };
  const teams = useLoad('teams', (signal) => ask<{ items: { id: string; name: string }[] }>('/orgs/teams', { signal }));
  return (
    <Show of={shared}>
      {({ shares }) => (
        <>
          {!shares?.length && <p class="nothing">{t('library.sharedWithNoOne')}</p>}
          <ul class="members">
            {shares?.map((share) => (
              <li key={share.grant_id}>
                <span class="grow">
                  {share.link
                    ? t('library.linkUntil', { day: day(share.link.expires_at, true) })
                    : `${share.team?.name ?? share.user?.name ?? share.user?.email}: ${t(`library.may.${share.access}`)}`}
                </span>
                <Act
                  label={t('library.end')}
                  about={t(share.link ? 'library.thisLink' : 'library.thisShare')}
                  work={() => ask(`${of}/shares/${share.grant_id}`, { method: 'DELETE' })}
                  done={again}
                />
              </li>
            ))}
          </ul>
          <Form
            label={t('word.share')}
            work={({ team, user, access }) =>
              ask(`${of}/shares`, { method: 'POST', body: team ? { team, access } : { user, access } })
            }
            done={again}
          >
            {teams.state === 'done' && teams.value.items.length > 0 && (
              <label>
                {t('library.team')}
                <select name="team">
                  <option value="">{t('library.aPerson')}</option>
                  {teams.value.items.map((team) => (
                    <option key={team.id} value={team.id}>
                      {team.name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <label>
              {t('library.emailOfAMember')}
              <input name="user" type="email" maxLength={254} />
            </label>
            <label>
              {t('library.may')}
              <select name="access">
                {ACCESSES.map((access) => (
                  <option key={access} value={access}>
                    {t(`library.may.${access}`)}
                  </option>
                ))}
              </select>
            </label>
          </Form>
          {of.startsWith('/files/') && (
            <Form label={t('library.makeALink')} work={link} done={again}>
              <label>
                {t('library.aLinkForAnyone')}
                <select name="link_days">
                  {DAYS.map((days) => (
                    <option key={days} value={days} selected={days === 7}>
                      {t('word.days', { n: days })}
                    </option>
                  ))}
                </select>
              </label>
            </Form>
          )}
          {made?.link?.url && shares?.some(({ grant_id }) => grant_id === made.grant_id) && (
            <p class="row" role="status">
              <label class="grow">
                {t('library.theLinkWhichIs')}
                <input readOnly value={made.link.url} />
              </label>
              <Copy text={made.link.url} />
            </p>
          )}
        </>
      )}
    </Show>
  );
}
