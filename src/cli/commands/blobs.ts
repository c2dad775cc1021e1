import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { command } from '../context.ts';
import type { BlobReport } from '../operator/blobs.ts';

/** Adds `boundary admin blobs --check [--repair]`, which checks that library files are complete and unchanged. */
export function addBlobCommands(admin: Command, config: Config): void {
  admin
    .command('blobs')
    .description('check that the content of every library file is complete, and list content that no file uses')
    .requiredOption('--check', 'read every file')
    .option('--repair', 'export missing or damaged files again, and delete unused content')
    .option('--json', 'print the report as JSON')
    .action(async (flags: { repair?: boolean; json?: boolean }) => {
      const report = (await command(config, 'admin_blobs', { repair: flags.repair ?? false })) as BlobReport;
      process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : reportText(report));
      if (report.faults.some(({ outcome }) => outcome === 'found' || outcome === 'lost')) process.exitCode = 1;
    });
}

function reportText({ blobs, bytes, faults, strays }: BlobReport): string {
  const lines = [`${blobs} blobs, ${bytes} bytes: ${faults.length === 0 ? 'all intact' : 'with faults'}`];
  for (const { fault, file, sha256, outcome, reason } of faults) {
    lines.push(`  ${file.id} (${file.name}): ${sha256} is ${fault}, ${outcome}${reason ? `: ${reason}` : ''}`);
  }
  const removed = strays.removed > 0 ? `, ${strays.removed} removed` : '';
  lines.push(`${strays.blobs} stray blobs, ${strays.bytes} bytes${removed}`);
  return `${lines.join('\n')}\n`;
}
