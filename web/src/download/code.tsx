import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import { count } from '../format.ts';
import { asFailure, Copy, Problem } from '../ui.tsx';
import { type FileCall, snippets } from './offer.ts';

/** The same file in code, loaded when it is opened. */
export function Code({
  call,
  name,
  member,
}: {
  call: () => Promise<FileCall>;
  name: string;
  member: boolean;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (!open) return;
    call().then(
      (made) => setRows(snippets(made, name, member)),
      (error: unknown) => setFailure(asFailure(error)),
    );
  }, [open]);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>This file in code</summary>
      {failure && <Problem failure={failure} />}
      <dl class="ways">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{text.length > 4000 ? `${text.slice(0, 4000)}… (${count(text.length)} characters)` : text}</code>
              <Copy text={text} label="Copy" />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
