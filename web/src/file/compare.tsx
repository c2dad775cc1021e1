import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { type Answer, ask, Failure } from '../api.ts';
import { area, percent } from '../format.ts';
import { t, textsOf } from '../language.ts';
import { href } from '../route.ts';
import { useAccount } from '../session.ts';
import { de, en, es, fr } from '../texts/own/compare.ts';
import { Problem, SignIn, Wide } from '../ui.tsx';
import type { Unsaid } from './dropped.ts';
import { sayImport } from './say_import.ts';

type Compared = Answer<'compare_file'>;
type Item = Compared['items'][number];

const sayCompare = textsOf({ en, es, de, fr });

const LEVELS = Array.from({ length: 12 }, (_, i) => i + 1);
/** What stands for a column where a file has none: the number of the row. */
const ROW = '@row';
/** Names of columns that are taken for codes, and for names, unless another is chosen. */
const IDS = /^(?:id|code|codigo|código|gid|fid|nuts_id|geoid)$/i;
const NAMES = /^(?:name|nom|nombre|nome|gen|title)$/i;
/** Most rows that are shown. */
const MOST_ROWS = 500;

/** Compares all areas of the file with official borders: which they overlap, and by how much. */
export function Compare({
  files,
  format,
  columns,
  options,
}: {
  files: readonly File[];
  format: string;
  columns: readonly string[];
  options: Unsaid;
}): JSX.Element {
  const account = useAccount();
  const [file, ...others] = files;
  const [level, setLevel] = useState('');
  const [id, setId] = useState(columns.find((one) => IDS.test(one)) ?? ROW);
  const [name, setName] = useState(columns.find((one) => NAMES.test(one)) ?? id);
  const [found, setFound] = useState<Compared | null>(null);
  const { busy, failure, run } = useAction(() => undefined);
  useEffect(() => setFound(null), [files, options]);
  const compare = (): Promise<boolean> =>
    run(async () => {
      if (!file || others.length > 0) throw new Failure(t('file.putTheFilesOf'), { code: 'invalid_input' });
      setFound(null);
      setFound(
        await ask<Compared>('/boundaries/compare', {
          method: 'POST',
          query: { ...options, format, admin_level: level, id_column: id, name_column: name },
          file: { type: 'application/octet-stream', content: file },
        }),
      );
    });
  return (
    <section aria-label={sayCompare('compare.title')}>
      <h2>{sayCompare('compare.title')}</h2>
      {account === null && <SignIn>{sayCompare('compare.signIn')}</SignIn>}
      {account && (
        <>
          <p class="soft small">{sayCompare('compare.whatItDoes')}</p>
          <form
            class="fields"
            onSubmit={(event) => {
              event.preventDefault();
              void compare();
            }}
          >
            <label>
              {sayCompare('compare.level')}
              <select value={level} onChange={(event) => setLevel(event.currentTarget.value)}>
                <option value="">{sayCompare('compare.allLevels')}</option>
                {LEVELS.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
            {(
              [
                ['file.columnOfCodes', id, setId],
                ['file.columnOfNames', name, setName],
              ] as const
            ).map(([label, value, set]) => (
              <label key={label}>
                {t(label)}
                <select value={value} onChange={(event) => set(event.currentTarget.value)}>
                  <option value={ROW}>{sayImport('import.rowNumber')}</option>
                  {columns.map((column) => (
                    <option key={column} value={column}>
                      {column}
                    </option>
                  ))}
                </select>
              </label>
            ))}
            <button type="submit" aria-disabled={busy}>
              {busy ? sayCompare('compare.comparing') : sayCompare('compare.compare')}
            </button>
          </form>
        </>
      )}
      {failure && <Problem failure={failure} />}
      <div role="status">
        {found && (
          <p>
            {sayCompare('compare.found', { n: found.pairs })} {t('file.leftOut', { n: found.left_out.total })}.
          </p>
        )}
      </div>
      {found && <Table items={found.items} />}
    </section>
  );
}

interface Row {
  readonly item: Item;
  readonly met: Item['boundaries'][number] | null;
}

/** A row for each area and boundary that have an area in common; one for an area that has none. */
function Table({ items }: { items: readonly Item[] }): JSX.Element {
  const rows = items.flatMap((item): Row[] =>
    item.boundaries.length === 0 ? [{ item, met: null }] : item.boundaries.map((met) => ({ item, met })),
  );
  return (
    <>
      <Wide label={sayCompare('compare.boundary')}>
        <table class="table">
          <caption class="hidden">{sayCompare('compare.boundary')}</caption>
          <thead>
            <tr>
              {(['area', 'boundary', 'common', 'ofArea', 'ofBoundary'] as const).map((column) => (
                <th key={column} scope="col">
                  {sayCompare(`compare.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map(({ item, met }) => (
              <tr key={`${item.id} ${met?.id}`}>
                <th scope="row">{item.name}</th>
                {met === null ? (
                  <td colSpan={4} lang={item.trouble === null ? undefined : 'en'}>
                    {item.trouble ?? sayCompare('compare.nothing')}
                  </td>
                ) : (
                  <>
                    <td>
                      <a href={href('/', { id: met.id })}>{met.name}</a> ({met.admin_level ?? '–'})
                    </td>
                    <td>{area(met.common_km2)}</td>
                    <td>{percent(met.share)}</td>
                    <td>{percent(met.share_of_boundary)}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {rows.length > MOST_ROWS && (
        <p class="soft small">{t('word.firstOf', { shown: MOST_ROWS, total: rows.length })}</p>
      )}
    </>
  );
}
