import { rm, stat, utimes } from 'node:fs/promises';
import { answers, freePort, runBuilt } from '../support/built-service.js';
import { CHROMIUM } from '../support/chromium.js';
import { Demo } from '../support/demo.js';
import { PortalBrowser, type Visitor } from '../support/portal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

describeWith([CHROMIUM], 'npm run dev, with the data of npm run seed', () => {
  let dataDir: string;
  let api: string;
  let dev: Demo;
  let portal: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    dataDir = temporaryFolder('dev');
    const names = ['api', 'portal', 'provider', 'inspect'];
    const ports = await Promise.all(names.map(freePort));
    api = `http://127.0.0.1:${ports[0]}`;
    const options = names.flatMap((name, index) => [`--${name}`, String(ports[index])]);
    dev = await Demo.start('scripts/dev-steps.mjs', options, { DATA_DIR: dataDir, BCRYPT_COST: '10' });
    portal = await PortalBrowser.open(dev.told('Portal'));
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await dev.interrupt();
    await rm(dataDir, { recursive: true });
  });

  const seed = () => runBuilt('scripts/seed.mjs', ['--url', api], {});
  const call = async (path: string, bearer: string, body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
    const content = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${api}/api/v1/iam${path}`, { headers, ...content });
    return (await response.json()) as { accessToken: string; items: { id: string; status?: string }[] };
  };
  const signIn = async (name: string) =>
    (await call('/auth/login', '', { email: `${name}@example.com`, password: PASSWORD })).accessToken;

  it('seeds two organizations with a person of each role and an open invitation, once', async () => {
    const [first, second] = [await seed(), await seed()];
    expect([first.code, first.stderr, second.stderr]).toEqual([0, '', '']);
    expect(first.stdout).toMatch(/owner +ada@example\.com\n +admin +grace@example\.com\n +member +alan@/);
    expect(second.stdout).toBe(first.stdout);
    const ada = await signIn('ada');
    const { items } = await call('/me/tenants', ada);
    expect(items).toMatchObject([{ name: 'Lovelace Logistics' }, { name: 'Hopper Freight' }]);
    const tenantId = items[0]?.id;
    const { accessToken: owner } = await call('/auth/select-tenant', ada, { tenantId });
    const members = await call(`/tenants/${tenantId}/members?sort=joinedAt`, owner);
    expect(members.items).toMatchObject([{ roles: ['owner'] }, { roles: ['admin'] }, { roles: ['member'] }]);
    const invitations = await call(`/tenants/${tenantId}/invitations`, owner);
    expect(invitations.items.filter(({ status }) => status === 'open')).toMatchObject([
      { email: 'katherine@example.com', roles: ['member'] },
    ]);
  });

  it('reports that no service answers', async () => {
    const { code, stderr } = await runBuilt('scripts/seed.mjs', ['--url', 'http://127.0.0.1:9'], {});
    expect([code, stderr]).toEqual([
      1,
      'npm run seed: no service answers at http://127.0.0.1:9. Start one by npm run dev.\n',
    ]);
  });

  it('shows the mails of the service, with links to the portal', async () => {
    await visitor.goto('/mailbox');
    await visitor.page.locator(`a[href^="${dev.told('Portal')}/accept-invitation"]`).waitFor();
  });

  it('signs a seeded person in at the portal', async () => {
    await visitor.goto('/');
    await visitor.signIn({ email: 'grace@example.com', password: PASSWORD });
    await visitor.sees('Organizations');
    await visitor.reads('Hopper Freight');
  });

  it('signs in with the external provider', async () => {
    await visitor.goto('/');
    await visitor.press('Continue with single sign-on');
    await visitor.page.waitForURL(/\/at\/oidc/);
    await visitor.press('Sign in');
    await visitor.press('Go back');
    await visitor.sees('Organizations');
    await visitor.reads('Lovelace Logistics');
  });

  it('restarts the service after a change of a source', async () => {
    const source = 'src/main.ts';
    const { atime, mtime } = await stat(source);
    const starts = () => dev.printed.split('successfully started').length;
    const before = starts();
    await utimes(source, atime, new Date(mtime.getTime() + 1)); // still older than any build
    await eventually('the service starts again', () => starts() > before, 30_000);
    await utimes(source, atime, mtime);
  });

  it('ends everything by Ctrl-C', async () => {
    expect(await dev.interrupt()).toBe(0);
    expect(await Promise.all([answers(`${api}/healthz`), answers(dev.told('Portal'))])).toEqual([
      false,
      false,
    ]);
  });
});
