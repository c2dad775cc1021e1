import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { t } from '../language.ts';
import type { PanelProps } from '../map_page.tsx';
import { go, href } from '../route.ts';
import { Problem } from '../ui.tsx';
import { usePath } from './editor.tsx';
import { saveAreas, withArea } from './edits.ts';
import { newName } from './new_name.ts';

/** A new set from an area that is drawn on the map. */
export function NewSet({ atlas }: { atlas: PanelProps['atlas'] }): JSX.Element {
  const [title, setTitle] = useState('');
  const { draw, controls } = usePath(atlas);
  const { busy, failure, run } = useAction(() => undefined);
  return (
    <section aria-label={t('sets.drawNewSet')}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = title.trim();
          if (busy || wanted === '') return;
          void draw(true, (corners) => {
            void run(async () => {
              const { name } = await saveAreas(withArea([], t('word.area'), corners), {
                name: await newName(wanted),
                title: wanted,
              });
              go(href(`/sets/${name}`));
            });
          });
        }}
      >
        <label>
          {t('sets.titleOfNew')}
          <input
            value={title}
            required
            maxLength={100}
            autocomplete="off"
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="quiet" disabled={!atlas} aria-disabled={busy}>
          {t('sets.drawFirst')}
        </button>
      </form>
      {controls}
      {failure && <Problem failure={failure} />}
    </section>
  );
}
