import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { PortalPages } from '../../src/portal/portal-pages.js';
import { CHROMIUM, FULL_CHROMIUM, LIGHT } from '../support/chromium.js';
import { roundsOf } from '../support/long.js';
import { Organization } from '../support/organization.js';
import { withPortal, Visitor } from '../support/portal.js';
import { hire, openStations, resetPin, Station, type TestWorker } from '../support/station.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const run = promisify(execFile);
const WHO = 'Who are you?';
/** Rounds of three people at two stations, whose times are printed. */
const ROUNDS = roundsOf({ short: 1, long: 8 });
const SLOW_MS = 120_000;

/** Reads entries of a store of this page. */
const READ = `const read = async (name, store) => {
  const result = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await result(indexedDB.open(name));
  const names = store ? [store] : [...database.objectStoreNames];
  const all = await Promise.all(names.map((one) => result(database.transaction(one).objectStore(one).getAll())));
  database.close();
  return all.flat();
};`;
/** What pages can keep in a browser, as text. */
const KEPT = `(async () => {
  ${READ}
  const databases = await Promise.all((await indexedDB.databases()).map(({ name }) => read(name)));
  const files = (await Promise.all((await caches.keys()).map(async (name) => {
    const cache = await caches.open(name);
    return Promise.all((await cache.keys()).map(async (key) =>
      [key.url, !key.url.includes('/assets/') && (await (await cache.match(key)).text())])); // code
  }))).flat();
  const page = [document.cookie, document.documentElement.outerHTML, files];
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, page]);
})()`;
/** Paths of the files that pages keep in this browser. */
const FILES = `(async () => {
  const all = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
  return (await Promise.all(all)).flat().map(({ url }) => new URL(url).pathname);
})()`;
/** Keeps a page and a file as an earlier release has left them. */
const OF_EARLIER_RELEASE = `(async () => {
  const cache = await caches.open('station');
  await cache.put('/station', new Response('earlier-release', { headers: { 'content-type': 'text/html' } }));
  await cache.put('/assets/earlier-release.js', new Response(''));
})()`;
/** Texts of what can be pressed or filled in on this page and is smaller than 56 pixels. */
const SMALL_TARGETS = `[...document.querySelectorAll('main :is(button, a[href], input, select)')]
  .filter((target) => target.checkVisibility())
  .map((target) => [target.textContent || target.name, target.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 56)
  .map(([name, { width, height }]) => name + ' ' + width + ' x ' + height)`;
/** The worker of an earlier release, which answers for the icon of the page. */
const EARLIER_WORKER = `addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/favicon.svg')) event.respondWith(new Response('earlier-release'));
});`;
/** What the worker of this page answers. */
const ICON = `fetch('/favicon.svg').then((response) => response.text())`;
/** States of the workers of this page: the one that waits would be the second. */
const WORKER_STATES = `navigator.serviceWorker.ready.then(({ installing, waiting, active }) =>
  [active, waiting, installing].flatMap((worker) => worker?.state ?? []))`;
/** Whether a service worker handles the requests of this page. */
const HAS_WORKER = 'navigator.serviceWorker.controller !== null';
/** The error of an export of the private key. */
const EXPORTED = `(async () => {
  ${READ}
  const [{ keys }] = await read('gatehouse-station', 'station');
  return crypto.subtle.exportKey('pkcs8', keys.privateKey).then(() => 'exported', ({ name }) => name);
})()`;
/** The detector of codes that Chromium has on devices, and not on Linux. */
const DETECTOR = `globalThis.BarcodeDetector = class {
  static getSupportedFormats = async () => ['qr_code'];
  async detect(video) {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext('2d').drawImage(video, 0, 0);
    const rawValue = await zbarimg(canvas.toDataURL().split(',')[1]);
    return rawValue === '' ? [] : [{ rawValue }];
  }
};`;

