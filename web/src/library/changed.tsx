import type { JSX } from 'preact';
import { ask } from '../api.ts';
import { area } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../route.ts';
import { Show, useLoad } from '../ui.tsx';

interface Change {
  readonly id: string;
  readonly name: string;
  readonly types: readonly ('created' | 'ended' | 'renamed' | 'recoded' | 'reshaped')[];
  readonly name_before?: string;
  readonly km2_before?: number | null;
  readonly km2?: number | null;
}

export interface Outdated {
  readonly total: number;
  readonly items: readonly Change[];
}

const WORDS: Readonly<Record<Change['types'][number], (change: Change) => string>> = {
  created: () => t('library.isNew'),
  ended: () => t('library.isGone'),
  renamed: ({ name_before = '' }) => t('library.wasCalled', { name: name_before }),
  recoded: () => t('library.otherCodes'),
  reshaped: ({ km2_before, km2 }) =>
    typeof km2_before === 'number' && typeof km2 === 'number'
      ? t('library.otherBorderFrom', { before: area(km2_before), now: area(km2) })
      : t('library.otherBorder'),
};

/** What changed of a file, on a line: the first boundaries by name. */
export function changedIn({ total, items }: Outdated): string {
  const names = items.map(({ name }) => name).join(', ');
  return total > items.length ? t('library.moreChanged', { names, total }) : t('library.changed', { names });
}

/** What changed of the boundaries of a library file since it was made. */
export function Changed({ id }: { id: string }): JSX.Element {
  const file = useLoad(`changes ${id}`, (signal) =>
    ask<{ outdated: Outdated | null }>(`/files/${encodeURIComponent(id)}`, { signal }),
  );
  return (
    <Show of={file}>
      {({ outdated }) => {
        if (outdated === null) return <p class="nothing">{t('library.theFileDoesNot')}</p>;
        if (outdated.total === 0) return <p class="nothing">{t('library.nothingHasChangedSince')}</p>;
        return (
          <>
            <p>
              {t(outdated.total === 1_000 ? 'library.changedAtLeast' : 'library.changedSince', { n: outdated.total })}
              {outdated.items.length < outdated.total && ` ${t('library.theFirst', { n: outdated.items.length })}`}
            </p>
            <ul>
              {outdated.items.map((one) => (
                <li key={one.id}>
                  {one.types.includes('ended') ? one.name : <a href={href('/', { id: one.id })}>{one.name}</a>}{' '}
                  {one.types.map((type) => WORDS[type](one)).join(', ')}
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Show>
  );
}
