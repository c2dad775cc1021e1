import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../language.ts';

/** Most characters of the title of a set. */
const MOST_TITLE = 100;

/** Asks for the title of a new set. `onTitle` gets it without spaces around it, unless it is empty or the form is busy. */
export function TitleForm({
  action,
  label,
  busy,
  disabled = false,
  onTitle,
}: {
  /** The text of the button. */
  action: string;
  /** The name of the form for screen readers. */
  label?: string;
  busy: boolean;
  disabled?: boolean;
  onTitle: (title: string) => void;
}): JSX.Element {
  const [title, setTitle] = useState('');
  return (
    <form
      class="fields"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = title.trim();
        if (!busy && wanted !== '') onTitle(wanted);
      }}
    >
      <label>
        {t('sets.titleOfNew')}
        <input
          value={title}
          required
          maxLength={MOST_TITLE}
          autocomplete="off"
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="quiet" disabled={disabled} aria-disabled={busy}>
        {busy ? t('word.saving') : action}
      </button>
    </form>
  );
}
