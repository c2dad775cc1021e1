/**
 * `tsx benchmarks/faults/run.ts [part of a name]`: injects one fault after another into real servers on loopback, and
 * prints what clients saw and whether anything was lost. Exits with 1 if so. FAULTS_LOG: a file for the servers' logs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '../import/native.ts';
import { startPostgis } from '../postgis.ts';
import { mountSmall, onSmallDisk } from './disk.ts';
import { EMBEDDED_FAULTS } from './embedded.ts';
import { POSTGRES_FAULTS } from './postgres.ts';
import { SERVER_FAULTS } from './server.ts';
import { closeStage, createFaultEnvironment, fill, type Outcome } from './stage.ts';

const wanted = process.argv[2] ?? '';
const isWanted = (name: string) => name.toLowerCase().includes(wanted.toLowerCase());
const outcomes: (Outcome & { readonly fault: string })[] = [];

function tell(fault: string, outcome: Outcome): void {
  outcomes.push({ fault, ...outcome });
  recordOutcome(fault, outcome);
  const { clients, recovered, wrong, note } = outcome;
  process.stdout.write(
    `${fault}\n  ${clients}${note ? `\n  ${note}` : ''}\n  ready after ${recovered}; ${wrong.length === 0 ? 'nothing lost' : wrong.slice(0, 5).join('; ')}\n`,
  );
}

/** Records the outcome of a fault for docs/faults.md. */
function recordOutcome(fault: string, outcome: Outcome): void {
  const path = new URL('../results/faults.json', import.meta.url);
  const all = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : {};
  all[fault] = { date: new Date().toISOString().slice(0, 10), ...outcome };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
}

const native = Object.entries({ ...POSTGRES_FAULTS, ...SERVER_FAULTS }).filter(([name]) => isWanted(name));
if (native.length > 0) {
  const database = await startPostgis({
    settings: { max_connections: 30, max_wal_size: '64MB', min_wal_size: '32MB' },
    mount: process.getuid?.() === 0 ? (folder) => mountSmall(folder, 1500) : undefined,
  });
  if (database === null) process.stderr.write('PostgreSQL is not installed: its faults are left out\n');
  else {
    try {
      const key = await fillTemplate(database.url);
      for (const [i, [name, fault]] of native.entries()) {
        await query(database.url, `create database fault_${i} template filled`);
        const stage = await createFaultEnvironment(key, urlOf(database.url, `fault_${i}`));
        try {
          tell(name, await fault(stage, database));
        } finally {
          await closeStage(stage);
        }
      }
    } finally {
      await database.stop();
    }
  }
}

for (const [name, fault] of Object.entries(EMBEDDED_FAULTS)) {
  if (!isWanted(name)) continue;
  const folder = await mkdtemp(join(tmpdir(), 'boundary-fault-'));
  const harm = async () => {
    const key = await fill('', folder);
    return fault({ key, folder, env: { DATABASE_URL: '', DATA_DIR: folder }, metered: true });
  };
  try {
    tell(name, await (name.includes('full') ? onSmallDisk(folder, 400, harm) : harm()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills the database `filled`, the template of the others. */
async function fillTemplate(home: string): Promise<string> {
  await query(home, 'create database filled');
  const url = urlOf(home, 'filled');
  await query(url, 'create extension postgis');
  const folder = await mkdtemp(join(tmpdir(), 'boundary-fault-'));
  try {
    return await fill(url, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function urlOf(home: string, name: string): string {
  const url = new URL(home);
  url.pathname = `/${name}`;
  return url.href;
}

if (outcomes.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
