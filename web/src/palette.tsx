import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from './language.ts';
import { PAGES } from './pages.ts';
import { recentPlaces } from './recent.ts';
import { go, href } from './route.ts';
import { Search } from './search.tsx';
import { toggleTheme } from './theme.ts';

interface Command {
  readonly label: string;
  run(): void;
}

const OTHERS = [
  ['/sets', 'page.sets'],
  ['/file', 'page.file'],
  ['/account', 'page.account'],
] as const;

const commandsNow = (): readonly Command[] => [
  ...[...PAGES, ...OTHERS].map(([path, label]) => ({ label: t(label), run: () => go(href(path)) })),
  { label: t('page.docs'), run: () => location.assign(href('/docs')) },
  { label: t('search.colors'), run: toggleTheme },
];

/** Finds places, pages and commands, in a dialog over any page. */
export default function Palette({ close }: { close: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [q, setQ] = useState('');
  const [recent] = useState(recentPlaces);
  useEffect(() => {
    // The browser keeps the focus in it, and gives it back afterwards.
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, []);
  const leave = (then: () => void): void => {
    dialog.current?.close();
    then();
  };
  const words = q.toLowerCase();
  const commands = commandsNow().filter(({ label }) => label.toLowerCase().includes(words));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes every dialog.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('search.any')}
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <Search
        label={t('search.any')}
        onPick={(hit) => leave(() => go(href('/', { id: hit.id })))}
        onQuery={(wanted) => setQ(wanted)}
      />
      {/* The focus stays in the text field: the results above would close, and what is pressed would move away. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are the links and buttons in it. */}
      <div class="choices" onMouseDown={(event) => event.preventDefault()}>
        {q === '' && recent.length > 0 && (
          <>
            <h2>{t('search.recent')}</h2>
            <ul class="places">
              {recent.map(({ id, name, where }) => (
                <li key={id}>
                  <a href={href('/', { id })} onClick={() => dialog.current?.close()}>
                    <span>{name}</span>
                    <span class="soft">{where}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
        {commands.length > 0 && (
          <>
            <h2>{t('search.goTo')}</h2>
            <ul class="places">
              {commands.map(({ label, run }) => (
                <li key={label}>
                  <button type="button" class="quiet" onClick={() => leave(run)}>
                    {label}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </dialog>
  );
}
