import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Act } from '../actions.tsx';
import { ask } from '../api.ts';
import { t } from '../language.ts';
import { Shares } from '../library/shares.tsx';
import { go, href } from '../route.ts';
import type { AreaSet } from './area_set.ts';

/** Who sees a set, for those who decide it: all of the organization or not, shares with teams and members, its deletion. */
export function Sharing({ set }: { set: AreaSet }): JSX.Element {
  const of = `/sets/${encodeURIComponent(set.name)}`;
  const [visibility, setVisibility] = useState(set.visibility);
  const [turn, setTurn] = useState(0);
  const other = visibility === 'org' ? 'restricted' : 'org';
  return (
    <section aria-label={t('sets.whoSeesIt')}>
      <h2>{t('sets.whoSeesIt')}</h2>
      <p role="status">{t(visibility === 'org' ? 'sets.allSeeIt' : 'sets.someSeeIt')}</p>
      <p class="row">
        <Act
          label={t(visibility === 'org' ? 'library.restrict' : 'library.showToAll')}
          about={set.title}
          work={() => ask(of, { method: 'PATCH', body: { visibility: other } })}
          done={() => setVisibility(other)}
        />
        <Act
          label={t('library.delete')}
          about={set.title}
          confirm={t('sets.allVersionsGo')}
          work={() => ask(of, { method: 'DELETE' })}
          done={() => go(href('/sets'))}
        />
      </p>
      <Shares of={of} turn={turn} again={() => setTurn((n) => n + 1)} />
    </section>
  );
}
