import { readFileSync } from 'node:fs';

/** A fenced block of a text: its language, the file it is to be saved as, and its content. */
export interface Block {
  readonly language: string;
  readonly file: string | null;
  readonly content: string;
}

/** The fenced blocks of a Markdown file in order, without the indentation of the list that they are in. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^( *)```(\w+)(?: (\S+))?\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', file, body = '']) => ({
      language,
      file: file ?? null,
      content: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Whether a text is what a block says, in which … stands for anything. */
export function fits(said: string, block: string): boolean {
  const parts = block
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(said.trimEnd());
}
