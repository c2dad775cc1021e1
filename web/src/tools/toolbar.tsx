import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import type { Atlas } from '../atlas.ts';
import { language, t } from '../language.ts';
import { type LegendEntry, useShownLegend } from '../legend.ts';
import { Problem } from '../ui.tsx';
import { drawLight, lightColor } from './light.ts';

type Measure = ComponentType<{ atlas: Atlas; close: () => void }>;

function Entry({ color, label }: LegendEntry): JSX.Element {
  return (
    <li>
      <svg width="12" height="12" aria-hidden="true">
        {color === null ? (
          <path d="M0 12L12 0M0 6L6 0M6 12L12 6" stroke="currentColor" />
        ) : (
          <rect width="12" height="12" fill={color} />
        )}
      </svg>{' '}
      {label}
    </li>
  );
}

/**
 * What a print of the page has in place of the map, which itself cannot be printed, and of the panel. `ready` is the map
 * in light colors; a print that the browser's menu starts cannot wait for those, and has the map as it is.
 */
function Printed({
  atlas,
  attribution,
  ready,
}: {
  atlas: Atlas;
  attribution: string;
  ready: { current: HTMLCanvasElement | null };
}): JSX.Element {
  const { title, entries } = useShownLegend();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const copy = (): void => {
      const picture = ready.current ?? document.createElement('canvas');
      if (ready.current === null) atlas.draw(picture);
      place.current?.replaceChildren(picture);
    };
    const clear = (): void => {
      ready.current = null;
      place.current?.replaceChildren();
    };
    addEventListener('beforeprint', copy);
    addEventListener('afterprint', clear);
    return () => {
      removeEventListener('beforeprint', copy);
      removeEventListener('afterprint', clear);
    };
  }, [atlas]);
  return (
    <div class="printed">
      {title !== '' && <h1>{title}</h1>}
      <div ref={place} />
      <ul>
        {entries.map((entry) => (
          <Entry key={`${entry.color} ${entry.label}`} {...entry} color={lightColor(entry.color)} />
        ))}
      </ul>
      {attribution !== '' && <p>{t('shell.data', { names: attribution })}</p>}
    </div>
  );
}

/** Tools over the map: measure, print, and the view as a picture. */
export function Toolbar({ atlas, attribution }: { atlas: Atlas; attribution: string }): JSX.Element {
  const [View, setView] = useState<Measure | null>(null);
  const [open, setOpen] = useState(false);
  const measure = useRef<HTMLButtonElement>(null);
  const legend = useShownLegend();
  const ready = useRef<HTMLCanvasElement | null>(null);
  const { failure, run: attempt } = useAction(() => undefined);
  const close = (): void => {
    setOpen(false);
    measure.current?.focus();
  };
  const toggle = (): Promise<boolean> =>
    attempt(async () => {
      if (open) return close();
      const { default: loaded } = await import('./measure.tsx');
      setView(() => loaded);
      setOpen(true);
    });
  const save = (): Promise<boolean> =>
    attempt(async () => {
      const { savePicture } = await import('./picture.ts');
      await savePicture(atlas, { ...legend, attribution });
    });
  const printLight = (): Promise<boolean> =>
    attempt(async () => {
      const picture = document.createElement('canvas');
      await drawLight(atlas, picture);
      ready.current = picture;
      print();
    });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      void printLight();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [atlas]);
  return (
    <>
      <div class="tools">
        <fieldset class="row" lang={language()} aria-label={t('tools.label')}>
          <button ref={measure} type="button" class="quiet small" aria-expanded={open} onClick={toggle}>
            {t('tools.measure')}
          </button>
          <button type="button" class="quiet small" onClick={printLight}>
            {t('tools.print')}
          </button>
          <button type="button" class="quiet small" onClick={save}>
            {t('tools.picture')}
            <span class="hidden"> {t('tools.asPng')}</span>
          </button>
        </fieldset>
        {failure && <Problem failure={failure} />}
        {open && View && <View atlas={atlas} close={close} />}
      </div>
      <Printed atlas={atlas} attribution={attribution} ready={ready} />
    </>
  );
}
