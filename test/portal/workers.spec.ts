import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Organization } from '../support/organization.js';
import { withPortal, type Visitor, withVisitor } from '../support/portal.js';
import { hire, openStations, Station } from '../support/station.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { describeWith } from '../support/tools.js';

const run = promisify(execFile);

/** Saves a screenshot for review into the folder SCREENSHOTS, where it is set, wide and narrow. */
const show = async (name: string, { page }: Visitor) => {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  for (const [how, colorScheme, width] of [
    ['light', 'light', 1_280],
    ['phone', 'dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: join(folder, `${name}-${how}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1_280, height: 844 });
};

describeWith([CHROMIUM, 'zbarimg'], 'Workers and stations, at the portal', () => {
  let organization: Organization;
  let folder: string;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(() => {
    folder = temporaryFolder('badges');
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const dialog = (name: string | RegExp) =>
    visitor.page.getByRole('dialog', { name }).or(visitor.page.getByRole('alertdialog', { name }));
  const confirm = async (question: string, button: string) => {
    await dialog(question).getByRole('button', { name: button, exact: true }).click();
  };
  const open = async (path: string): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/${path}`);
    await visitor.signIn(organization.owner.person);
  };
  const row = (text: string) => visitor.page.getByRole('main').getByRole('row').filter({ hasText: text });
  /** Reads all QR codes of an image, as a scanner does. */
  const scan = async (path: string): Promise<string[]> => {
    const { stdout } = await run('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', path]);
    return stdout.trim().split('\n').toSorted();
  };

  it('are added from pasted rows, where wrong ones stay with the reason', async () => {
    await organization.call('POST', '/workers', { number: '4711', firstName: 'Ada', roles: ['member'] });
    await open('workers');
    await visitor.press('Add workers');
    await dialog('Add workers')
      .getByRole('textbox', { name: 'People' })
      .fill('sep=;\n4711\tGrace\tHopper\n4712;Jean;Bartik\n\n4713, Kay');
    await confirm('Add workers', 'Add 3 people');
    await visitor.reads('1 person was not added');
    await visitor.reads('Another person in this organization has this number.');
    expect(await dialog('Add workers').getByRole('textbox', { name: 'People' }).inputValue()).toBe(
      '4711\tGrace\tHopper',
    );
    await show('workers-add', visitor);
    await dialog('Add workers').getByRole('button', { name: 'Cancel' }).click();
    await row('Jean Bartik').getByText('4712', { exact: true }).waitFor();
    await row('Kay').getByText('No PIN').waitFor();
    await show('workers', visitor);
    await visitor.fill('Search by number or name', 'arti');
    await row('Kay').waitFor({ state: 'detached' });
    await row('Jean Bartik').waitFor();
    await visitor.goto(`/organizations/${organization.id}/audit-trail`);
    for (const deed of ['added a worker: Kay', 'added a member: Kay'])
      await visitor.page.getByRole('listitem').filter({ hasText: deed }).waitFor();
  });

  it('are suspended, reinstated and exported several at once', async () => {
    for (const [number, firstName] of [
      ['1', 'Ada'],
      ['2', 'Jean'],
      ['3', 'Kay'],
    ])
      await organization.call('POST', '/workers', { number, firstName, roles: ['member'] });
    const statuses = async () => {
      const { items } = (await organization.call('GET', '/workers')).body as unknown as {
        items: { number: string; status: string }[];
      };
      return Object.fromEntries(items.map(({ number, status }) => [number, status]));
    };
    await open('workers');
    for (const name of ['Ada', 'Kay'])
      await visitor.page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true });
    const bar = visitor.page.getByRole('toolbar', { name: 'Selected workers' });
    await show('workers-selected', visitor);
    const saved = visitor.page.waitForEvent('download');
    await bar.getByRole('button', { name: 'Export CSV' }).click();
    const path = join(folder, 'workers.csv');
    await (await saved).saveAs(path);
    const rows = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^"1","Ada","","","\w{26}","member","active","","","",""$/);
    await bar.getByRole('button', { name: 'Suspend' }).click();
    await confirm('Suspend 2 workers?', 'Suspend');
    await bar.waitFor({ state: 'detached' });
    await visitor.reads('Done for 2 workers.');
    expect(await statuses()).toEqual({ 1: 'suspended', 2: 'active', 3: 'suspended' });
    await visitor.page.getByRole('checkbox', { name: 'Select all' }).check({ force: true });
    await bar.getByRole('button', { name: 'Reinstate' }).click();
    await confirm('Reinstate 2 workers?', 'Reinstate'); // the third one is active
    await bar.waitFor({ state: 'detached' });
    expect(await statuses()).toEqual({ 1: 'active', 2: 'active', 3: 'active' });
  });

  it('get badges on a printed sheet, which a scanner reads and a station accepts', async () => {
    await openStations(organization);
    const station = await Station.of(organization);
    const pins = new Map<string, string>();
    for (const [number, pin] of [
      ['4711', '583920'],
      ['4712', '627491'],
    ] as const)
      pins.set((await hire(organization, station, { number, pin })).userId, pin);
    await open('workers');
    await visitor.press('Issue 2 missing badges');
    await confirm('Issue 2 badges?', 'Issue badges');
    await dialog('Print 2 badges').getByRole('img', { name: 'Badge of Grace' }).first().waitFor();
    await show('badges', visitor);
    const path = join(folder, 'sheet.png');
    await visitor.page.emulateMedia({ media: 'print' });
    await visitor.page.screenshot({ path, fullPage: true });
    const badges = await scan(path);
    expect(badges).toHaveLength(2);
    for (const badge of badges) {
      const signedIn = await Promise.all([...pins.values()].map((pin) => station.signIn({ badge, pin })));
      expect(signedIn.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    }
    await visitor.page.emulateMedia({ media: 'screen' });
    await confirm('Print 2 badges', 'Close');
    await row('4711').getByText('Issued', { exact: true }).waitFor();
    expect(await visitor.page.content()).not.toContain('gh_bd_');
  });

  it('get a badge as an SVG file', async () => {
    await organization.call('POST', '/workers', { number: '4711', firstName: 'Ada', roles: ['member'] });
    await open('workers');
    await visitor.choose('Actions for Ada', 'Issue badge');
    await confirm('Issue a badge for Ada?', 'Issue badge');
    const download = visitor.page.waitForEvent('download');
    await confirm('Print the badge', 'Save as SVG');
    const file = await download;
    expect(file.suggestedFilename()).toBe('badge-4711.svg');
    const path = join(folder, 'badge.svg');
    await file.saveAs(path);
    const page = await visitor.page.context().newPage();
    await page.goto(`file://${path}`);
    await page.screenshot({ path: `${path}.png` });
    expect(await scan(`${path}.png`)).toEqual([expect.stringMatching(/^gh_bd_/)]);
  });

  it('get a temporary PIN that works, of a member with a second factor', async () => {
    await openStations(organization);
    const station = await Station.of(organization);
    const { number } = await hire(organization, station, { number: '4711' });
    const totp = await TestTotp.enrol(app, organization.owner.token);
    await visitor.goto(`/organizations/${organization.id}/workers`);
    await visitor.signIn(organization.owner.person);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.choose('Actions for Grace', 'Reset PIN');
    await confirm('Reset the PIN of Grace?', 'Reset PIN');
    const pin = await dialog('Temporary PIN of Grace')
      .getByRole('group', { name: 'Temporary PIN' })
      .innerText();
    await show('pin', visitor);
    expect((await station.signIn({ number, pin, newPin: '816204' })).status).toBe(200);
  });

  it('are changed, suspended, reinstated and removed after a question', async () => {
    const worker = { number: '4711', firstName: 'Ada', roles: ['member'] };
    const userId = String((await organization.call('POST', '/workers', worker)).body['userId']);
    const read = async () => (await organization.call('GET', `/workers/${userId}`)).body;
    await open('workers');
    await visitor.choose('Actions for Ada', 'Edit');
    await dialog('Edit Ada').getByRole('textbox', { name: 'Number' }).fill('4712');
    await dialog('Edit Ada').getByRole('textbox', { name: 'Last name' }).fill('Lovelace');
    await show('worker-change', visitor);
    await confirm('Edit Ada', 'Save');
    await row('Ada Lovelace').getByText('4712', { exact: true }).waitFor();
    expect(await read()).toMatchObject({
      number: '4712',
      lastName: 'Lovelace',
      roles: ['member'],
      until: null,
    });
    const ACTIONS = 'Actions for Ada Lovelace';
    await visitor.choose(ACTIONS, 'Suspend');
    await confirm('Suspend Ada Lovelace?', 'Suspend');
    await row('Ada Lovelace').getByText('Suspended').last().waitFor();
    await visitor.choose(ACTIONS, 'Reinstate');
    await confirm('Reinstate Ada Lovelace?', 'Reinstate');
    await visitor.reads('Ada Lovelace can sign in again.');
    expect(await read()).toMatchObject({ status: 'active' });
    await visitor.choose(ACTIONS, 'Remove');
    await confirm('Remove Ada Lovelace?', 'Remove');
    await visitor.reads('No workers yet');
    await show('workers-empty', visitor);
  });

  it('sign in at stations, which are created, watched, disabled and deleted', async () => {
    await open('stations');
    await visitor.reads('No stations yet');
    await show('stations-empty', visitor);
    await visitor.press('New station');
    await dialog('New station').getByRole('textbox', { name: 'Name' }).fill('Gate 3');
    await dialog('New station').getByRole('textbox', { name: 'Sign out after minutes' }).fill('2,5');
    await show('station-new', visitor);
    await confirm('New station', 'Create station');
    const code = await dialog('Register the device of Gate 3')
      .getByRole('group', { name: 'Registration code' })
      .innerText();
    await show('station-code', visitor);
    const station = await Station.register(app, code);
    await confirm('Register the device of Gate 3', 'I have stored it');
    expect((await organization.call('GET', `/stations/${station.id}`)).body).toMatchObject({
      status: 'active',
      idleSeconds: 150,
      shiftSeconds: 43_200,
    });
    await openStations(organization);
    await hire(organization, station);
    await visitor.page.reload();
    await row('Gate 3').getByText('Grace', { exact: true }).waitFor();
    await show('stations', visitor);
    await visitor.choose('Actions for Gate 3', 'Disable');
    await confirm('Disable Gate 3?', 'Disable');
    await row('Gate 3').getByText('Disabled').last().waitFor();
    expect((await station.signIn({ number: 'any', pin: '583920' })).status).toBe(401);
    await visitor.choose('Actions for Gate 3', 'Enable');
    await confirm('Enable Gate 3?', 'Enable');
    await row('Gate 3').getByText('Disabled').last().waitFor({ state: 'detached' });
    await visitor.choose('Actions for Gate 3', 'Delete');
    await confirm('Delete Gate 3?', 'Delete');
    await visitor.reads('No stations yet');
  });

  it('are exported, and nothing else, by a member who may only see them', async () => {
    await organization.call('POST', '/workers', { number: '1', firstName: 'Ada', roles: ['member'] });
    const role = { key: 'watch', name: 'Watch', scopes: ['iam:worker:read', 'iam:role:read'] };
    expect((await organization.call('POST', '/roles', role)).status).toBe(201);
    const member = await organization.join('watch');
    await visitor.goto(`/organizations/${organization.id}/workers`);
    await visitor.signIn(member.person);
    await visitor.page.getByRole('checkbox', { name: 'Select Ada' }).check({ force: true });
    await visitor.page.waitForLoadState('networkidle');
    const bar = visitor.page.getByRole('toolbar', { name: 'Selected workers' });
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Export CSV', 'Clear selection']);
    expect(await visitor.page.getByRole('button', { name: /badge/i }).count()).toBe(0);
    await visitor.goto(`/organizations/${organization.id}/roles`);
    await visitor.reads('4 roles');
    expect(await visitor.page.getByRole('link', { name: /Show members/ }).count()).toBe(0);
  });

  it('are not in the menu of a member who may not see them', async () => {
    const member = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(member.person);
    await visitor.sees('Members');
    const menu = visitor.page.getByRole('navigation');
    await menu.getByRole('link', { name: 'Roles' }).first().waitFor();
    expect(await menu.getByRole('link', { name: /Workers|Stations/ }).count()).toBe(0);
  });
});
