import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { problem } from '../../core/errors.ts';
import type { ToolHost } from '../../transports/mcp/local.ts';
import { visible } from '../../transports/visible.ts';
import type { RunCommand } from '../mcp_data.ts';
import { placeOptions } from '../options.ts';
import type { Target, TargetFlags, Workplace } from '../target.ts';

interface Flags extends TargetFlags {
  readonly toolsets?: string;
  readonly structured?: boolean;
}

/** Adds `boundary mcp`, which serves the operations as tools for an agent on this machine. */
export function addMcpCommand(cli: Command, config: Config, workplace: Workplace): void {
  placeOptions(cli.command('mcp'))
    .description('serve the operations as tools for agents (Model Context Protocol, standard input and output)')
    .option(
      '--toolsets <names>',
      'all, or a list of boundaries,files,account,orgs,feedback,reviews,data; data imports and updates',
    )
    .option('--structured', 'list output schemas and answer with structured content instead of text')
    .addHelpText(
      'after',
      '\nIn the settings of a client:\n  {"mcpServers": {"boundary": {"command": "boundary", "args": ["mcp"]}}}\n',
    )
    .action(async (_flags: unknown, command: Command) => {
      const { chooseTarget } = await import('../target.ts');
      const flags = command.optsWithGlobals<Flags>();
      const place = await chooseTarget(config, flags);
      await serve(config, place, flags, workplace.signal);
    });
}

/** A host without tools. */
const none = (baseUrl: string): ToolHost => ({
  tools: async () => [],
  async call(name) {
    const { unknownTool } = await import('../../transports/mcp/local.ts');
    throw unknownTool(name, randomUUID(), baseUrl);
  },
});

async function serve(config: Config, place: Target, flags: Flags, signal: AbortSignal): Promise<void> {
  const { toolsets: asked = null, structured = false } = flags;
  const [{ serveMcpStdio }, { withData }] = await Promise.all([
    import('../../transports/mcp/stdio.ts'),
    import('../mcp_data.ts'),
  ]);
  // Standard output is reserved for the protocol, so libraries must log to standard error.
  console.log = console.error;
  const report = (error: Error): void => void process.stderr.write(`error: ${visible(error.message, true)}\n`);
  const names = (asked ?? '').split(',').map((name) => name.trim());
  const data = names.includes('data') || names.includes('all');
  const toolsets = asked === null ? null : names.filter((name) => name !== 'data').join(',');
  /** Serves the operations' tools, and the data tools when the database is on this machine. */
  const start = async (ops: ToolHost, run: RunCommand | null): Promise<void> => {
    const host = toolsets === '' ? none(config.BASE_URL) : ops;
    if (names.includes('data') && !run)
      throw problem('invalid_input', 'The toolset data works on the database of this machine only. Add --local.');
    // Reports an invalid --toolsets now, and not when the client lists the tools.
    await host.tools(signal);
    await serveMcpStdio(data && run ? withData(host, config.BASE_URL, run, structured) : host, signal, report);
  };
  if (place.kind === 'database')
    return overDatabase(config, place.name, { toolsets: toolsets || null, structured }, signal, start);
  const { remoteHost } = await import('../../transports/mcp/remote.ts');
  if (place.kind === 'server') {
    return start(remoteHost({ baseUrl: place.url, apiKey: place.key?.secret }, toolsets || null, structured), null);
  }
  const { callControl } = await import('../../transports/control.ts');
  const run: RunCommand = (name, input, progress) => callControl(place.path, name, input, progress);
  return start(remoteHost({ socketPath: place.path }, toolsets || null, structured), run);
}

/**
 * Serves the tools over the database itself. The service also listens on a random port of this machine while the agent
 * is connected, so that URLs in answers work.
 */
async function overDatabase(
  config: Config,
  name: string,
  { toolsets, structured }: { readonly toolsets: string | null; readonly structured: boolean },
  signal: AbortSignal,
  start: (host: ToolHost, run: RunCommand) => Promise<void>,
): Promise<void> {
  if (!config.DATABASE_URL && !existsSync(config.DATA_DIR)) {
    throw problem(
      'not_found',
      `There is no database in ${name}, and no server is configured. Run boundary serve or boundary import FILE.`,
    );
  }
  const [{ openApp }, { runCommand }, { createLogger }, { LOCAL_OPERATOR }, { ops }, transports] = await Promise.all([
    import('../../app/app.ts'),
    import('../operator/index.ts'),
    import('../../common/log.ts'),
    import('../../core/access.ts'),
    import('../../ops/index.ts'),
    Promise.all([
      import('../../transports/http_app.ts'),
      import('../../transports/http/listen.ts'),
      import('../../transports/mcp/local.ts'),
      import('../../transports/mcp/tools.ts'),
      import('../../transports/request_id.ts'),
    ]),
  ]);
  const [{ createHttpApp }, { listen }, { localHost }, { selectToolsets }, { newRequestId }] = transports;
  const chosen = selectToolsets(ops, toolsets, structured);
  let answer: ReturnType<ReturnType<typeof createHttpApp>['callback']> | null = null;
  const listening = await listen(
    (request, response) => void answer?.(request, response),
    { host: '127.0.0.1', port: 0 },
    config.BASE_URL,
  );
  try {
    const app = await openApp({ ...config, BASE_URL: listening.address }, createLogger('warn'));
    try {
      signal.throwIfAborted();
      answer = createHttpApp(app.services, ops).callback();
      const calling = { caller: LOCAL_OPERATOR, address: null, requestId: newRequestId };
      const run: RunCommand = (command, input, progress) => runCommand(app, command, input, progress);
      await start(localHost(app.services, chosen, calling), run);
    } finally {
      await app.close();
    }
  } finally {
    await listening.close();
  }
}
