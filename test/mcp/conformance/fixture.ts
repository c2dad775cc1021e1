import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerFactory } from '../../../src/transports/mcp/server.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const states = createRequestStateCodec<string>({ key: 'a key of the conformance tests alone' });
const hint = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** The capabilities that a client sends in each request. */
type Envelope = Readonly<Record<string, ClientCapabilities>> | undefined;

const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const said = (content: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: content } });
const ask = (message: string, name: string, answer: z.ZodString | z.ZodBoolean = z.string()) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [name]: answer }) });
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [said(question)], maxTokens });
const progressOf = async ({ mcpReq }: ServerContext, progress: number): Promise<void> => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
};

/** What the conformance tool requires of a server besides its own tools: content of every kind, prompts, resources. */
export const fixture: ServerFactory = () => {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      // Nothing changes at run time, as in the service.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: states.verify },
      cacheHints: {
        'tools/list': hint,
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'resources/read': hint,
        'server/discover': hint,
      },
    },
  );
  contentTools(server);
  asking(server);
  prompts(server);
  resources(server);
  return server;
};

function contentTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Text.' }, async () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'An image.' }, async () => ({ content: [image] }));
  server.registerTool('test_audio_content', { description: 'Sound.' }, async () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  }));
  server.registerTool('test_embedded_resource', { description: 'A resource.' }, async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  server.registerTool('test_multiple_content_types', { description: 'Several kinds of content.' }, async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is.' }, async (ctx) => {
    await progressOf(ctx, 0);
    await pause(50);
    await progressOf(ctx, 50);
    await pause(50);
    await progressOf(ctx, 100);
    return text('Done.');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool', 'test_streaming_elicitation']) {
    server.registerTool(name, { description: 'Logs.' }, async (ctx) => {
      await ctx.mcpReq.log('info', 'Tool execution started');
      await pause(50);
      await ctx.mcpReq.log('info', 'Tool processing data');
      await pause(50);
      await ctx.mcpReq.log('info', 'Tool execution completed');
      return text('Done.');
    });
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(schema) },
    async () => text('Done.'),
  );
  const mirrored = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  };
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Its argument is mirrored in a header.', inputSchema: fromJsonSchema<{ region: string }>(mirrored) },
    async ({ region }) => text(region),
  );
}

/** Tools that first need input from the client's user, model or roots. */
function asking(server: McpServer): void {
  const tool = (
    name: string,
    run: (ctx: ServerContext) => Promise<ReturnType<typeof inputRequired> | ReturnType<typeof text>>,
  ) => server.registerTool(`test_input_required_result_${name}`, { description: 'Asks back.' }, run);
  const hello = async ({ mcpReq }: ServerContext) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    if (given) return text(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
  };
  tool('elicitation', hello);
  tool('sampling', async ({ mcpReq }) => {
    const answered = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answered.kind === 'sampling') return text(JSON.stringify(answered.result.content));
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } });
  });
  tool('list_roots', async ({ mcpReq }) => {
    const answered = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answered.kind === 'roots') return text(answered.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ['request_state', 'tampered_state']) {
    tool(name, async ({ mcpReq }) => {
      if (mcpReq.requestState<string>() === 'asked' && acceptedContent(mcpReq.inputResponses, 'confirm')) {
        return text('state-ok');
      }
      const requestState = await states.mint('asked');
      return inputRequired({ inputRequests: { confirm: ask('Please confirm', 'ok', z.boolean()) }, requestState });
    });
  }
  tool('multiple_inputs', async ({ mcpReq }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(
      (key) => inputResponse(mcpReq.inputResponses, key).kind,
    );
    if (mcpReq.requestState<string>() === 'asked' && !kinds.includes('missing')) return text('All is there.');
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint('asked'),
    });
  });
  tool('multi_round', async ({ mcpReq }) => {
    const state = mcpReq.requestState<string>();
    if (state === 'two' && acceptedContent(mcpReq.inputResponses, 'step2')) return text('Done.');
    if (state === 'one' && acceptedContent(mcpReq.inputResponses, 'step1')) {
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color') },
        requestState: await states.mint('two'),
      });
    }
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await states.mint('one'),
    });
  });
  // The SDK rejects requests for capabilities that the client has not declared.
  server.registerTool('test_missing_capability', { description: 'Needs sampling.' }, async ({ mcpReq }) =>
    inputResponse(mcpReq.inputResponses, 'greeting').kind === 'sampling'
      ? text('Done.')
      : inputRequired({ inputRequests: { greeting: sample('Generate a greeting', 50) } }),
  );
  tool('capabilities', async ({ mcpReq }) => {
    const declared = (mcpReq.envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY];
    return inputRequired({
      inputRequests: {
        ...(declared?.elicitation ? { user_name: ask('What is your name?', 'name') } : {}),
        ...(declared?.sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
      },
      requestState: await states.mint('asked'),
    });
  });
}

function prompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'A prompt.' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argsSchema = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'A prompt.', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt.' }, () => ({
    messages: [{ role: 'user', content: image }, said('Please analyze the image above.')],
  }));
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks back.' },
    ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
      if (given) return { messages: [said(given.context)] };
      return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } });
    },
  );
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'] } }));
}

function resources(server: McpServer): void {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PIXEL }],
  }));
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}));
  }
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
  }));
}
