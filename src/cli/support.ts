import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { SupportTexts } from '../commands/support.ts';
import type { Config } from '../config.ts';
import { command } from './context.ts';

/** A server that does not answer within this time is left out. */
const ASK_MS = 5_000;

/** `boundary support-bundle FILE`: versions, settings, figures and log lines for someone who helps, without secrets. */
export function addSupportCommand(cli: Command, config: Config): void {
  cli
    .command('support-bundle')
    .description('write versions, settings, figures and recent log lines to a file, without secrets')
    .argument('<file>', 'where to write it (.tar.gz)')
    .action(async (file: string) => {
      const { bundle } = await import('../backup/bundle.ts');
      const { maskSecrets } = await import('../log.ts');
      const files = Object.entries((await command(config, 'support_texts', {})) as SupportTexts);
      const texts = Object.fromEntries(files.map(([name, lines]) => [name, `${lines.join('\n')}\n`]));
      // On a native database the server is another process: its figures are asked for.
      const served = config.DATABASE_URL ? await servedMetrics(config) : null;
      if (served !== null) texts['metrics-of-server.txt'] = maskSecrets(served);
      const bytes = await bundle(texts);
      await writeFile(file, bytes, { mode: 0o600 });
      process.stdout.write(`${file}: ${Object.keys(texts).join(', ')}. Look through it before you send it.\n`);
    });
}

/** The page of metrics of the server of these settings, or null when none answers. */
async function servedMetrics({ PORT, METRICS_TOKEN }: Config): Promise<string | null> {
  const headers = METRICS_TOKEN ? { Authorization: `Bearer ${METRICS_TOKEN}` } : undefined;
  try {
    const url = `http://127.0.0.1:${PORT}/metrics`;
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_MS) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
