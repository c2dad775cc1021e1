import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Act, Form } from '../actions.tsx';
import { type Answer, ask } from '../api.ts';
import { day } from '../format.ts';
import { Copy, Show, useLoad } from '../ui.tsx';

type Share = NonNullable<Answer<'get_file'>['shares']>[number];

const DAYS = [1, 7, 30, 90, 365];

/** Whom a file is shared with, and its links. */
export function Shares({ id, turn, again }: { id: string; turn: number; again: () => void }): JSX.Element {
  const file = useLoad(`file ${id} ${turn}`, (signal) => ask<{ shares: Share[] | null }>(`/files/${id}`, { signal }));
  const [made, setMade] = useState<Share | null>(null);
  const link = async ({ link_days }: Record<string, string>): Promise<void> => {
    const body = { link_days: Number(link_days) };
    const { items } = await ask<{ items: Share[] }>(`/files/${id}/shares`, { method: 'POST', body });
    setMade(items.find((share) => share.link?.url !== undefined) ?? null);
  };
  const teams = useLoad('teams', (signal) => ask<{ items: { id: string; name: string }[] }>('/orgs/teams', { signal }));
  return (
    <Show of={file}>
      {({ shares }) => (
        <>
          {!shares?.length && <p class="nothing">Shared with no one.</p>}
          <ul class="members">
            {shares?.map((share) => (
              <li key={share.grant_id}>
                <span class="grow">
                  {share.link
                    ? `A link, until ${day(share.link.expires_at, true)}`
                    : (share.team?.name ?? share.user?.name ?? share.user?.email)}
                </span>
                <Act
                  label="End"
                  about={share.link ? 'this link' : 'this share'}
                  work={() => ask(`/files/${id}/shares/${share.grant_id}`, { method: 'DELETE' })}
                  done={again}
                />
              </li>
            ))}
          </ul>
          <Form
            label="Share"
            work={({ team, user }) => ask(`/files/${id}/shares`, { method: 'POST', body: team ? { team } : { user } })}
            done={again}
          >
            {teams.state === 'done' && teams.value.items.length > 0 && (
              <label>
                Team
                <select name="team">
                  <option value="">(a person)</option>
                  {teams.value.items.map((team) => (
                    <option key={team.id} value={team.id}>
                      {team.name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <label>
              Email of a member
              <input name="user" type="email" maxLength={254} />
            </label>
          </Form>
          <Form label="Make a link" work={link} done={again}>
            <label>
              A link for anyone who has it works for
              <select name="link_days">
                {DAYS.map((days) => (
                  <option key={days} value={days} selected={days === 7}>
                    {days === 1 ? '1 day' : `${days} days`}
                  </option>
                ))}
              </select>
            </label>
          </Form>
          {made?.link?.url && shares?.some(({ grant_id }) => grant_id === made.grant_id) && (
            <p class="row" role="status">
              <label class="grow">
                The link, which is shown only now
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
