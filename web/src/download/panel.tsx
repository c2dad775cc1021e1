import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { language, t } from '../language.ts';
import { Show, useLoad } from '../ui.tsx';
import type { Offer } from './offer.ts';

/** Everything that can be downloaded here, in every format. What it is made of is loaded when it is opened. */
export function DownloadPanel({
  offers,
  onShape,
}: {
  offers: readonly Offer[];
  /** Draws the shapes as they will be downloaded; null: no longer. */
  onShape?: (shapes: GeoJSON.FeatureCollection | null) => void;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const form = useLoad(open ? 'download' : null, async () => ({ Form: (await import('./form.tsx')).default }));
  return (
    <details
      class="fold"
      lang={language()}
      onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}
    >
      <summary>{t('download.title')}</summary>
      {open && <Show of={form}>{({ Form }) => <Form offers={offers} onShape={onShape} />}</Show>}
    </details>
  );
}
