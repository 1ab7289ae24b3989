import axe from 'axe-core';
import { CHROMIUM } from '../support/chromium.js';
import { withPortal } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const OPERATION = '/api/docs/operations/createRole';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describeWith([CHROMIUM], 'API reference in a browser', () => {
  const { portal } = withPortal();

  it('finds an operation by its words, with the keyboard alone', async () => {
    const { page } = await portal.visitor();
    await page.goto('/api/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('role creat');
    const shown = page.getByRole('navigation').getByRole('link');
    await expect(shown.allInnerTexts()).resolves.toEqual([expect.stringContaining('Create a role')]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${OPERATION}`);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing of this');
    await page.getByText('No operation has these words.').waitFor();
    await page.keyboard.press('Escape');
    expect(await shown.count()).toBeGreaterThan(50);
  });

  it('keeps the chosen kind of sample and the theme', async () => {
    const { page } = await portal.visitor({ colorScheme: 'light' });
    await page.goto(OPERATION);
    const sample = page.locator('.tabs pre').filter({ hasText: 'gatehouse.post' });
    expect(await sample.isVisible()).toBe(false);
    await page.getByText('@gatehouse/client', { exact: true }).click();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.goto('/api/docs/operations/createRole');
    await sample.waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('leads back to the portal', async () => {
    const { page } = await portal.visitor();
    await page.goto(OPERATION);
    await page.getByRole('link', { name: 'Back to the portal' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it.each([
    [1_280, 'light'],
    [1_280, 'dark'],
    [390, 'light'],
    [320, 'dark'],
  ] as const)('is accessible at a width of %i pixels in the %s theme', async (width, colorScheme) => {
    const { page } = await portal.visitor({
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true, // for the checker, which is no part of the page
    });
    for (const path of ['/api/docs', OPERATION, '/api/docs/operations/updateMe']) {
      await page.goto(path);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: Finding[] }>('axe.run()');
      expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  });
});
