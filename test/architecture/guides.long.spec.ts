import { globSync } from 'node:fs';
import { answers, BuiltService, freePort } from '../support/built-service.js';
import { Browser, CHROMIUM } from '../support/chromium.js';
import { blocksOf, continuesGettingStarted, runScript, scriptOf } from '../support/document-script.js';
import { Organization, Person } from '../support/organization.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const WEB_APP = 'docs/guides/web-app.md';
const GUIDES = globSync('docs/guides/*.md').filter((guide) => guide !== WEB_APP);

/**
 * The guides, and other pages that continue Getting started, run as a reader does: their commands,
 * and the files that they say to save.
 */
describeWith(['bash', 'curl', 'openssl'], 'The guides', () => {
  let service: BuiltService;
  beforeAll(async () => {
    const PORT = String(await freePort());
    service = await BuiltService.start({ PORT, PUBLIC_URL: `http://localhost:${PORT}` });
    await service.register('you@example.com'); // whom the documents speak to
  });
  afterAll(() => service.stop());

  it('are more than four', () => {
    expect(GUIDES.length).toBeGreaterThanOrEqual(4);
  });

  it('continue where Getting started ends', async () => {
    const first = blocksOf('docs/getting-started.md', '## Log out');
    const following = globSync('docs/**/*.md').toSorted().filter(continuesGettingStarted);
    expect(following.slice(-2)).toEqual(['docs/machines.md', 'docs/protect-your-api.md']);
    expect(following).toHaveLength(4);
    await runScript(scriptOf([first, ...following.map((page) => blocksOf(page))].flat()), service);
  });

  it.each(GUIDES.filter((guide) => !continuesGettingStarted(guide)))('%s: the commands succeed', (guide) =>
    runScript(scriptOf(blocksOf(guide)), service),
  );
});

describeWith(['bash', 'curl', CHROMIUM], WEB_APP, () => {
  it('ends with an app that signs in, and an API that knows who may cancel an order', async () => {
    const [PORT, app, api] = await Promise.all([freePort(), freePort(), freePort()]);
    const [url, page] = [`http://localhost:${PORT}`, `http://localhost:${app}`];
    const service = await BuiltService.start({
      PORT: String(PORT),
      PUBLIC_URL: url,
      RETURN_URIS: page,
      ALLOWED_ORIGINS: page,
    });
    const browser = await Browser.open();
    const ada = await Person.signUp(service);
    const harbour = await Organization.found(service, ada);
    const addresses = { 'http://localhost:3000': url, '5173': String(app), '4000': String(api) };
    try {
      await runScript(scriptOf(blocksOf(WEB_APP)), service, addresses, async () => {
        const { page: tab } = browser;
        await eventually('the app is served', () => answers(page), 20_000);
        await tab.goto(page);
        await tab.waitForURL(`${url}/sign-in?**`);
        await tab.getByLabel('Email address').fill(ada.email);
        await tab.getByLabel('Password', { exact: true }).fill(ada.password);
        await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
        await tab.getByLabel('Organization').selectOption(harbour.id);
        await tab.getByRole('button', { name: 'Cancel order 4711', disabled: false }).click();
        const answer = JSON.stringify({ by: ada.id, organization: harbour.id });
        await tab.getByText(`200 ${answer}`).waitFor();
      });
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
