import type { JSX } from 'preact';
import { useAction } from '../actions.tsx';
import { t } from '../language.ts';
import type { PanelProps } from '../panel.ts';
import { go, href } from '../route.ts';
import { Problem } from '../ui.tsx';
import { usePath } from './editor.tsx';
import { saveAreas, withArea } from './edits.ts';
import { newName } from './new_name.ts';
import { TitleForm } from './title_form.tsx';

/** A new set from an area that is drawn on the map. */
export function NewSet({ atlas }: { atlas: PanelProps['atlas'] }): JSX.Element {
  const { draw, controls } = usePath(atlas);
  const { busy, failure, run } = useAction(() => undefined);
  const start = (title: string): void => {
    void draw(true, (corners) => {
      void run(async () => {
        const { name } = await saveAreas(withArea([], t('word.area'), corners), { name: await newName(title), title });
        go(href(`/sets/${name}`));
      });
    });
  };
  return (
    <section aria-label={t('sets.drawNewSet')}>
      <TitleForm action={t('sets.drawFirst')} busy={busy} disabled={!atlas} onTitle={start} />
      {controls}
      {failure && <Problem failure={failure} />}
    </section>
  );
}
