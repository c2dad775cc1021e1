import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { command } from '../context.ts';
import type { SupportTexts } from '../operator/support.ts';

/** Timeout in milliseconds for the server's metrics; a server that does not answer is left out. */
const ASK_MS = 5_000;

/** Adds `boundary support-bundle FILE`, which writes versions, settings, metrics and log lines without secrets. */
export function addSupportCommand(cli: Command, config: Config): void {
  cli
    .command('support-bundle')
    .description('write versions, settings, figures and recent log lines to a file, without secrets')
    .argument('<file>', 'file to write (.tar.gz)')
    .action(async (file: string) => {
      const { bundle } = await import('../../backup/bundle.ts');
      const { maskSecrets } = await import('../../common/log.ts');
      const files = Object.entries((await command(config, 'support_texts', {})) as SupportTexts);
      const texts = Object.fromEntries(files.map(([name, lines]) => [name, `${lines.join('\n')}\n`]));
      // On a native database the server is another process, so its metrics are requested over HTTP.
      const served = config.DATABASE_URL ? await servedMetrics(config) : null;
      if (served !== null) texts['metrics-of-server.txt'] = maskSecrets(served);
      const bytes = await bundle(texts);
      await writeFile(file, bytes, { mode: 0o600 });
      process.stdout.write(`${file}: ${Object.keys(texts).join(', ')}. Check it before you send it.\n`);
    });
}

/** The metrics page of the server with these settings, or null if none answers. */
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
