import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask, Failure } from '../api.ts';
import { plural } from '../format.ts';
import { href } from '../route.ts';
import { useAccount } from '../session.ts';
import { Problem, SignIn } from '../ui.tsx';

/** What create_area_set says of a set that it made. */
interface Made {
  readonly name: string;
  readonly versions: readonly { readonly valid_from: string; readonly areas: number }[];
  readonly report: {
    readonly left_out: { readonly total: number; readonly items: readonly { id: string; reason: string }[] };
    readonly overlaps: { readonly total: number };
    readonly gaps?: { readonly total: number };
  };
}

const MOST_NAME = 40;

/** A name for a set from the name of a file. */
const nameFrom = (file: string): string =>
  file
    .replace(/\.[^.]*$/, '')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME)
    .replace(/^-+|-+$/g, '');

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
  const [made, setMade] = useState<Made | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  const [file, ...others] = files;
  const save = (form: HTMLFormElement): Promise<boolean> =>
    run(async () => {
      setMade(null);
      if (!file || others.length > 0) {
        const message = 'Put the files of the Shapefile into one zip, and drop that: one file is saved.';
        throw new Failure(message, { code: 'invalid_input' });
      }
      const given = new FormData(form);
      const text = (field: string): string | undefined => String(given.get(field) ?? '').trim() || undefined;
      const query = {
        ...{ name: text('name'), title: text('title'), valid_from: text('valid_from') },
        ...{ id_column: text('id_column'), name_column: text('name_column'), format, ...options },
      };
      setMade(
        await ask<Made>('/sets', {
          method: 'POST',
          query,
          file: { type: 'application/octet-stream', content: file },
        }),
      );
    });
  const choices = (
    <>
      <option value="">as usual</option>
      {columns.map((column) => (
        <option key={column} value={column}>
          {column}
        </option>
      ))}
    </>
  );
  return (
    <section aria-label="Save as areas of your own">
      <h2>Save as areas of your own</h2>
      {account === null && <SignIn>to save these areas for your organization.</SignIn>}
      {account && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            void save(event.currentTarget);
          }}
        >
          <label>
            Name, in ids
            <input
              name="name"
              size={14}
              required
              maxLength={MOST_NAME}
              pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
              title="Lower-case letters, digits and inner hyphens"
              value={nameFrom(file?.name ?? '')}
              autocomplete="off"
            />
          </label>
          <label>
            Title
            <input name="title" size={14} maxLength={200} autocomplete="off" />
          </label>
          <label>
            Column of codes
            <select name="id_column">{choices}</select>
          </label>
          <label>
            Column of names
            <select name="name_column">{choices}</select>
          </label>
          <label>
            Valid from
            <input name="valid_from" type="date" />
          </label>
          <button type="submit" aria-disabled={busy}>
            {busy ? 'Saving…' : 'Save'}
          </button>
        </form>
      )}
      {failure && <Problem failure={failure} />}
      {made && (
        <div class="flag" role="status">
          <p>
            Saved:{' '}
            <a href={href(`/sets/${made.name}`)}>{plural(made.versions.at(-1)?.areas ?? 0, 'area')} on the map</a>,{' '}
            {plural(made.report.overlaps.total, 'overlap')}, {plural(made.report.gaps?.total ?? 0, 'gap')},{' '}
            {plural(made.report.left_out.total, 'feature')} left out.
          </p>
          {made.report.left_out.items.slice(0, 5).map(({ id, reason }) => (
            <p key={id} class="small">
              {id}: {reason}
            </p>
          ))}
        </div>
      )}
    </section>
  );
}
