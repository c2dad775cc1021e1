import { spawnSync } from 'node:child_process';

/**
 * The files of the repository at `root` that differ from the commit where this branch began, as git knows it
 * (origin/main, else main), with those not committed yet; none where git does not know.
 */
export function changedFiles(root: string): string[] {
  const git = (...words: string[]) => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
    return status === 0 ? stdout : null;
  };
  const base = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main');
  if (base === null) return [];
  const changed = git('diff', '-z', '--name-only', '--relative', '--no-ext-diff', base.trim());
  const added = git('ls-files', '-z', '--others', '--exclude-standard');
  return `${changed ?? ''}${added ?? ''}`.split('\0').filter((path) => path !== '');
}
