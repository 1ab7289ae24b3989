import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { median } from '../support/pairs.mjs';

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** Slow mobile network, as Lighthouse has it: 1.6 Mbps and 150 ms, of which a tenth is overhead. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};
const CPU_SLOWDOWN = 4;
const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true };
/** A page is read once nothing has been requested for this long. */
const QUIET_MS = 2_500;

/** Measures the first visit to the sign-in page, by a phone with an empty cache. */
export default async function portal(bench) {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) return [{ ...PAINT, left: 'requires Chromium' }];
  const service = await bench.service({ PORTAL: 'on' });
  const browser = await chromium.launch({ executablePath });
  try {
    const visits = [];
    for (let round = 0; round < bench.rounds; round += 1)
      visits.push(await visit(browser, `${service.base}/sign-in`));
    const of = (measure) => median(visits.map(measure));
    return [
      { ...PAINT, ours: of(({ paint }) => paint) },
      row(
        'sign-in: until it can be used on a slow phone',
        's',
        2,
        of(({ usable }) => usable.after),
      ),
      row(
        'sign-in: compressed, until it can be used',
        'KB',
        70,
        of(({ usable }) => usable.bytes / 1e3),
      ),
      row(
        'sign-in: requests, until it can be used',
        'requests',
        8,
        of(({ usable }) => usable.requests),
      ),
      row(
        'sign-in: compressed, with what is loaded ahead',
        'KB',
        170,
        of(({ all }) => all.bytes / 1e3),
      ),
      row(
        'sign-in: DOM nodes',
        'nodes',
        100,
        of(({ nodes }) => nodes),
      ),
      row(
        'sign-in: long tasks, longest',
        'ms',
        250,
        of(({ longest }) => longest),
      ),
    ];
  } finally {
    await browser.close();
  }
}

const row = (name, unit, atMost, ours) => ({ name, unit, goal: { atMost }, ours });
const PAINT = row('sign-in: first contentful paint on a slow phone', 's', 1.5);

async function visit(browser, url) {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', NETWORK);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(observe);
    await page.goto(url);
    // No call into the page before it is quiet: Playwright's own script takes a slow phone 90 ms.
    for (
      let before = -1, now = 0;
      before !== now || now === 0;
      [before, now] = [now, await page.evaluate(count)]
    )
      await page.waitForTimeout(QUIET_MS);
    return await page.evaluate(read);
  } finally {
    await context.close();
  }
}

/** Records tasks of more than 50 ms. Runs in the page, as do the next two. */
function observe() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
}

/** Counts what was requested; 0 until the page can be used. */
const count = () =>
  performance.getEntriesByName('gatehouse-usable').length && performance.getEntriesByType('resource').length;

/**
 * Sums up what was transferred, with response headers: until the script has taken over the page, by
 * its mark (portal/src/main.tsx), and in all.
 */
function read() {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const [usable] = performance.getEntriesByName('gatehouse-usable');
  const files = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  const sum = (some) => ({
    bytes: some.reduce((bytes, { transferSize }) => bytes + transferSize, 0),
    requests: some.length,
  });
  return {
    paint: paint.startTime / 1e3,
    nodes: document.querySelectorAll('*').length,
    longest: Math.max(0, ...window.longTasks),
    usable: {
      after: usable.startTime / 1e3,
      ...sum(files.filter(({ startTime }) => startTime < usable.startTime)),
    },
    all: sum(files),
  };
}
