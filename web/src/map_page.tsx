import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Explore } from './explore.tsx';
import { t } from './language.ts';
import type { PanelProps } from './panel.ts';
import { currentRoute, go, href, useRoute } from './route.ts';
import { Toolbar } from './tools/toolbar.tsx';
import { Show, useLoad } from './ui.tsx';
import { useAtlas } from './use_atlas.ts';

/** Panels loaded on demand, by path. */
export const PANELS: Readonly<Record<string, () => Promise<{ default: ComponentType<PanelProps> }>>> = {
  '/file': () => import('./file.tsx'),
  '/select': () => import('./select.tsx'),
  '/union': () => import('./union.tsx'),
  '/area': () => import('./area.tsx'),
  '/figures': () => import('./figures.tsx'),
  '/map': () => import('./time.tsx'),
  '/sets': () => import('./sets.tsx'),
};

/** The panel of a path: that of its first part; null for a path without one. */
export function panelOf(path: string): string | null {
  const first = /^\/sets\/[^/]+$/.test(path) ? '/sets' : path;
  return Object.hasOwn(PANELS, first) ? first : null;
}

function Panel({ path, ...props }: PanelProps & { path: string }): JSX.Element {
  const panel = useLoad(path, async () => {
    const open = PANELS[path];
    if (!open) throw new Error(t('shell.noPage'));
    return { View: (await open()).default };
  });
  return <Show of={panel}>{({ View }) => <View {...props} />}</Show>;
}

/** The map with a panel beside it. */
export function MapPage({ path }: { path: string }): JSX.Element {
  const route = useRoute();
  const [hovered, setHovered] = useState<string | null>(null);
  const { container, atlas, drawn, problem, attribution, click } = useAtlas(setHovered);
  useEffect(() => atlas?.highlight(hovered), [atlas, hovered]);
  const panel = panelOf(path);
  // The other panels set their own handler.
  if (panel === null) {
    click.current = ({ lat, lon }) =>
      go(href('/', { at: `${lat},${lon}`, map: currentRoute().query.get('map') ?? undefined }));
  }
  return (
    <main class="split">
      <div class="panel">
        {panel !== null ? (
          <Panel key={panel} path={panel} route={route} atlas={atlas} click={click} />
        ) : (
          <Explore route={route} atlas={atlas} onHover={setHovered} />
        )}
      </div>
      <section class="map" aria-label={t('shell.map')}>
        <div class="canvas" ref={container} />
        {!drawn && !problem && <p class="loading">{t('shell.loadingMap')}</p>}
        {problem && (
          <p class="loading" role="alert">
            {problem}
          </p>
        )}
        {atlas && <Toolbar atlas={atlas} attribution={attribution} />}
        {attribution && (
          <a class="attribution" href={href('/coverage')} title={attribution}>
            {t('shell.data', { names: attribution })}
          </a>
        )}
      </section>
    </main>
  );
}
