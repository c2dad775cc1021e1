import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/core/errors.ts';
import { ops } from '../../src/ops/index.ts';
import { openApi } from '../../src/transports/docs/openapi.ts';
import { selectToolsets } from '../../src/transports/mcp/tools.ts';
import { leading } from '../setup/elements.ts';

const names = new Set(ops.map(({ name }) => name));
const verbs = new Set(ops.map(({ name }) => name.split('_')[0]));

/** The names of all fields of inputs and answers. */
function fieldsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === 'properties' && typeof member === 'object' ? Object.keys(member ?? {}) : []),
    ...fieldsIn(member),
  ]);
}
const fields = new Set(fieldsIn(openApi(ops, 'https://maps.example')));

/** What looks like an operation in a text, and is none that there is, without the words that say so. */
function promised(text: string): string[] {
  const words = [...text.matchAll(/\b([a-z]+)(?:_[a-z]+)+\b(?! \(not available yet\))/g)];
  const isOne = (word: string): boolean => verbs.has(word.split('_')[0]) && !word.endsWith('_id') && !fields.has(word);
  return words.map(([word]) => word).filter((word) => isOne(word) && !names.has(word));
}

/** Every text that people read in a value. */
function texts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && ['summary', 'description'].includes(name) ? [member] : texts(member),
  );
}

describe('what is not there is not promised', () => {
  test('the rule sees what it must see', () => {
    expect(promised('use create_atlas, or get_boundary')).toEqual(['create_atlas']);
    expect(promised('use create_atlas (not available yet)')).toEqual([]);
  });

  test('no text of an operation, an error or the OpenAPI description points to an operation that is not there', () => {
    const all = [
      ...ops.flatMap(({ summary, description = '' }) => [summary, description]),
      ...Object.values(PROBLEMS).flatMap(({ condition, remedy }) => [condition, remedy]),
      ...texts(openApi(ops, 'https://maps.example')),
    ];
    expect(all.flatMap(promised)).toEqual([]);
  });

  test('a toolset is there when it has tools', () => {
    expect(() => selectToolsets(ops, 'batch')).toThrow('there is no toolset batch');
    try {
      selectToolsets(ops, 'nonsense');
    } catch (error) {
      const [, listed] = leading(/the toolsets are all, (.*)/.exec(String(error)) ?? [], 2);
      for (const name of listed.split(', ')) expect(selectToolsets(ops, name).listed.length, name).toBeGreaterThan(0);
    }
  });
});
