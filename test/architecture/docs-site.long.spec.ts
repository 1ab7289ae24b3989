import { execFile } from 'node:child_process';
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { Browser, CHROMIUM } from '../support/chromium.js';
import { describeWith } from '../support/tools.js';

const SITE = 'scripts/docs-site/dist';
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** It installs VitePress and renders every page. */
const TIMEOUT_MS = 900_000;

describeWith([CHROMIUM], 'The site of the documentation', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/docs-site-steps.mjs']);
    server = createServer((request, response) => {
      const file = fileOf(request.url ?? '/');
      response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? '' });
      if (existsSync(file)) createReadStream(file).pipe(response);
      else response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, TIMEOUT_MS);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('has a page for each document, and no dead link', () => {
    const pages = globSync('**/*.html', { cwd: SITE });
    expect(pages.length).toBeGreaterThan(globSync('docs/**/*.md').length);
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(SITE, page), 'utf8').matchAll(/<(?:a|img|link)\b[^>]* (?:href|src)="([^"]+)"/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^(?:\w+:|#)/.test(link))
        .filter((link) => !existsSync(fileOf(new URL(link, `http://site/${page}`).pathname)))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('finds "refresh", and fits a phone, %s', async (colorScheme) => {
    const browser = await Browser.open();
    const { page } = browser;
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    try {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of ['/', '/overview.html', '/flows.html', '/guides/web-app.html']) {
          await page.goto(`${url}${path}`);
          if (path === '/flows.html') await page.locator('.diagram svg').first().waitFor();
          expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
        }
      }
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('.VPLocalSearchBox input').fill('refresh');
      await page.locator('.VPLocalSearchBox .result', { hasText: 'Flows' }).first().click();
      await page.waitForURL(`${url}/flows.html#refresh`);
    } finally {
      await browser.close();
    }
    expect(errors).toEqual([]);
  });
});

/** Returns the file of a path, as any server of static files does. */
function fileOf(path: string): string {
  const [name = ''] = decodeURI(path).split('?');
  return join(SITE, name.endsWith('/') ? `${name}index.html` : name);
}
