import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertFile } from '../../workers/convert.ts';
import { hasChromium } from '../auth/chromium.ts';
import { type Dashboard, HOSTILE, openDashboard } from './dashboard.ts';

const run = promisify(execFile);

/** Keeps a picture in the folder that PICTURES names, to look at; without it nothing. */
const pictureOf = async (part: Locator, name: string): Promise<void> => {
  const { PICTURES } = process.env;
  if (PICTURES) await part.screenshot({ path: join(PICTURES, `${name}.png`) });
};

describe.skipIf(!hasChromium)('a file that is dropped', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  let folder: string;
  beforeAll(async () => {
    dashboard = await openDashboard();
    folder = mkdtempSync(join(tmpdir(), 'dropped-'));
  });
  afterAll(async () => {
    await dashboard?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const kept = (name: string, bytes: string | Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  test('in any format is drawn with its table; a reference system is named; nothing is sent', async () => {
    const { page, faults, violations } = await dashboard.visit('/file');
    await page.locator('canvas').waitFor();
    const said = page.locator('.panel [role=status]').first();
    const sent: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
    const endings = {
      ...{ geojson: 'geojson', geopackage: 'gpkg', shapefile: 'zip', flatgeobuf: 'fgb', geoparquet: 'parquet' },
      ...{ kml: 'kml', gml: 'gml', topojson: 'topojson', csv: 'csv', ndjson: 'ndjson' },
    };
    for (const [format, ending] of Object.entries(endings)) {
      const body = JSON.stringify({ children_of: 'iso:ES-AN', format, detail: 'low' });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${dashboard.base}/v1/collections`, { method: 'POST', headers, body });
      const path = kept(`${format}.${ending}`, new Uint8Array(await answer.arrayBuffer()));
      await page.locator('input[type=file]').setInputFiles(path);
      await expect
        .poll(() => said.textContent(), { timeout: 20_000 })
        .toMatch(new RegExp(`^${format}.${ending}: 8 features, 1,\\d{3} points`));
      expect(await page.locator('.scrolls table').textContent()).toContain('Sevilla');
    }
    const utm = join(folder, 'utm.gpkg');
    await run('ogr2ogr', ['-f', 'GPKG', '-t_srs', 'EPSG:25830', utm, join(folder, 'geojson.geojson')]);
    await page.locator('input[type=file]').setInputFiles(utm);
    await expect.poll(() => page.locator('.panel').textContent(), { timeout: 20_000 }).toContain('EPSG:25830');
    expect(await violations()).toEqual([]);
    expect(sent).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is converted in the page as by the command, byte for byte, and GDAL reads the same areas', async () => {
    const body = JSON.stringify({ children_of: 'iso:ES-AN', format: 'geopackage', detail: 'low' });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${dashboard.base}/v1/collections`, { method: 'POST', headers, body });
    const given = kept('andalusia.gpkg', new Uint8Array(await answer.arrayBuffer()));
    const { page, faults, violations } = await dashboard.visit('/file');
    await page.locator('input[type=file]').setInputFiles(given);
    const part = page.getByRole('region', { name: 'Convert' });
    await part.waitFor();
    const sent: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
    const convert = async (format: string): Promise<string> => {
      await part.getByLabel('Format').selectOption(format);
      const button = part.getByRole('button', { name: 'Convert and download' });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      const path = join(folder, `made-${format}-${download.suggestedFilename()}`);
      await download.saveAs(path);
      return path;
    };
    // The area of all features in square degrees, and their number.
    const readByGdal = async (path: string): Promise<readonly [number, number]> => {
      const { stdout } = await run('ogrinfo', ['-al', '-geom=YES', path], { maxBuffer: 2 ** 28 });
      const sql = await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', path], {
        maxBuffer: 2 ** 28,
      });
      expect(stdout).toContain('Sevilla');
      const { features } = JSON.parse(sql.stdout) as GeoJSON.FeatureCollection<GeoJSON.MultiPolygon | GeoJSON.Polygon>;
      const sizeOf = (ring: GeoJSON.Position[]): number =>
        ring.reduce((sum, [x = 0, y = 0], i) => {
          const [nextX = 0, nextY = 0] = ring[(i + 1) % ring.length] ?? [];
          return sum + (x * nextY - nextX * y) / 2;
        }, 0);
      const rings = features.flatMap(({ geometry }) =>
        geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
      );
      const area = rings.reduce(
        (sum, [shell = [], ...holes]) =>
          sum + Math.abs(sizeOf(shell)) - holes.reduce((all, hole) => all + Math.abs(sizeOf(hole)), 0),
        0,
      );
      return [features.length, area];
    };
    const [, area] = await readByGdal(given);
    const formats = await part
      .getByLabel('Format')
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as { value?: string }).value ?? ''));
    expect(formats).toContain('zip');
    expect(formats).not.toContain('wkt');
    // Compressed by another program, or with the time in it.
    const differing = ['shapefile', 'zip', 'geopackage'];
    const seenByGdal = [
      'geojson',
      'geopackage',
      'shapefile',
      'kml',
      'csv',
      'topojson',
      'flatgeobuf',
      'gml',
      'geojsonseq',
    ];
    for (const format of formats) {
      const path = await convert(format);
      const made = await convertFile(
        {
          ...{ bytes: readFileSync(given), from: 'geopackage', to: format as 'geojson', dissolve: false },
          ...{ detail: 'full', name: 'andalusia', maxBytes: 1e9 },
        },
        () => false,
      );
      if (made.kind !== 'bytes') throw new Error(JSON.stringify(made));
      const bytes = readFileSync(path);
      if (!differing.includes(format)) expect(Buffer.compare(bytes, made.bytes), format).toBe(0);
      if (seenByGdal.includes(format)) {
        const [count, found] = await readByGdal(format === 'shapefile' ? `/vsizip/${path}` : path);
        expect([format, count]).toEqual([format, 8]);
        expect(Math.abs(found - area), format).toBeLessThan(1e-5);
      }
      for (const change of made.changes)
        await expect.poll(() => part.textContent(), { message: format }).toContain(change);
    }
    const { stdout } = await run('unzip', ['-t', join(folder, 'made-zip-andalusia.zip')]);
    expect(stdout).toMatch(/No errors/);
    await part.getByLabel('Merge all areas into one').check();
    const wkt = readFileSync(await convert('wkt'), 'utf8');
    expect(wkt).toMatch(/^(MULTI)?POLYGON/);
    expect(await part.textContent()).toContain('attributes of the merged areas left out');
    expect(sent).toEqual([]);
    expect(await violations()).toEqual([]);

    const bowtie = 'POLYGON((0 0,1 1,1 0,0 1,0 0))';
    await page.locator('input[type=file]').setInputFiles(kept('bowtie.wkt', bowtie));
    await expect.poll(() => page.locator('.panel').textContent()).toContain('bowtie.wkt: 1 feature');
    await part.getByRole('button', { name: 'Convert and download' }).click();
    await expect.poll(() => part.getByRole('alert').textContent()).toMatch(/bowtie.*not valid: Self-intersection/i);
    const [repaired] = await Promise.all([
      page.waitForEvent('download'),
      part.getByRole('button', { name: 'Repair and convert' }).click(),
    ]);
    expect(repaired.suggestedFilename()).toBe('bowtie.gpkg');
    await expect.poll(() => part.textContent()).toMatch(/repaired: Self-intersection/i);

    // The files of a shapefile together are named after its shapes, whichever comes first.
    await run('ogr2ogr', ['-f', 'ESRI Shapefile', join(folder, 'parts.shp'), given, '-lco', 'ENCODING=UTF-8']);
    const parts = ['dbf', 'prj', 'shp', 'shx', 'cpg'].map((ending) => join(folder, `parts.${ending}`));
    await page.locator('input[type=file]').setInputFiles(parts);
    await expect.poll(() => page.locator('.panel').textContent()).toContain('parts.shp: 8 features');
    expect(await part.textContent()).toContain('boundary convert parts.shp parts.gpkg');
    const [count, found] = await readByGdal(await convert('geojson'));
    expect(count).toBe(8);
    expect(Math.abs(found - area)).toBeLessThan(1e-5);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is imported by an operator: proposed, corrected, with the progress of the job and its areas on the map', async () => {
    const square = (x: number): number[][] => [
      [x, 40],
      [x + 0.4, 40],
      [x + 0.4, 40.4],
      [x, 40.4],
      [x, 40],
    ];
    const feature = (code: string, nom: string, x: number) => ({
      ...{ type: 'Feature', properties: { code, nom, note: HOSTILE } },
      geometry: { type: 'Polygon', coordinates: [square(x)] },
    });
    const features = [feature('A1', 'Vallalta', -35), feature('A2', HOSTILE, -34.6), feature('A3', 'Fondo', -34.2)];
    const path = kept('Zonas.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    const other = await dashboard.visit('/file', { cookie: await dashboard.signIn() });
    await other.page.locator('input[type=file]').setInputFiles(path);
    await expect.poll(() => other.page.locator('.panel').textContent()).toContain('boundary import Zonas.geojson');
    expect(await other.page.getByRole('region', { name: 'Import as official boundaries' }).count()).toBe(0);
    await other.page.context().close();

    const layered = join(folder, 'Zonas.gpkg');
    await run('ogr2ogr', ['-f', 'GPKG', '-nln', 'Zonas', layered, path]);
    await run('ogr2ogr', ['-update', '-nln', 'Others', layered, path]);
    const cookie = await dashboard.signIn(true);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const { page, faults, violations } = await dashboard.visit('/file', {
        ...{ cookie, colorScheme, viewport: { width, height: 800 } },
      });
      await page.locator('input[type=file]').setInputFiles(layered);
      await page.getByRole('button', { name: 'Zonas', exact: true }).click({ timeout: 20_000 });
      await page.getByText('3 features, 15 points').waitFor();
      expect(await page.getByRole('combobox', { name: 'Layer' }).inputValue()).toBe('Zonas');
      expect(await page.locator('.panel').textContent()).toContain('boundary import Zonas.gpkg --layer Zonas');
      const compared = page.getByRole('region', { name: 'Compare with official borders' });
      await compared.getByLabel(/^Level/).selectOption('2');
      await compared.getByRole('button', { name: 'Compare' }).click();
      // In the middle of the Atlantic.
      await expect
        .poll(() => compared.getByRole('table').textContent(), { timeout: 60_000 })
        .toMatch(/Vallaltaoverlaps none.*Fondooverlaps none/);
      const part = page.getByRole('region', { name: 'Import as official boundaries' });
      await part.getByRole('button', { name: 'Propose an import' }).click();
      const source = part.getByLabel('Short name of the source');
      await source.waitFor({ timeout: 60_000 });
      expect(await page.evaluate('document.activeElement.name')).toBe('source');
      expect(await source.inputValue()).toBe('zonas');
      const columns = part.getByRole('group', { name: 'Columns of the file' });
      const chosen = async (label: RegExp) => columns.getByLabel(label).inputValue();
      expect([await chosen(/^Id/), await chosen(/^Name/)]).toEqual(['code', 'nom']);
      expect(await part.textContent()).toContain('Choose it, then look again.');
      await part
        .getByLabel(/^Level/)
        .first()
        .selectOption('7');
      await part.getByLabel('License').fill('CC BY 4.0');
      await part.getByLabel('Attribution').fill(HOSTILE);
      expect(await part.getByRole('button', { name: /^Import/ }).count()).toBe(0);
      await part.getByRole('button', { name: 'Look again' }).click();
      const start = part.getByRole('button', { name: 'Import 3 areas' });
      await start.waitFor({ timeout: 60_000 });
      expect(await part.getByRole('table').textContent()).toContain('Vallalta7');
      expect(await violations()).toEqual([]);
      await pictureOf(part, `import-form-${width}`);
      expect(await part.textContent()).toContain('--source zonas --license');
      expect(await part.textContent()).toContain('--admin-level 7 --map id=code,name=nom');
      await start.click();
      // The button is replaced: the next Tab goes on from where the job is.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel');
      await expect.poll(() => part.getByRole('status').last().textContent()).toContain('zonas: queued');
      // An embedded database answers nothing while it stores the areas, nor does a network that is gone.
      await page.context().setOffline(true);
      await expect
        .poll(() => part.getByRole('status').last().textContent(), { timeout: 20_000 })
        .toContain('this page goes on asking');
      await page.context().setOffline(false);
      await dashboard.testServer.jobRunner.runDue();
      await expect
        .poll(() => part.getByRole('status').last().textContent(), { timeout: 20_000 })
        .toContain(width === 1280 ? '3 areas added, 0 replaced' : '0 areas added, 0 replaced, 3 unchanged');
      expect(await part.textContent()).toContain('boundary sources remove zonas');
      await pictureOf(part, `import-done-${width}`);
      expect(await page.evaluate('window.hit')).toBeUndefined();
      await part.getByRole('link', { name: 'Vallalta' }).click();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('Vallalta');
      await expect.poll(() => page.title()).toContain('Vallalta');
      expect(await violations()).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  test('a CSV with WKT is compared with official borders, and a GeoPackage of it saved', async () => {
    const body = JSON.stringify({ children_of: 'iso:ES-AN', format: 'csv', detail: 'full' });
    const headers = { 'Content-Type': 'application/json' };
    const cookie = await dashboard.signIn();
    const answer = await fetch(`${dashboard.base}/v1/collections`, {
      ...{
        method: 'POST',
        body,
        headers: { ...headers, Cookie: `boundary_session=${cookie}`, Origin: dashboard.base },
      },
    });
    const path = kept('provinces.csv', new Uint8Array(await answer.arrayBuffer()));
    const { page, faults, violations } = await dashboard.visit('/file', { cookie });
    await page.locator('input[type=file]').setInputFiles(path);
    const part = page.getByRole('region', { name: 'Compare with official borders' });
    await part.getByLabel(/^Level/).selectOption('6');
    await part.getByRole('button', { name: 'Compare' }).click();
    await expect.poll(() => part.getByRole('status').textContent(), { timeout: 90_000 }).toContain('8 overlaps found');
    expect(await part.getByRole('table').textContent()).toMatch(/SevillaSevilla \(6\)14,0\d\d km²100%100%/);
    await pictureOf(part, 'compare');
    expect(await violations()).toEqual([]);

    const saved = join(folder, 'provinces.gpkg');
    await run('ogr2ogr', ['-f', 'GPKG', saved, path, '-a_srs', 'EPSG:4326']);
    await page.locator('input[type=file]').setInputFiles(saved);
    await page.getByText('provinces.gpkg: 8 features').waitFor();
    const form = page.getByRole('region', { name: 'Save as areas of your own' });
    await form.getByLabel('Column of codes').selectOption('id');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('link', { name: '8 areas on the map' }).waitFor({ timeout: 60_000 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a hostile file does no harm: markup, a zip bomb, 100,000 features in 50 MB, another format', async () => {
    const { page, faults } = await dashboard.visit('/file');
    await page.locator('canvas').waitFor();
    const input = page.locator('input[type=file]');
    const square = (x: number, y: number) => ({
      type: 'Polygon',
      coordinates: [
        [
          [x, y],
          [x + 0.7, y],
          [x + 0.7, y + 0.5],
          [x, y],
        ],
      ],
    });
    const feature = (properties: object, i = 0) => ({
      ...{ type: 'Feature', properties, geometry: square(-170 + (i % 400) * 0.8, -80 + Math.floor(i / 400) * 0.6) },
    });
    const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
    await input.setInputFiles(kept('markup.geojson', collection([feature({ [HOSTILE]: HOSTILE, n: 1 })])));
    await expect.poll(() => page.locator('.scrolls table').textContent(), { timeout: 20_000 }).toContain('<img');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();

    // What is not a place is not drawn, which would end the page, and is said.
    const beyond = { ...feature({ n: 2 }), geometry: square(0, 95) };
    const arc = [[0, 0], [100, 0], [0, 1], [-100, -1]]; // biome-ignore format: one ring
    const topology = {
      ...{ type: 'Topology', transform: { scale: [1e308, 1], translate: [0, 0] }, arcs: [arc] },
      objects: { infinite: { type: 'Polygon', arcs: [[0]] } },
    };
    for (const [name, text] of [
      ['beyond.geojson', collection([feature({ n: 1 }), beyond])],
      ['infinite.topojson', JSON.stringify(topology)],
    ] as const) {
      await input.setInputFiles(kept(name, text));
      const about = page.getByRole('region', { name: 'About this file' });
      await page.getByText(`${name}: `).waitFor({ timeout: 20_000 });
      expect(await about.textContent()).toContain('1 feature has a position that is not a longitude and latitude');
    }

    // What the command line takes as a flag is a field here.
    const meters = { ...feature({ n: 1 }), geometry: square(430_000, 4_580_000) };
    await input.setInputFiles(kept('meters.geojson', collection([meters])));
    await expect.poll(() => page.getByRole('alert').textContent(), { timeout: 20_000 }).toContain('are not degrees');
    await page.getByText('Write it in “Reference system” above').waitFor();

    // A table of figures belongs elsewhere.
    await input.setInputFiles(kept('figures.csv', 'province,density\nSevilla,140.5\n'));
    const elsewhere = page.locator('.panel').getByRole('link', { name: 'Figures' });
    await elsewhere.waitFor({ timeout: 20_000 });
    expect(await elsewhere.getAttribute('href')).toBe('/figures');

    const bomb = join(folder, 'bomb.zip');
    const script = `import zipfile;z=zipfile.ZipFile('${bomb}','w',8);z.writestr('a.geojson',' '*(600*2**20));z.close()`;
    await run('python3', ['-c', script]);
    await input.setInputFiles(bomb);
    await expect.poll(() => page.getByRole('alert').textContent(), { timeout: 30_000 }).toMatch(/more than.*512 MiB/);
    const packed = join(folder, 'packed.gpkg');
    const zeros = `import gzip;f=gzip.open('${packed}','wb',1);[f.write(bytes(2**20)) for _ in range(600)];f.close()`;
    await run('python3', ['-c', zeros]);
    await input.setInputFiles(packed);
    await expect
      .poll(() => page.getByRole('alert').textContent(), { timeout: 60_000 })
      .toMatch(/packed\.gpkg: it unpacks to more than the 512 MiB/);
    await input.setInputFiles(kept('nothing.xyz', 'hello'));
    await expect
      .poll(() => page.getByRole('alert').textContent(), { timeout: 20_000 })
      .toContain('none of the formats');

    const many = collection(
      Array.from({ length: 100_000 }, (_, i) => feature({ name: `area ${i}`, more: 'x'.repeat(330) }, i)),
    );
    expect(many.length).toBeGreaterThan(50e6);
    await page.evaluate(`
      window.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: 'longtask' });
    `);
    await input.setInputFiles(kept('many.geojson', many));
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 60_000 })
      .toMatch(/100,000 features.*The map shows [\d,]+ of its 100,000 areas/s);
    expect(await page.locator('.scrolls tbody tr').count()).toBe(200);
    // The page answers as before.
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.locator('input[role=combobox]').fill('Sevilla');
    await page.getByRole('option').first().waitFor({ timeout: 20_000 });
    expect(await page.evaluate('window.hit')).toBeUndefined();
    console.log(`longest task with 100,000 features: ${Math.round(await page.evaluate<number>('window.longest'))} ms`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('says in the language of the page what is left out', async () => {
    const { page } = await dashboard.visit('/file', { locale: 'de' });
    const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [1, 1] } };
    const ring = [
      [0, 0, 5],
      [1, 0, 5],
      [1, 1, 5],
      [0, 0, 5],
    ];
    const area = { ...point, geometry: { type: 'Polygon', coordinates: [ring] } };
    const features = [point, area, { ...point, geometry: null }];
    const mixed = kept('mixed.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    await page.locator('input[type=file]').setInputFiles(mixed);
    const about = page.getByRole('region', { name: 'Über diese Datei' });
    await about.waitFor({ timeout: 30_000 });
    const said = await about.getByRole('listitem').allTextContents();
    expect(said).toEqual(['1 Punkt oder Linie weggelassen', 'Höhen werden weggelassen.', expect.any(String)]);
    expect(said[2]).toMatch(/Objekte? .*keine Fläche/);
    await page.context().close();
  });

  test('dropped on any page it is shown; 390 px, dark: nothing serious, nothing cut off', async () => {
    const { page, faults, violations } = await dashboard.visit('/pricing', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['POLYGON((0 0,1 0,1 1,0 0))'], 'one.wkt'));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 20_000 })
      .toContain('one.wkt: 1 feature, 4 points');
    expect(new URL(page.url()).pathname).toBe('/file');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
