import type { JSX } from 'preact';
import { given } from '../download/offer.ts';
import { DownloadPanel } from '../download/panel.tsx';
import { t } from '../language.ts';
import type { Opened } from './area_set.ts';

/** The areas of the version that is shown as one file. Moves are in no file before they are saved. */
export function TakeSet({
  opened: { set, version, areas },
  unsaved,
}: {
  opened: Opened;
  unsaved: number;
}): JSX.Element {
  if (unsaved > 0) return <p class="soft small">{t('sets.saveBeforeDownload')}</p>;
  const from = version.valid_from;
  const today = new Date().toISOString().slice(0, 10);
  const isInForce = set.versions.filter((one) => one.valid_from <= today).at(-1)?.valid_from === from;
  return (
    <DownloadPanel
      key={`d ${from}`}
      offers={[
        {
          ...{ key: 'set', label: set.title, name: isInForce ? set.title : `${set.title} ${from}` },
          ...{ op: 'export_collection', count: areas.length, units: areas.length },
          ...given({ set: set.name, ...(isInForce ? {} : { as_of: from }) }),
        },
      ]}
    />
  );
}
