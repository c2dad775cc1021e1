import { Component, type ComponentChildren, type ComponentType, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './api.ts';
import { DropTarget } from './file/drop.tsx';
import { t, useLanguage } from './language.ts';
import { LanguageSwitch } from './language_switch.tsx';
import { MapPage, panelOf } from './map_page.tsx';
import { PAGES } from './pages.ts';
import { follow, href, signInAddress, useRoute } from './route.ts';
import { type Account, findAccount, maySession, Session } from './session.ts';
import { toggleTheme, useTheme } from './theme.ts';
import { asFailure, Problem, Skeleton } from './ui.tsx';

/** Pages loaded on demand, by the first segment of their path. */
const VIEWS: Readonly<Record<string, () => Promise<{ default: ComponentType }>>> = {
  account: () => import('./account.tsx'),
  library: () => import('./library.tsx'),
  jobs: () => import('./library.tsx'),
  pricing: () => import('./pricing.tsx'),
  coverage: () => import('./coverage.tsx'),
  feedback: () => import('./feedback.tsx'),
  reviews: () => import('./reviews.tsx'),
};

/** Shows an error of the page itself instead of a blank page. */
class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  static override getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }
  override render(): ComponentChildren {
    if (this.state.error === null) return this.props.children;
    return (
      <main class="page">
        <h1>{t('shell.wrong')}</h1>
        <Problem failure={asFailure(this.state.error)} again={() => location.reload()} />
      </main>
    );
  }
}

/**
 * Marks the header as narrow while its links do not fit on one line, which depends on the width, the language and the name
 * of who is signed in.
 */
function useNarrow(header: { readonly current: HTMLElement | null }, language: string, who: string): void {
  useLayoutEffect(() => {
    const bar = header.current;
    const links = bar?.querySelector('nav');
    if (!bar || !links) return;
    const measure = (): void => {
      bar.classList.remove('narrow');
      bar.classList.toggle('narrow', links.scrollWidth > links.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(bar);
    return () => observer.disconnect();
  }, [language, who]);
}

function Header({ path, account }: { path: string; account: Account | null | undefined }): JSX.Element {
  const theme = useTheme();
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  const pages = useRef<HTMLElement>(null);
  const header = useRef<HTMLElement>(null);
  useNarrow(header, useLanguage(), account?.name || account?.email || '');
  const first = `/${path.split('/')[1] ?? ''}`;
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      // The closed menu cannot keep the focus. On a wide screen there is no button and nothing closes.
      if (pages.current?.contains(document.activeElement)) menu.current?.focus();
      setOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, []);
  return (
    <header class="top" ref={header}>
      <a class="brand" href={href('/')}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M6 8l10-4 10 5-1 11-9 8-9-7z" />
          <path class="inner" d="M6 8l10 7 9 5M16 15l0 13" />
        </svg>
        Boundary Lookup
      </a>
      <button
        ref={menu}
        type="button"
        class="quiet menu"
        aria-expanded={open}
        aria-controls="pages"
        onClick={() => setOpen(!open)}
      >
        {t('shell.menu')}
      </button>
      <nav ref={pages} id="pages" aria-label={t('shell.pages')} class={open ? 'open' : undefined}>
        {PAGES.map(([to, label]) => (
          <a key={to} href={href(to)} aria-current={to === first ? 'page' : undefined}>
            {t(label)}
          </a>
        ))}
        <a href={href('/docs')} data-plain>
          {t('page.docs')}
        </a>
      </nav>
      <button
        type="button"
        class="quiet theme"
        onClick={toggleTheme}
        aria-label={t(theme === 'dark' ? 'shell.toLight' : 'shell.toDark')}
      >
        <span aria-hidden="true">{theme === 'dark' ? '☀' : '☾'}</span>
      </button>
      <LanguageSwitch />
      {account === undefined ? (
        <span class="who" />
      ) : account === null ? (
        <a class="who" href={signInAddress()} data-plain>
          {t('shell.signIn')}
        </a>
      ) : (
        <a class="who" href={href('/account')} title={account.email}>
          {account.name || account.email}
        </a>
      )}
    </header>
  );
}

/** Shows a notice while the browser is offline. */
function Offline(): JSX.Element | null {
  const [online, set] = useState(navigator.onLine);
  useEffect(() => {
    const tell = (): void => set(navigator.onLine);
    addEventListener('online', tell);
    addEventListener('offline', tell);
    return () => {
      removeEventListener('online', tell);
      removeEventListener('offline', tell);
    };
  }, []);
  if (online) return null;
  return (
    <p class="offline" role="status">
      {t('shell.offline')}
    </p>
  );
}

function Page({ path }: { path: string }): JSX.Element {
  const name = path.split('/')[1] ?? '';
  const [page, setPage] = useState<{ name: string; View: ComponentType } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    setFailure(null);
    const load = VIEWS[name];
    if (!load) return setFailure(new Failure(t('shell.noPage'), { code: 'not_found', status: 404 }));
    load().then(
      ({ default: View }) => setPage({ name, View }),
      () => setFailure(new Failure(t('shell.notLoaded'), { code: 'unreachable' })),
    );
  }, [name]);
  if (failure) {
    return (
      <main class="page">
        <h1>{t('shell.wrong')}</h1>
        <Problem failure={failure} again={() => location.reload()} />
        <p>
          <a href={href('/')}>{t('page.map')}</a>
        </p>
      </main>
    );
  }
  if (page?.name !== name) {
    return (
      <main class="page">
        <Skeleton lines={6} />
      </main>
    );
  }
  return <page.View />;
}

/** Ctrl+K, or ⌘K, opens the dialog that finds places, pages and commands. */
function Shortcut(): JSX.Element | null {
  const [Palette, setPalette] = useState<ComponentType<{ close: () => void }> | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      import('./palette.tsx').then(
        ({ default: loaded }) => setPalette(() => loaded),
        () => undefined,
      );
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return Palette && <Palette close={() => setPalette(null)} />;
}

/** The whole dashboard. */
export function App(): JSX.Element {
  const { path } = useRoute();
  // All of the page is rendered again in another language.
  const language = useLanguage();
  // Before anything is shown.
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const [account, setAccount] = useState<Account | null | undefined>(maySession() ? undefined : null);
  useEffect(() => {
    findAccount().then(setAccount);
  }, []);
  const onMap = path === '/' || panelOf(path) !== null;
  return (
    <Session.Provider value={account}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is clicked. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link turns Enter into a click. */}
      <div class={onMap ? 'app mapped' : 'app'} onClick={follow}>
        <Header path={path} account={account} />
        <Offline />
        <DropTarget />
        <Shortcut />
        <Boundary>{onMap ? <MapPage path={path} /> : <Page path={path} />}</Boundary>
      </div>
    </Session.Provider>
  );
}
