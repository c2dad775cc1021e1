import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask, Failure } from '../api.ts';
import { day } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../route.ts';
import { useAccount } from '../session.ts';
import { type AreaSet, newestOf } from '../sets/area_set.ts';
import { MOST_NAME, nameIn } from '../sets/new_name.ts';
import { Problem, SignIn } from '../ui.tsx';

/** What create_area_set says of a set that it made. */
interface Made extends AreaSet {
  readonly report: {
    readonly left_out: { readonly total: number; readonly items: readonly { id: string; reason: string }[] };
    readonly overlaps: { readonly total: number };
    readonly gaps?: { readonly total: number };
  };
}

/** A name for a set from the name of a file. */
const nameFrom = (file: string): string => nameIn(file.replace(/\.[^.]*$/, ''));

/** The set of a name; null where there is none. @throws like ask() */
async function setOf(name: string): Promise<AreaSet | null> {
  try {
    return await ask<AreaSet>(`/sets/${encodeURIComponent(name)}`);
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return null;
    throw error;
  }
}

/** What is sent to create_area_set with the file. */
interface Sending {
  readonly name: string;
  readonly valid_from: string;
  readonly title?: string;
  readonly id_column?: string;
  readonly name_column?: string;
}

/** Saves a file that is shown as an area set; only now it is sent. */
export function Keep({
  files,
  format,
  columns,
  options,
}: {
  files: readonly File[];
  format: string;
  columns: readonly string[];
  options: { readonly layer?: string; readonly crs?: string };
}): JSX.Element {
  const account = useAccount();
  const [file, ...others] = files;
  const [name, setName] = useState(nameFrom(file?.name ?? ''));
  const [made, setMade] = useState<{ readonly set: Made; readonly from: string } | null>(null);
  /** The set that there is of the name, and what waits for an answer. */
  const [asked, setAsked] = useState<{ readonly set: AreaSet; readonly sending: Sending } | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  const send = async (sending: Sending, before?: AreaSet): Promise<void> => {
    const base = before && newestOf(before.versions)?.recorded_at;
    const replace = before?.versions.some(({ valid_from }) => valid_from === sending.valid_from);
    const set = await ask<Made>('/sets', {
      method: 'POST',
      query: { ...sending, base, replace, format, ...options },
      file: { type: 'application/octet-stream', content: file as File },
    });
    setAsked(null);
    setMade({ set, from: sending.valid_from });
  };
  const save = (form: HTMLFormElement): Promise<boolean> =>
    run(async () => {
      setMade(null);
      setAsked(null);
      if (!file || others.length > 0) {
        const message = t('file.putTheFilesOf');
        throw new Failure(message, { code: 'invalid_input' });
      }
      const given = new FormData(form);
      const text = (field: string): string | undefined => String(given.get(field) ?? '').trim() || undefined;
      const sending = {
        ...{ name, title: text('title'), valid_from: text('valid_from') ?? new Date().toISOString().slice(0, 10) },
        ...{ id_column: text('id_column'), name_column: text('name_column') },
      };
      const set = await setOf(name);
      if (set === null) await send(sending);
      else setAsked({ set, sending });
    });
  const report = made?.set.report;
  const choices = (
    <>
      <option value="">{t('file.asUsual')}</option>
      {columns.map((column) => (
        <option key={column} value={column}>
          {column}
        </option>
      ))}
    </>
  );
  return (
    <section aria-label={t('file.saveAsAreasOf')}>
      <h2>{t('file.saveAsAreasOf')}</h2>
      {account === null && <SignIn>{t('file.signIn')}</SignIn>}
      {account && (
        <form
          class="fields"
          onInput={() => setAsked(null)}
          onSubmit={(event) => {
            event.preventDefault();
            void save(event.currentTarget);
          }}
        >
          <label>
            {t('file.nameInIds')}
            <input
              name="name"
              size={14}
              required
              maxLength={MOST_NAME}
              pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
              title={t('file.lowerCaseLettersDigits')}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
              autocomplete="off"
            />
          </label>
          <label>
            {t('word.title')}
            <input name="title" size={14} maxLength={200} autocomplete="off" />
          </label>
          <label>
            {t('file.columnOfCodes')}
            <select name="id_column">{choices}</select>
          </label>
          <label>
            {t('file.columnOfNames')}
            <select name="name_column">{choices}</select>
          </label>
          <label>
            {t('word.validFrom')}
            <input name="valid_from" type="date" />
          </label>
          <button type="submit" aria-disabled={busy}>
            {busy ? t('word.saving') : t('word.save')}
          </button>
        </form>
      )}
      {failure && <Problem failure={failure} />}
      {asked && (
        <div class="flag" role="alert">
          <p>
            {t('file.setThere', { name: asked.set.name, title: asked.set.title, n: asked.set.versions.length })}{' '}
            {t(
              asked.set.versions.some(({ valid_from }) => valid_from === asked.sending.valid_from)
                ? 'file.newVersionInPlace'
                : 'file.newVersion',
              { day: day(asked.sending.valid_from) },
            )}{' '}
            {t('file.otherName')}
          </p>
          <p class="row">
            <button type="button" aria-disabled={busy} onClick={() => run(() => send(asked.sending, asked.set))}>
              {t('file.saveAsAVersion')}
            </button>
            <button type="button" class="quiet" onClick={() => setAsked(null)}>
              {t('word.cancel')}
            </button>
          </p>
        </div>
      )}
      {made && report && (
        <div class="flag" role="status">
          <p>
            {t('file.saved')}{' '}
            <a href={href(`/sets/${made.set.name}`, { as_of: made.from })}>
              {t('file.areasOnMap', {
                n: made.set.versions.find(({ valid_from }) => valid_from === made.from)?.areas ?? 0,
              })}
            </a>
            , {t('file.overlaps', { n: report.overlaps.total })}, {t('file.gaps', { n: report.gaps?.total ?? 0 })},{' '}
            {t('file.leftOut', { n: report.left_out.total })}.
          </p>
          {report.left_out.items.slice(0, 5).map(({ id, reason }) => (
            <p key={id} class="small" lang="en">
              {id}: {reason}
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