describeWith([CHROMIUM, FULL_CHROMIUM, 'zbarimg'], 'A shared device at /station', () => {
  let visitor: Visitor;
  let organization: Organization;
  let grace: TestWorker;
  let folder: string;
  const { app, portal } = withPortal();
  beforeAll(async () => {
    folder = temporaryFolder('station');
    organization = await Organization.found(app);
    await openStations(organization);
    grace = await hire(organization, await Station.of(organization), { number: 'G-4711' });
  });
  beforeEach(async () => {
    visitor = await portal.visitor({ viewport: { width: 390, height: 844 } });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const show = async (name: string) => {
    const screenshots = process.env['SCREENSHOTS'];
    if (!screenshots) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.page.screenshot({ path: join(screenshots, `${name}-${colorScheme}.png`) });
    }
  };
  /** Registers this browser as a new station. @returns the id of the station */
  const register = async (at = visitor, fields: object = {}): Promise<string> => {
    const { body } = await organization.call('POST', '/stations', { name: 'Gate 3', ...fields });
    await at.page.goto('about:blank'); // a fragment by itself opens no page
    await at.page.goto(`/station#${String(body['registrationCode'])}`);
    await at.press('Register device');
    await at.sees(WHO);
    return String(body['id']);
  };
  const enter = async (pin: string) => {
    for (const digit of pin) await visitor.press(digit);
    await visitor.press('OK');
  };
  const badgeOf = async ({ userId }: TestWorker) =>
    String((await organization.call('POST', `/workers/${userId}/badge`, {})).body['badge']);
  const personAt = async (stationId: string) =>
    (await organization.call('GET', `/stations/${stationId}`)).body['person'];
  /** All that pages can keep in this browser, as text. */
  const keptBy = ({ page }: Visitor): Promise<string> => page.evaluate<string>(KEPT);

  it('is registered once by its code, with a key that cannot be exported', async () => {
    await visitor.goto('/station');
    await visitor.sees('Set up this device');
    await show('station-register');
    await visitor.fill('Registration code', 'XXXX-XXXX-XXXX');
    await visitor.press('Register device');
    await visitor.reads('This code is wrong, used or expired.');
    await register();
    expect(visitor.page.url()).toMatch(/\/station$/); // the code is not in the address any more
    const exported = await visitor.page.evaluate<string>(EXPORTED);
    expect(exported).toBe('InvalidAccessError');
    await visitor.page.reload();
    await visitor.sees(WHO);
  });

  it('signs a person in by number and temporary PIN, which they replace', async () => {
    const stationId = await register();
    const pin = String((await resetPin(organization, grace.userId)).body['temporaryPin']);
    await visitor.fill('Your number', 'g-4711');
    await show('station-who');
    await visitor.press('Next');
    await visitor.sees('Enter your PIN');
    await show('station-pin');
    await enter('918273');
    await visitor.reads('Number or PIN is wrong');
    await show('station-wrong');
    await enter(pin);
    await visitor.sees('Choose a new PIN');
    await enter('123456');
    await enter('123456');
    await visitor.reads(/Choose a PIN that is harder to guess/);
    await enter(grace.pin);
    await visitor.sees('Enter the new PIN again');
    await enter('816205');
    await visitor.reads('The two PINs differ. Choose a new PIN again.');
    await enter(grace.pin);
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    await show('station-signed-in');
    expect(await personAt(stationId)).toMatchObject({ number: 'G-4711' });
    await visitor.press('Sign out: next person');
    await visitor.sees(WHO);
    expect(await keptBy(visitor)).not.toMatch(/Grace|4711|816205|eyJ/);
  });

  it('takes the badge of the next person from a scanner that types, and keeps nothing of the one before', async () => {
    const stationId = await register();
    const ada = await hire(organization, await Station.of(organization), { number: 'A-1', pin: '583920' });
    const { keyboard } = visitor.page;
    await keyboard.type(`${await badgeOf(grace)}\n`);
    await visitor.sees('Enter your PIN');
    await keyboard.type(`${grace.pin}\n`);
    await visitor.sees('Signed in: Grace');
    expect(await personAt(stationId)).toMatchObject({ userId: grace.userId });
    await keyboard.type(`${await badgeOf(ada)}\n`);
    await visitor.sees('Enter your PIN');
    await keyboard.type(`${ada.pin}\n`);
    await visitor.sees(/^Signed in/);
    expect(await personAt(stationId)).toMatchObject({ userId: ada.userId });
    expect(await keptBy(visitor)).not.toMatch(/gh_bd_|G-4711|eyJ/);
  });

  it.each([
    ['has gone back', WHO, () => visitor.press('Back')],
    [
      'is followed by the next one',
      'Enter your PIN',
      async () =>
        visitor.page.keyboard.type(
          `${await badgeOf(await hire(organization, await Station.of(organization), { number: 'N-1' }))}\n`,
        ),
    ],
  ])('does not sign a person in later who %s', async (_, title, leave) => {
    const stationId = await register();
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await visitor.page.route('**/sign-in', async (route) => {
      await held;
      await route.continue();
    });
    await visitor.page.keyboard.type(`${await badgeOf(grace)}\n`);
    await visitor.sees('Enter your PIN');
    const asked = visitor.page.waitForRequest('**/sign-in');
    await visitor.page.keyboard.type(`${grace.pin}\n`);
    await asked;
    await leave();
    await visitor.sees(title);
    const answered = visitor.page.waitForResponse('**/sign-in');
    release();
    expect((await answered).status()).toBe(200);
    await eventually('the person is signed out', async () => (await personAt(stationId)) === null);
    await visitor.sees(title);
  });

  it(
    'hands a device on with nothing of the one before to read, also in the memory of the page',
    async () => {
      const devices = [visitor, await portal.visitor({ viewport: { width: 390, height: 844 } })];
      for (const device of devices) await register(device);
      const people = await Promise.all(
        ['705318', '583920', '914027'].map(async (pin, n) => {
          const worker = await hire(organization, await Station.of(organization), {
            number: `Zed-${n}`,
            pin,
          });
          const firstName = `Zenobia${n}`;
          await organization.call('PATCH', `/workers/${worker.userId}`, { firstName });
          return { ...worker, firstName, badge: await badgeOf(worker) };
        }),
      );
      const [one, other, next] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
      const tokens: string[] = [];
      visitor.page.on('response', (response) => {
        if (!response.url().endsWith('/sign-in')) return;
        void response.json().then((body: { accessToken: string; refreshToken: string }) => {
          tokens.push(body.accessToken, body.refreshToken);
        });
      });
      const times: number[] = [];
      const signIn = async (device: Visitor, { badge, pin }: typeof one) => {
        await device.page.keyboard.type(badge.slice(0, -1)); // no faster than this test types
        const begun = performance.now();
        await device.page.keyboard.type(badge.slice(-1));
        await device.sees('Enter your PIN');
        await device.page.keyboard.type(`${pin}\n`);
        await device.sees(/^Signed in/); // without the name, which would stay with this test
        times.push(performance.now() - begun);
      };
      for (const device of devices) {
        const devtools = await device.page.context().newCDPSession(device.page);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      }
      for (let round = 0; round < ROUNDS; round += 1)
        for (const person of people) for (const device of devices) await signIn(device, person);
      process.stdout.write(
        `From the scan to the next person, on a quarter of a processor: p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)} ms (${times.length})\n`,
      );
      tokens.length = 0;
      await signIn(visitor, one);
      await eventually('the tokens are seen', () => Promise.resolve(tokens.length > 0));
      const { badge, number, firstName, userId, pin } = one;
      const secrets = { badge, number, firstName, userId, pin, access: tokens[0]!, refresh: tokens[1]! };
      expect(await memoryOf(visitor.page)).toContain(secrets.access); // it can be found
      await signIn(visitor, other);
      await signIn(devices[1]!, next);
      const left = (await keptBy(visitor)) + (await memoryOf(visitor.page));
      const found = Object.entries(secrets).filter(([, secret]) => left.includes(secret));
      expect(found.map(([name]) => name)).toEqual([]);
    },
    SLOW_MS,
  );

  it('signs out after the idle time, which it counts down', async () => {
    await register(visitor, { idleSeconds: 60 });
    await visitor.page.clock.install();
    await visitor.page.reload();
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    await visitor.page.clock.fastForward(40_000);
    await visitor.reads(/^You are signed out in \d+ seconds/);
    await show('station-countdown');
    await visitor.page.clock.fastForward(21_000);
    await visitor.sees(WHO);
  });

  it('says what to do without a network, and when it is disabled', async () => {
    const stationId = await register();
    await visitor.page.context().setOffline(true);
    await visitor.reads('No connection');
    await show('station-offline');
    await visitor.page.context().setOffline(false);
    await organization.call('PATCH', `/stations/${stationId}`, { status: 'disabled' });
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.reads('This station is refused');
  });

  it('shows its page after a reload without a network, and goes on by itself with one', async () => {
    const stationId = await register();
    const { page } = visitor;
    const filesOf = () => page.evaluate<string[]>(FILES);
    await eventually('a worker has the page', () => page.evaluate<boolean>(HAS_WORKER));
    await eventually('the page is kept', async () => (await filesOf()).length > 3);
    await page.evaluate(OF_EARLIER_RELEASE);
    await page.reload();
    await visitor.sees(WHO); // from the network, not the page that is kept
    await eventually('the files of an earlier release are gone', async () => {
      const isGone = !(await keptBy(visitor)).includes('earlier-release');
      return isGone && (await filesOf()).includes('/station');
    });
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    await page.context().setOffline(true);
    await page.reload();
    await visitor.reads('No connection');
    await visitor.sees(WHO);
    await show('station-offline-reload');
    await page.context().setOffline(false);
    await page.getByText('No connection').waitFor({ state: 'detached' });
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    expect(await personAt(stationId)).toMatchObject({ userId: grace.userId });
    const files = await filesOf();
    expect(files).toContain('/station');
    expect(files.filter((file) => !/^\/(station|theme\.js|favicon\.svg|assets\/[^/]+)$/.test(file))).toEqual(
      [],
    );
  });

  it('has targets for gloves on each of its pages', async () => {
    const small = async () => visitor.page.evaluate<string[]>(SMALL_TARGETS);
    await visitor.goto('/station');
    await visitor.sees('Set up this device');
    expect(await small()).toEqual([]);
    await register();
    expect(await small()).toEqual([]);
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await visitor.sees('Enter your PIN');
    expect(await small()).toEqual([]);
    await visitor.press('Change PIN');
    await enter(grace.pin);
    await visitor.sees('Choose a new PIN');
    expect(await small()).toEqual([]);
    await visitor.press('Back');
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    expect(await small()).toEqual([]);
  });

  it('takes the service worker of a new release while its page is open', async () => {
    const pages = app.app.get(PortalPages, { strict: false });
    const answer = pages.answer.bind(pages);
    const serving = jest.spyOn(pages, 'answer').mockImplementation((request, response) => {
      if (request.path !== '/station-worker.js') return answer(request, response);
      response.type('text/javascript').send(EARLIER_WORKER);
      return true;
    });
    const { page } = visitor;
    const icon = () => page.evaluate<string>(ICON);
    const stationId = await register();
    await eventually('the earlier worker answers', async () => (await icon()) === 'earlier-release');
    serving.mockRestore();
    await page.reload();
    await visitor.sees(WHO);
    await eventually('the new worker answers', async () => (await icon()).includes('<svg'));
    await eventually('no worker waits', async () => {
      const states = await page.evaluate<string[]>(WORKER_STATES);
      return states.join() === 'activated';
    });
    await eventually('the page is kept', async () => (await page.evaluate<string[]>(FILES)).length > 3);
    await page.context().setOffline(true);
    await page.reload();
    await visitor.sees(WHO);
    await page.context().setOffline(false);
    await page.getByText('No connection').waitFor({ state: 'detached' });
    await visitor.fill('Your number', grace.number);
    await visitor.press('Next');
    await enter(grace.pin);
    await visitor.sees('Signed in: Grace');
    expect(await personAt(stationId)).toMatchObject({ userId: grace.userId });
  });

  it('can be installed', async () => {
    await register();
    const address = await visitor.page.locator('link[rel=manifest]').getAttribute('href');
    const response = await visitor.page.request.get(String(address));
    expect(response.headers()['content-type']).toMatch(/^application\/manifest\+json/);
    expect(await response.json()).toMatchObject({ start_url: '/station', display: 'standalone' });
  });

  it.each([
    ['the detector of the browser', readBy],
    ['a library', () => Promise.resolve()],
  ])('reads a printed badge by its camera and %s', async (reader, prepare) => {
    await visitor.goto(`/organizations/${organization.id}/workers`);
    await visitor.page.setViewportSize({ width: 1_280, height: 900 });
    await visitor.signIn(organization.owner.person);
    await visitor.page.getByRole('row').filter({ hasText: 'G-4711' }).waitFor();
    await visitor.page.getByRole('row').filter({ hasText: 'G-4711' }).getByRole('button').click();
    await visitor.press('Issue badge');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Issue badge' }).click();
    await visitor.page.getByRole('img', { name: 'Badge of Grace' }).waitFor();
    const picture = join(folder, 'badge.mjpeg');
    await visitor.page.emulateMedia({ media: 'print' });
    await visitor.page.setViewportSize({ width: 640, height: 480 }); // Chromium takes no odd sizes
    await writeFile(picture, await visitor.page.screenshot({ type: 'jpeg', quality: 95 }));
    const camera = await chromium.launchPersistentContext(join(folder, reader), {
      executablePath: FULL_CHROMIUM,
      baseURL: app.url,
      locale: 'en-GB',
      permissions: ['camera'],
      args: [...LIGHT, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${picture}`],
    });
    try {
      const device = await Visitor.of(camera, []);
      await prepare(device.page, folder);
      const stationId = await register(device);
      await device.press('Scan badge');
      await device.sees('Enter your PIN');
      await device.page.keyboard.type(`${grace.pin}\n`);
      await device.sees('Signed in: Grace');
      expect(await personAt(stationId)).toMatchObject({ userId: grace.userId });
      expect(device.broken).toEqual([]);
    } finally {
      await camera.close();
    }
  });
});

/** Gives a page a detector of codes that reads by zbarimg. */
async function readBy(page: Page, folder: string): Promise<void> {
  await page.exposeFunction('zbarimg', async (picture: string) => {
    const path = join(folder, 'frame.png');
    await writeFile(path, Buffer.from(picture, 'base64'));
    const read = await run('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', path]).catch(
      () => ({ stdout: '' }),
    );
    return read.stdout.trim();
  });
  await page.addInitScript(DETECTOR);
}

const percentile = (values: readonly number[], part: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1]!);

/** Returns all texts in the memory of a page. */
async function memoryOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.takeHeapSnapshot', {});
  await devtools.detach();
  const { strings } = JSON.parse(chunks.join('')) as { readonly strings: readonly string[] };
  return strings.join('\n');
}
