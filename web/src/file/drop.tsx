import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../language.ts';
import { currentRoute, go, href } from '../route.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Takes files that are dropped anywhere on the page, and shows them on the map: as areas, or on `/figures` as a table. */
export function DropTarget(): JSX.Element | null {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const take = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      import('./dropped.ts').then(({ drop }) => {
        // Tables become maps there; elsewhere a file is shown as it is.
        if (currentRoute().path !== '/figures') go(href('/file'));
        drop(files);
      });
    };
    addEventListener('dragover', enter);
    addEventListener('dragleave', leave);
    addEventListener('drop', take);
    return () => {
      removeEventListener('dragover', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', take);
    };
  }, []);
  return over ? (
    <p class="dropping" role="status">
      {t('file.dropTheFileTo')}
    </p>
  ) : null;
}
