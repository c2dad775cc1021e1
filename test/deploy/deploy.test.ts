import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { openApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig, shownSettings } from '../../src/config.ts';
import { ops } from '../../src/ops/index.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';

const DEPLOY = 'deploy';
const has = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;
const hasPromtool = has('promtool', '--version');
const hasSystemd = has('systemd-analyze', '--version');

/** Settings of the program, and those that the S3 client and Node read. */
const SETTINGS = new Set([...Object.keys(shownSettings(loadConfig({}))), 'NODE_ENV']);
const isSetting = (name: string): boolean => SETTINGS.has(name) || /^AWS_/.test(name);
/** The first words of the command lines of the program. */
const COMMANDS = new Set(['serve', 'work', 'migrate', 'backup']);

// biome-ignore lint/suspicious/noExplicitAny: files of other programs, whose members the tests name.
type Any = any;

function yaml(path: string): Any {
  const document = parseDocument(readFileSync(join(DEPLOY, path), 'utf8'), { merge: true, strict: true });
  expect(document.errors).toEqual([]);
  return document.toJS();
}

/** The command of the program in the words of a container. */
function commandOf(words: readonly string[]): string | undefined {
  return /(?:^| )node dist\/src\/main\.js (\S+)/.exec(words.join(' '))?.[1];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('compose.yaml runs commands of the program with its settings, on the port of the image', () => {
  const { services, volumes } = yaml('compose.yaml');
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const ours = ['migrate', 'server', 'worker'];
  expect(Object.keys(services).sort()).toEqual(['bucket', 'db', 's3', ...ours].sort());
  for (const name of ours) {
    const { command, environment } = services[name];
    expect(COMMANDS).toContain(commandOf(command));
    expect(Object.keys(environment).filter((one) => !isSetting(one))).toEqual([]);
    // Secrets come from .env.
    for (const secret of ['DATABASE_URL', 'AWS_SECRET_ACCESS_KEY', 'METRICS_TOKEN']) {
      expect(environment[secret]).toContain('${');
    }
    const values = Object.fromEntries(
      Object.entries<string>(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, __, standard) => standard ?? 'aaaaaaaaaaaa'),
      ]),
    );
    expect(() => loadConfig(values)).not.toThrow();
  }
  for (const one of Object.values<Any>(services)) {
    for (const other of Object.keys(one.depends_on ?? {})) expect(services).toHaveProperty(other);
    for (const volume of one.volumes ?? []) expect(volumes).toHaveProperty(volume.split(':')[0]);
  }
  expect(services.server.ports).toEqual(['127.0.0.1:8080:8080']);
  expect(dockerfile).toContain('EXPOSE 8080');
  expect(dockerfile).toContain('CMD ["node", "dist/src/main.js", "serve"]');
});

describe('kubernetes/boundary.yaml', () => {
  it('runs commands of the program with its settings, and its references lead somewhere', () => {
    const { items } = yaml('kubernetes/boundary.yaml');
    const named = (kind: string): Any[] => items.filter((one: Any) => one.kind === kind);
    const specs: Any[] = [
      ...[...named('Deployment'), ...named('Job')].map((one) => one.spec.template.spec),
      ...named('CronJob').map((one) => one.spec.jobTemplate.spec.template.spec),
    ];
    expect(specs).toHaveLength(4);
    const containers = specs.flatMap((spec) => spec.containers);
    expect(containers.map(({ args }) => commandOf(args)).sort()).toEqual(['backup', 'migrate', 'serve', 'work']);
    expect(new Set(containers.map(({ image }) => image)).size).toBe(1);
    const [settings] = named('ConfigMap');
    const values = { ...settings.data, DATABASE_URL: 'postgres://a@b/c' };
    expect(Object.keys(values).filter((name) => !isSetting(name))).toEqual([]);
    expect(() => loadConfig(values)).not.toThrow();
    for (const spec of specs) {
      const volumes = spec.volumes.map(({ name }: Any) => name);
      for (const { volumeMounts, envFrom, env = [], securityContext } of spec.containers) {
        for (const { name } of volumeMounts) expect(volumes).toContain(name);
        expect(envFrom[0].configMapRef.name).toBe(settings.metadata.name);
        expect(env.map(({ name }: Any) => name).filter((name: string) => !isSetting(name))).toEqual([]);
        expect(securityContext.readOnlyRootFilesystem).toBe(true);
        // What the program writes is in a volume: its DATA_DIR, inside the folder that the volume's owner has.
        expect(settings.data.DATA_DIR.startsWith(`${volumeMounts[0].mountPath}/`)).toBe(true);
      }
      const claims = spec.volumes.flatMap(({ persistentVolumeClaim: claim }: Any) => claim?.claimName ?? []);
      for (const claim of claims)
        expect(named('PersistentVolumeClaim').map((one) => one.metadata.name)).toContain(claim);
    }
    const server = named('Deployment').find((one) => one.metadata.name === 'boundary');
    const [port] = server.spec.template.spec.containers[0].ports;
    expect(port.containerPort).toBe(loadConfig(values).PORT);
    const [service] = named('Service');
    expect(service.spec.ports[0].targetPort).toBe(port.name);
    expect(service.spec.selector).toEqual(server.spec.template.metadata.labels);
    for (const { spec } of named('Deployment'))
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  });
});

