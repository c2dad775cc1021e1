import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { type Answer, ask, Failure } from '../api.ts';
import { useKeptFocus } from '../focus.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';
import { Copied } from '../share.tsx';
import { quoted } from '../shell.ts';
import { Problem } from '../ui.tsx';
import { flagsOf, nameOf, type Unsaid } from './dropped.ts';
import { ImportForm, type Look } from './import_form.tsx';
import { ImportJob } from './import_job.tsx';
import type { Options } from './import_options.ts';
import { sayImport } from './say_import.ts';

/** Largest file that the service takes, in bytes. */
const MOST_BYTES = 64 * 2 ** 20;

/** The command that imports a file. */
export const importCommand = (name: string, recipe: string, options: Unsaid): string =>
  `boundary import ${recipe === '' ? '' : `@${recipe} --from `}${quoted(name)}${flagsOf(options)}`;

/** The options of an import as flags of the command, each after a space; '' for those of levels, which it reads itself. */
function chosenFlags({ levels, map = {}, ...said }: Options): string {
  if (levels !== undefined) return '';
  const { source, name, url, license, attribution, edition, adminLevel, country, type, replace } = said;
  const pairs = Object.entries(map).map(([meaning, column]) => `${meaning}=${column}`);
  const flags = {
    ...{ source, name, url, license, attribution, edition, 'admin-level': adminLevel, country, type },
    map: pairs.join(','),
  };
  const words = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined || value === '' ? [] : [`--${flag} ${quoted(String(value))}`],
  );
  return [...words, ...(replace ? ['--replace'] : [])].map((word) => ` ${word}`).join('');
}

/** Imports the file that is shown as official boundaries: a proposal, its correction, and the job. For operators. */
export function Import({
  files,
  format,
  options,
  recipe,
}: {
  files: readonly File[];
  format: string;
  options: Unsaid;
  /** The file of the catalog that it is, such as nuts/3; '' if no one said. */
  recipe: string;
}): JSX.Element {
  const [file, ...others] = files;
  const [look, setLook] = useState<Look | null>(null);
  const [job, setJob] = useState<string | null>(null);
  /** What was looked at or started last. */
  const [chosen, setChosen] = useState<Options | null>(null);
  const root = useKeptFocus<HTMLElement>();
  const { busy, failure, run } = useAction(() => undefined);
  useEffect(() => {
    setLook(null);
    setJob(null);
    setChosen(null);
  }, [files, options]);
  const send = (): Promise<boolean> =>
    run(async () => {
      if (!file || others.length > 0) throw new Failure(t('file.putTheFilesOf'), { code: 'invalid_input' });
      if (file.size > MOST_BYTES) {
        const message = sayImport('import.tooLarge', { size: size(file.size), most: size(MOST_BYTES) });
        throw new Failure(message, { code: 'too_large' });
      }
      setJob(null);
      setLook(
        await ask<Look>('/imports', {
          method: 'POST',
          query: { dry_run: true, file_name: file.name, format, recipe, ...options },
          file: { type: 'application/octet-stream', content: file },
        }),
      );
    });
  const again = (file_id: string, given: Options): Promise<boolean> =>
    run(async () => {
      setLook(await ask<Look>('/imports', { method: 'POST', body: { dry_run: true, file_id, options: given } }));
      setChosen(given);
    });
  const start = (file_id: string, given: Options): Promise<boolean> =>
    run(async () => {
      const { id } = await ask<Answer<'get_job'>>('/imports', { method: 'POST', body: { file_id, options: given } });
      setLook(null);
      setJob(id);
      setChosen(given);
    });
  const flags = chosen === null || recipe !== '' ? '' : chosenFlags(chosen);
  return (
    <section ref={root} aria-label={sayImport('import.title')}>
      <h2>{sayImport('import.title')}</h2>
      <p class="soft small">{sayImport('import.whatItDoes')}</p>
      {look === null && (
        <p class="row">
          <button type="button" aria-disabled={busy} onClick={send}>
            {busy ? sayImport('import.sending') : sayImport('import.propose')}
          </button>
        </p>
      )}
      {look && (
        <ImportForm
          key={look.file_id}
          look={look}
          busy={busy}
          onLook={(given) => again(look.file_id, given)}
          onImport={(given) => start(look.file_id, given)}
        />
      )}
      {failure && <Problem failure={failure} />}
      {job && <ImportJob key={job} id={job} />}
      <Copied rows={[[t('file.asCommand'), importCommand(nameOf(files), recipe, options) + flags]]} />
    </section>
  );
}
