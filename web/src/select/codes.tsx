import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask, Failure } from '../api.ts';
import { count, kindName, plural } from '../format.ts';
import { useAccount } from '../session.ts';
import { Problem, SignIn } from '../ui.tsx';

/** Most lines that are read. */
const MOST_LINES = 2000;
/** Most lines without a boundary that are listed. */
const MOST_LISTED = 20;

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly parents: readonly { readonly name: string }[];
}

interface Match {
  readonly boundary: Candidate | null;
  readonly candidates: readonly Candidate[];
}

/** A line that has no certain boundary. */
interface Open {
  readonly line: string;
  readonly candidates: readonly Candidate[];
}

/** A line as a row of match_names: a code if it has a digit or is an ISO code, else a name. */
const rowOf = (line: string): object =>
  /^\S*\d\S*$/.test(line) || /^[A-Z]{2}-[A-Z]{1,3}$/.test(line) || /^(?:iso|wikidata):\S+$/.test(line)
    ? { code: line }
    : { name: line };

/** Selects by a pasted list of ids, codes or names, and says which lines have no boundary. */
export function Codes({ onAdd }: { onAdd: (ids: readonly string[]) => void }): JSX.Element {
  const account = useAccount();
  const [text, setText] = useState('');
  const [missing, setMissing] = useState<{ readonly found: number; readonly lines: readonly Open[] } | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  const match = async (): Promise<void> => {
    setMissing(null);
    const lines = [...new Set(text.split(/[\r\n,;\t]+/).map((line) => line.trim()))].filter(Boolean);
    if (lines.length === 0) throw new Failure('Paste ids, codes or names first.', { code: 'invalid_input' });
    if (lines.length > MOST_LINES) {
      const message = `${count(lines.length)} lines; at most ${count(MOST_LINES)} are read at once.`;
      throw new Failure(message, { code: 'too_large' });
    }
    const body = { rows: lines.map(rowOf) };
    const { rows } = await ask<{ rows: Match[] }>('/match', { method: 'POST', body });
    const ids = rows.flatMap(({ boundary }) => (boundary ? [boundary.id] : []));
    const open = lines.flatMap((line, i): Open[] => {
      const { boundary, candidates = [] } = rows[i] ?? {};
      return boundary ? [] : [{ line, candidates }];
    });
    setMissing({ found: ids.length, lines: open });
    if (ids.length > 0) onAdd(ids);
  };
  const settle = (line: string, id: string): void => {
    onAdd([id]);
    setMissing(
      (before) => before && { found: before.found + 1, lines: before.lines.filter((one) => one.line !== line) },
    );
  };
  return (
    <details class="fold">
      <summary>Paste a list of codes or names</summary>
      {account ? (
        <>
          <label class="wide">
            One on each line: ids, ISO codes, official codes or names
            <textarea
              rows={4}
              spellcheck={false}
              value={text}
              placeholder={'ES-SE\n41091\nHuelva'}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <p class="row">
            <button type="button" class="quiet" aria-disabled={busy} onClick={() => run(match)}>
              {busy ? 'Working…' : 'Select them'}
            </button>
          </p>
          {failure && <Problem failure={failure} />}
          <div role="status">
            {missing && (
              <p>
                {plural(missing.found, 'line')} found
                {missing.lines.length > 0 && `; ${plural(missing.lines.length, 'line')} without one certain boundary`}.
              </p>
            )}
          </div>
          {missing && missing.lines.length > 0 && (
            <ul class="members">
              {missing.lines.slice(0, MOST_LISTED).map(({ line, candidates }) => (
                <li key={line}>
                  <span class="grow">{line}</span>
                  {candidates.length === 0 && <span class="soft">not found</span>}
                  {candidates.map((one) => (
                    <button key={one.id} type="button" class="quiet small" onClick={() => settle(line, one.id)}>
                      {one.name}{' '}
                      <span class="soft">
                        {[kindName(one.kind), one.parents.at(-1)?.name].filter(Boolean).join(', ')}
                      </span>
                    </button>
                  ))}
                </li>
              ))}
            </ul>
          )}
          {missing && missing.lines.length > MOST_LISTED && (
            <p class="soft small">The first {MOST_LISTED} are listed.</p>
          )}
        </>
      ) : (
        account === null && <SignIn>to match a list of codes or names.</SignIn>
      )}
    </details>
  );
}
