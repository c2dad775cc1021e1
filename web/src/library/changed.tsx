import type { JSX } from 'preact';
import { ask } from '../api.ts';
import { area, plural } from '../format.ts';
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
  created: () => 'is new',
  ended: () => 'is no longer stored',
  renamed: ({ name_before }) => `was called ${name_before}`,
  recoded: () => 'has other codes',
  reshaped: ({ km2_before, km2 }) =>
    typeof km2_before === 'number' && typeof km2 === 'number'
      ? `has another border: ${area(km2_before)} before, ${area(km2)} now`
      : 'has another border',
};

/** What changed of a file, on a line: the first boundaries by name. */
export function changedIn({ total, items }: Outdated): string {
  const names = items.map(({ name }) => name).join(', ');
  return total > items.length ? `${names} and more changed (${total})` : `${names} changed`;
}

/** What changed of the boundaries of a library file since it was made. */
export function Changed({ id }: { id: string }): JSX.Element {
  const file = useLoad(`changes ${id}`, (signal) =>
    ask<{ outdated: Outdated | null }>(`/files/${encodeURIComponent(id)}`, { signal }),
  );
  return (
    <Show of={file}>
      {({ outdated }) => {
        if (outdated === null)
          return <p class="nothing">The file does not say which boundaries it is made of, or it is of too many.</p>;
        if (outdated.total === 0) return <p class="nothing">Nothing has changed since the file was made.</p>;
        return (
          <>
            <p>
              {outdated.total === 1_000
                ? 'At least 1,000 boundaries'
                : plural(outdated.total, 'boundary', 'boundaries')}{' '}
              changed since the file was made
              {outdated.items.length < outdated.total && `; the first ${outdated.items.length}`}:
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
