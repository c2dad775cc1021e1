import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chooseLanguage, t, useLanguage } from './language.ts';
import { LANGUAGES, type Language } from './text.ts';

/** A button that opens the languages of the pages; Escape closes them. */
export function LanguageSwitch(): JSX.Element {
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [open]);
  return (
    <div class="languages">
      <button ref={opener} type="button" class="quiet theme" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="hidden">{t('shell.language')}: </span>
        {language.toUpperCase()}
      </button>
      {open && (
        <fieldset aria-label={t('shell.language')}>
          {(Object.entries(LANGUAGES) as [Language, string][]).map(([tag, name]) => (
            <button
              key={tag}
              type="button"
              class="quiet"
              lang={tag}
              aria-pressed={tag === language}
              onClick={() => chooseLanguage(tag).then(close)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