it.skipIf(!hasSystemd)('systemd units pass systemd-analyze verify (needs systemd)', () => {
  const units = readdirSync(join(DEPLOY, 'systemd'));
  expect(units).toHaveLength(4);
  for (const unit of units) {
    const text = readFileSync(join(DEPLOY, 'systemd', unit), 'utf8');
    if (unit.endsWith('.service')) expect(COMMANDS).toContain(/\/usr\/local\/bin\/boundary (\S+)/.exec(text)?.[1]);
    // The program need not be installed for this.
    writeFileSync(join(folder, unit), text.replaceAll('/usr/local/bin/boundary', process.execPath));
  }
  const verify = (...names: string[]) =>
    spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))], { encoding: 'utf8' });
  const { status, stderr } = verify(...units);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // It sees what is wrong.
  writeFileSync(join(folder, 'wrong.service'), '[Service]\nExecStart=/nowhere/boundary\nNoSuchSetting=1\n');
  expect(verify('wrong.service').stderr).toMatch(/NoSuchSetting|not executable/);
});

describe('alerts and dashboard', () => {
  /** Every metric that a running service shows, as the samples of its types are called. */
  let shown: Set<string>;
  /** Every expression, with where it stands. */
  let expressions: (readonly [where: string, expression: string])[];
  beforeAll(async () => {
    const test = await testDatabase();
    await test.db.close();
    const { databaseUrl, dataDir } = test;
    const database = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    const settings = { DATA_DIR: databaseUrl ? join(dataDir, 'app') : dataDir, WORKER_THREADS: '1', ...database };
    const app = await openApp(loadConfig(settings), createLogger('silent'));
    createHttpApp(app.services, ops);
    const page = await app.services.metrics.page();
    await app.close();
    await test.close();
    shown = new Set(
      [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap((found) => {
        const [, name, type] = leading(found, 3);
        return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
      }),
    );
    const { groups } = yaml('prometheus/alerts.yml');
    const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/boundary.json'), 'utf8'));
    expressions = [
      ...groups.flatMap(({ rules }: Any) => rules.map(({ alert, expr }: Any) => [alert, expr])),
      ...panels.flatMap(({ title, targets }: Any) => targets.map(({ expr }: Any) => [title, expr])),
    ];
  });

  it('name metrics that /metrics has', () => {
    expect(expressions.length).toBeGreaterThan(20);
    const names = (text: string) =>
      text.match(/\b(?:boundary|http|nodejs|process|up)(?:_[a-z0-9_]+)?(?=\{|\[|$)/g) ?? [];
    const unknown = expressions.flatMap(([where, text]) => {
      const found = names(text.replace(/"[^"]*"/g, '""'));
      return found.length === 0 ? [`${where}: none`] : found.filter((name) => name !== 'up' && !shown.has(name));
    });
    expect(unknown).toEqual([]);
    expect(names('rate(boundary_no_such{a="b"}[5m])')).toEqual(['boundary_no_such']);
    expect(shown).not.toContain('boundary_no_such');
  });

  it.skipIf(!hasPromtool)(
    'are accepted by promtool, and each alert is silent and fires as its test says (needs promtool)',
    () => {
      const promtool = (...words: string[]) =>
        execFileSync('promtool', words, { cwd: join(DEPLOY, 'prometheus'), stdio: 'pipe' });
      promtool('check', 'rules', 'alerts.yml');
      promtool('test', 'rules', 'alerts_test.yml');
      const alerts: string[] = yaml('prometheus/alerts.yml').groups.flatMap(({ rules }: Any) =>
        rules.map(({ alert }: Any) => alert),
      );
      const tried: Any[] = yaml('prometheus/alerts_test.yml').tests.flatMap((one: Any) => one.alert_rule_test);
      for (const alert of alerts) {
        const of = tried.filter(({ alertname }) => alertname === alert);
        expect(
          of.map(({ exp_alerts: fires }) => fires.length > 0),
          alert,
        ).toEqual([false, true]);
      }
      // The expressions of the dashboard as recording rules: promtool reads them.
      const rules = expressions.map(([, expr], i) => ({
        record: `panel:${i}`,
        expr: expr.replaceAll('$job', 'boundary'),
      }));
      const path = join(folder, 'panels.yml');
      writeFileSync(path, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      promtool('check', 'rules', path);
    },
  );
});
