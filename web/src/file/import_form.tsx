import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { area } from '../format.ts';
import { t } from '../language.ts';
import { Wide } from '../ui.tsx';
import { MEANINGS, type Options, optionsOf } from './import_options.ts';
import { columnName, sayImport } from './say_import.ts';

/** What the service says of a file: how it would be imported, and what of it. */
export type Look = Extract<Answer<'import_file'>, { readonly dry_run: true }>;

const LEVELS = Array.from({ length: 12 }, (_, i) => i + 1);

/** How a file would be imported, to correct, with what would be stored. */
export function ImportForm({
  look,
  busy,
  onLook,
  onImport,
}: {
  look: Look;
  busy: boolean;
  onLook: (options: Options) => void;
  onImport: (options: Options) => void;
}): JSX.Element {
  const { columns, recipe, lacks_level, notes, preview, trouble, rows, more_rows } = look;
  const proposed = (look.options ?? {}) as Partial<Options>;
  /** Whether a field was changed since the preview was made. */
  const [changed, setChanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { map = {}, levels } = proposed;
  const take = (use: (options: Options) => void) => (): void => {
    if (form.current?.reportValidity()) use(optionsOf(new FormData(form.current), proposed));
  };
  const isReady = preview !== null && !changed;
  return (
    <form
      ref={form}
      onInput={() => setChanged(true)}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        take((options) => {
          setChanged(false);
          onLook(options);
        })();
      }}
    >
      {recipe !== null && <p>{sayImport('import.columnsAreOf', { recipe })}</p>}
      {notes.length > 0 && (
        <ul class="small" lang="en">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="fields">
        <Field
          name="source"
          label={sayImport('import.source')}
          value={proposed.source}
          required
          pattern="[a-z0-9][a-z0-9\-]{0,39}"
        />
        <Field name="name" label={sayImport('import.fullName')} value={proposed.name} />
        <Field name="license" label={t('data.license')} value={proposed.license} required />
        <Field name="attribution" label={sayImport('import.attribution')} value={proposed.attribution} required />
        <Field name="edition" label={t('data.edition')} value={proposed.edition} />
        <label>
          {sayImport('import.type')}
          <select name="type" defaultValue={proposed.type ?? 'administrative'}>
            <option value="administrative">{sayImport('import.administrative')}</option>
            <option value="postal_code" selected={proposed.type === 'postal_code'}>
              {sayImport('import.postalCodes')}
            </option>
          </select>
        </label>
        {levels === undefined && (
          <label>
            {sayImport('import.level')}
            <select name="adminLevel" required={false}>
              <option value="">{map.admin_level === undefined ? '…' : sayImport('import.inTheFile')}</option>
              {LEVELS.map((level) => (
                <option key={level} value={level} selected={proposed.adminLevel === level}>
                  {level}
                </option>
              ))}
            </select>
          </label>
        )}
        <Field
          name="country"
          label={sayImport('import.country')}
          value={proposed.country}
          pattern="[A-Za-z]{2,3}"
          size={4}
        />
      </div>
      {lacks_level && (
        <p class="flag" role="alert">
          {sayImport('import.sayTheLevel')}
        </p>
      )}
      <fieldset class="fields">
        <legend>{sayImport('import.columns')}</legend>
        {MEANINGS.filter((meaning) => levels === undefined || meaning === 'country').map((meaning) => (
          <label key={meaning}>
            {columnName(meaning)}
            <select name={`map.${meaning}`}>
              <option value="">{sayImport('import.none')}</option>
              {(meaning === 'id' || meaning === 'name') && (
                <option value="@row" selected={map[meaning] === '@row'}>
                  {sayImport('import.rowNumber')}
                </option>
              )}
              {columns.map(({ name, examples }) => (
                <option key={name} value={name} selected={map[meaning] === name}>
                  {examples.length === 0 ? name : `${name}: ${examples.join(', ').slice(0, 40)}`}
                </option>
              ))}
            </select>
          </label>
        ))}
      </fieldset>
      {more_rows && <p class="soft small">{sayImport('import.firstRows', { n: rows })}</p>}
      <label class="checked">
        <input type="checkbox" name="replace" defaultChecked={proposed.replace === true} />{' '}
        {sayImport('import.replace')}
      </label>
      <p class="row">
        <button type="submit" class={isReady ? 'quiet' : undefined} aria-disabled={busy}>
          {sayImport('import.lookAgain')}
        </button>
        {isReady && (
          <button type="button" aria-disabled={busy} onClick={take(onImport)}>
            {sayImport('import.start', { n: preview.areas })}
          </button>
        )}
      </p>
      <div role="status">
        {busy && <p>{sayImport('import.working')}</p>}
        {!busy && trouble !== null && (
          <p class="flag" lang="en">
            {trouble}
          </p>
        )}
        {!busy && preview !== null && <WouldBe preview={preview} />}
      </div>
    </form>
  );
}

function Field({
  label,
  value = '',
  size = 14,
  ...more
}: {
  name: string;
  label: string;
  value?: string | undefined;
  size?: number;
  required?: boolean;
  pattern?: string;
}): JSX.Element {
  return (
    <label>
      {label}
      <input defaultValue={value} size={size} maxLength={500} autocomplete="off" {...more} />
    </label>
  );
}

interface First {
  readonly source_id: string;
  readonly name: string;
  readonly admin_level: number | null;
  readonly country: string | null;
  readonly area_km2: number | null;
}

/** What would be stored. */
function WouldBe({ preview }: { preview: NonNullable<Look['preview']> }): JSX.Element {
  const { areas, first, left_out, overlaps, repaired, notices } = preview;
  return (
    <>
      <p>
        {sayImport('import.wouldBe', { n: areas })} {t('file.leftOut', { n: left_out.total })},{' '}
        {t('file.overlaps', { n: overlaps.total })}, {sayImport('import.repaired', { n: repaired })}.
      </p>
      <ul class="small" lang="en">
        {left_out.items.slice(0, 5).map(({ id, reason }) => (
          <li key={id}>
            {id}: {reason}
          </li>
        ))}
        {notices.slice(0, 10).map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
      <Wide label={sayImport('import.first')}>
        <table class="table">
          <caption class="hidden">{sayImport('import.first')}</caption>
          <thead>
            <tr>
              {(['id', 'name', 'admin_level', 'country'] as const).map((meaning) => (
                <th key={meaning} scope="col">
                  {sayImport(`importColumn.${meaning}`)}
                </th>
              ))}
              <th scope="col">{sayImport('importColumn.area')}</th>
            </tr>
          </thead>
          <tbody>
            {(first as unknown as readonly First[]).map((one) => (
              <tr key={one.source_id}>
                <td>{one.source_id}</td>
                <th scope="row">{one.name}</th>
                <td>{one.admin_level ?? '–'}</td>
                <td>{one.country ?? '–'}</td>
                <td>{one.area_km2 === null ? '–' : area(one.area_km2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}
