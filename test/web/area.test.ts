import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../auth/chromium.ts';
import { drawn } from '../proof/rounds.ts';
import { type Dashboard, openDashboard } from './dashboard.ts';

describe.skipIf(!hasChromium)('an area in words', { timeout: 300_000 }, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard?.close());

  test('draws an area described in words, shows how it was understood, and corrects what is ambiguous', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/area', { cookie });
    const panel = page.locator('.panel');
    const said = () => panel.textContent();
    const box = page.getByRole('textbox', { name: /^Description/ });
    await box.fill('Andalucía without the province of Sevilla');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('words')).toContain('without the province');
    await expect
      .poll(said, { timeout: 30_000 })
      .toMatch(/Understood as\s*Andalucía \(Spain\) without the province of Sevilla \(Andalucía\)/);
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*73[,.]\d{3} km/);
    expect(await panel.locator('.steps > li').count()).toBe(3);
    expect(await said()).toContain('Made of 1 boundary, without 1');
    expect(await violations()).toEqual([]);

    await box.fill('Portugal and Congo');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(said, { timeout: 30_000 }).toContain('can mean several places');
    expect(await violations()).toEqual([]);
    await panel.getByRole('alert').getByRole('link').first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('words')).toMatch(/^Portugal and [rw]\d+$/);
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*[\d,.]+ km/);
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('Portugal and Congo');

    await box.fill('<img src=x onerror=window.hit=1> of Spain');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => panel.getByRole('alert').count(), { timeout: 30_000 }).toBe(1);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
    const stranger = await dashboard.visit('/area?words=Spain');
    await expect
      .poll(() => stranger.page.locator('.panel').textContent(), { timeout: 20_000 })
      .toContain('Sign in to see');
    await page.context().close();
    await stranger.page.context().close();
  });

  test.each([
    ['de', 'an der Grenze zu Portugal', 'Seen zählen nur', 'kann mehrere Orte meinen'],
    ['es', 'que limitan con Portugal', 'los lagos solo cuentan', 'puede referirse a varios lugares'],
    ['fr', 'limitrophes de Portugal', 'les lacs ne comptent', 'peut désigner plusieurs lieux'],
  ])('says in the language of the page how it was understood, and what is missing: %s', async (locale, ...texts) => {
    const [reading, note, reason] = texts;
    const cookie = await dashboard.signIn();
    const { page, violations } = await dashboard.visit('/area?words=provinces+of+Andalusia+that+border+Portugal', {
      cookie,
      locale,
    });
    const said = () => page.locator('.panel').textContent();
    await expect.poll(said, { timeout: 30_000 }).toContain(reading);
    expect(await said()).toContain(note);
    expect(await violations()).toEqual([]);
    await page.goto(`${dashboard.base}/area?words=Portugal+and+Congo`);
    await expect.poll(said, { timeout: 30_000 }).toContain(reason);
    expect(await page.locator('[lang=en]').count()).toBe(0);
    await page.context().close();
  });

  test('a click corrects the plan of an area, and the correction is an address', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults, violations } = await dashboard.visit('/area?words=the%20province%20of%20Sevilla', { cookie });
    const panel = page.locator('.panel');
    const said = () => panel.textContent();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*14,025 km/);
    const cut = page.getByRole('button', { name: 'Cut out Spain' });
    const add = page.getByRole('button', { name: 'Add Andalusia' });
    await expect
      .poll(
        async () => {
          await page.locator('canvas').click();
          await add.waitFor({ timeout: 3000 }).catch(() => undefined);
          return (await cut.count()) + (await add.count());
        },
        { timeout: 30_000 },
      )
      .toBe(2);
    expect(await violations()).toEqual([]);
    await add.click();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Corrected by hand.*All of these.*Result\s*87,\d{3} km/s);
    const address = page.url();
    expect(JSON.parse(new URL(address).searchParams.get('plan') ?? '').length).toBe(3);
    // Who is sent the address sees the same.
    const other = await dashboard.visit(new URL(address).pathname + new URL(address).search, {
      cookie: await dashboard.signIn(),
    });
    await expect
      .poll(() => other.page.locator('.panel').textContent(), { timeout: 30_000 })
      .toMatch(/Corrected by hand.*Result\s*87,\d{3} km/s);
    await page.getByText('Share and use in code').click();
    expect(await page.locator('.ways').textContent()).toMatch(/create-area --plan '.*"op":"union"/);
    await page.getByRole('link', { name: 'The description alone' }).click();
    await expect.poll(said, { timeout: 30_000 }).toMatch(/Result\s*14,025 km/);
    expect(await said()).not.toContain('Corrected');
    await page.goto(`${dashboard.base}/area?words=Spain&plan=[{%22op%22:%22<img src=x onerror=window.hit=1>%22}]`);
    await panel.getByRole('alert').waitFor({ timeout: 20_000 });
    expect(await page.locator('main img').count()).toBe(0);
    expect([...faults, ...other.faults]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  const LOOKS = [
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const;
  test.each(drawn(LOOKS, 2))(
    'an area in words, %i px, %s: nothing serious, nothing cut off',
    async (width, colorScheme) => {
      const cookie = await dashboard.signIn();
      const { page, faults, violations } = await dashboard.visit(
        '/area?words=the%20two%20largest%20provinces%20of%20Spain',
        {
          cookie,
          colorScheme,
          viewport: { width, height: 800 },
        },
      );
      await expect
        .poll(() => page.locator('.panel').textContent(), { timeout: 30_000 })
        .toMatch(/the 2 largest of.*Result\s*[\d,.]+ km/s);
      await page.locator('canvas').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await violations()).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test('a description that is not understood has a rewording that one click tries', async () => {
    const cookie = await dashboard.signIn();
    const { page, faults } = await dashboard.visit('/area?words=provinces%20of%20Galicia%20in%20winter', { cookie });
    const rewording = page.locator('.panel a.chip', { hasText: 'provinces of Galicia' });
    await rewording.waitFor({ timeout: 30_000 });
    await rewording.click();
    await expect
      .poll(() => page.locator('.panel').textContent(), { timeout: 30_000 })
      .toMatch(/the provinces of.*Result\s*[\d,.]+ km/s);
    expect(new URL(page.url()).searchParams.get('words')).toBe('provinces of Galicia');
    // Where there is none, there are examples.
    await page.goto(`${dashboard.base}/area?words=the%20purple%20provinces%20of%20Atlantis`);
    await page.getByRole('alert').waitFor({ timeout: 30_000 });
    expect(await page.locator('.panel a.chip').count()).toBe(4);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
