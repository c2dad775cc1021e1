import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask, Failure } from '../api.ts';
import { kindName } from '../format.ts';
import { t } from '../language.ts';
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
    if (lines.length === 0) throw new Failure(t('select.pasteIdsCodesOr'), { code: 'invalid_input' });
    if (lines.length > MOST_LINES) {
      const message = t('select.tooManyLines', { n: lines.length, most: MOST_LINES });
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
      <summary>{t('select.pasteAListOf')}</summary>
      {account ? (
        <>
          <label class="wide">
            {t('select.oneOnEachLine')}
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
              {busy ? t('word.working') : t('select.selectThem')}
            </button>
          </p>
          {failure && <Problem failure={failure} />}
          <div role="status">
            {missing && (
              <p>
                {t('select.linesFound', { n: missing.found })}
                {missing.lines.length > 0 && ` ${t('select.linesLeft', { n: missing.lines.length })}`}
              </p>
            )}
          </div>
          {missing && missing.lines.length > 0 && (
            <ul class="members">
              {missing.lines.slice(0, MOST_LISTED).map(({ line, candidates }) => (
                <li key={line}>
                  <span class="grow">{line}</span>
                  {candidates.length === 0 && <span class="soft">{t('select.notFound')}</span>}
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
            <p class="soft small">{t('word.firstOf', { shown: MOST_LISTED, total: missing.lines.length })}</p>
          )}
        </>
      ) : (
        account === null && <SignIn>{t('select.signIn')}</SignIn>
      )}
    </details>
  );
}
