import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { t } from '../language.ts';
import { Copy, Show, useLoad } from '../ui.tsx';
import type { FileCall } from './offer.ts';
import { snippets } from './snippets.ts';

/** The same file in code, made when it is opened and again for another file. */
export function Code({
  of,
  call,
  name,
  member,
}: {
  /** What the file is of: see fileKey(). */
  of: string;
  call: () => Promise<FileCall>;
  name: string;
  member: boolean;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const code = useLoad(open ? `code ${of}` : null, async () => snippets(await call(), name, member));
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('download.code')}</summary>
      {open && (
        <Show of={code}>
          {(rows) => (
            <dl class="ways">
              {rows.map(([label, text]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <code>
                      {text.length > 4000
                        ? `${text.slice(0, 4000)}… (${t('word.characters', { n: text.length })})`
                        : text}
                    </code>
                    <Copy text={text} label={t('shell.copy')} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Show>
      )}
    </details>
  );
}
