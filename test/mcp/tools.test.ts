import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import { selectToolsets, titleOf, toolOf, toolsAmong } from '../../src/transports/mcp/tools.ts';

const validator = new AjvJsonSchemaValidator();

const tools = toolsAmong(ops);

describe.each(tools.map((op) => [op.name, op] as const))('the tool %s', (name, op) => {
  const tool = toolOf(op, true);

  it('has what a tool needs, and schemas that an independent validator takes', () => {
    expect(tool.name).toBe(name);
    expect(tool.title).toMatch(/^[A-Z]/);
    const input = validator.getValidator(tool.inputSchema as object);
    const output = validator.getValidator(tool.outputSchema as object);
    for (const { input: shown } of op.examples.filter(({ problem }) => problem !== 'invalid_input')) {
      expect(input(shown).valid, JSON.stringify(shown)).toBe(true);
    }
    expect(input({ nonsense: 1 }).valid).toBe(false);
    expect(output('text').valid).toBe(false);
    expect(tool.outputSchema?.type).toBe('object');
    const { outputSchema: _, ...plain } = tool;
    expect(toolOf(op, false)).toEqual(plain);
    expect(JSON.stringify(tool)).not.toMatch(/"\$ref"|9007199254740991/);
  });

  it('says what it costs and who may call it', () => {
    expect(tool.description).toMatch(/\n(?:Free|Costs \d+ unit)/);
    expect(tool.description).toMatch(/No key is needed|Needs an API key|Works without a key|Only /);
    expect(tool.description).toContain(op.summary);
  });

  it('has the hints that follow from its effect', () => {
    const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
    expect(readOnlyHint).toBe(op.effect === 'read');
    if (readOnlyHint) expect([destructiveHint, idempotentHint]).toEqual([false, true]);
    if (op.route.method === 'DELETE') expect([destructiveHint, idempotentHint]).toEqual([true, true]);
    if (op.effect === 'write' && op.route.method === 'POST') expect(idempotentHint).toBe(false);
  });
});

it('the tools that are listed by default are few', () => {
  const { listed, callable } = selectToolsets(ops, null);
  expect(callable).toBe(tools);
  // A conversation does not replace official boundaries.
  expect(ops.filter((op) => !tools.includes(op)).map(({ name }) => name)).toEqual(['import_file', 'remove_source']);
  expect(selectToolsets(ops, 'files').callable).toBe(tools);
  const names = listed.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['search_boundaries', 'union_boundaries', 'export_boundary', 'save_file']),
  );
  expect(names.length).toBeLessThan(30);
  expect(names).not.toContain('create_api_key');
  expect(selectToolsets(ops, 'all')).toMatchObject({ listed: tools, callable: tools });
  for (const name of ['list_kinds', 'get_data_status', 'update_file', 'share_file', 'unshare_file']) {
    expect(names).not.toContain(name);
    expect(selectToolsets(ops, 'boundaries,files').listed.map((op) => op.name)).toContain(name);
  }
});

it('the list of tools that every conversation reads stays under 26 kB, and has no output schema', () => {
  const listed = selectToolsets(ops, null).listed.map((op) => toolOf(op, false));
  expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThan(26_000);
  expect(listed.filter((tool) => 'outputSchema' in tool)).toEqual([]);
});

it('titles are words', () => {
  expect(titleOf('list_api_keys')).toBe('List API keys');
  expect(titleOf('list_oauth_grants')).toBe('List OAuth grants');
});
