import { writeFile } from 'node:fs/promises';

const FOLDER = 'docs/images';
/** Around a part of a page, in its pixels. */
const MARGIN = 16;
/** Between two pictures next to each other, in pixels of the picture. */
const GAP = 24;
/** Keeps letters sharp at a third of the size without loss. */
const QUALITY = 0.75;
/** Stands for the address of the service, which has a random port. */
const SHOWN_ADDRESS = 'https://id.example.com';
/** Of all pictures: without messages that pass. */
const OPTIONS = { caret: 'hide', animations: 'disabled', style: '.toasts { visibility: hidden }' };

/** Writes pictures of pages to the documents, without what passes: messages and open lists. */
export class Pictures {
  #workshop;

  /** @param browser of Playwright */
  static async open(browser) {
    const pictures = new Pictures();
    pictures.#workshop = await browser.newPage();
    return pictures;
  }

  /** Writes what the window shows, in both themes. */
  async takeInBothThemes(page, name) {
    await settle(page);
    await page.mouse.move(0, 0); // no row is shown as pointed at
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ ...OPTIONS, path: `${FOLDER}/${name}-${colorScheme}.png` });
    }
  }

  /**
   * Writes a picture in the light theme, as WebP.
   * @param place part of the page
   */
  async take(page, name, place) {
    await this.beside(name, [await shotOf(page, place)]);
  }

  /**
   * Writes pictures next to each other.
   * @param shots by {@link shotOf}
   */
  async beside(name, shots) {
    const sources = shots.map((shot) => shot.toString('base64'));
    const webp = await this.#workshop.evaluate(drawBeside, { sources, gap: GAP, quality: QUALITY });
    await writeFile(`${FOLDER}/${name}.webp`, Buffer.from(webp, 'base64'));
  }
}

/** @returns a part of a page with a margin as PNG, in the light theme */
export async function shotOf(page, place) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await settle(page);
  await page.evaluate(showAddress, { from: new URL(page.url()).origin, to: SHOWN_ADDRESS });
  const { x, y, width, height } = await place.boundingBox();
  const clip = {
    x: x - MARGIN,
    y: y - MARGIN,
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
  };
  return page.screenshot({ ...OPTIONS, clip, fullPage: true });
}

/** Waits until open lists and busy buttons are gone. */
async function settle(page) {
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.locator('[aria-busy=true], [data-pending]').waitFor({ state: 'detached' });
}

/** Runs in the page: shows its top, another address of the service, and no focus. */
function showAddress({ from, to }) {
  document.activeElement.blur();
  scrollTo(0, 0);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.data.includes(from)) node.data = node.data.replaceAll(from, to);
  }
}

/** Runs in a page: draws PNGs next to each other and returns them as WebP, both in base64. */
async function drawBeside({ sources, gap, quality }) {
  const bitmaps = await Promise.all(
    sources.map(async (source) => {
      const bytes = Uint8Array.from(atob(source), (char) => char.charCodeAt(0));
      return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    }),
  );
  const width = bitmaps.reduce((sum, bitmap) => sum + bitmap.width, gap * (bitmaps.length - 1));
  const canvas = new OffscreenCanvas(width, Math.max(...bitmaps.map(({ height }) => height)));
  const context = canvas.getContext('2d');
  let left = 0;
  for (const bitmap of bitmaps) {
    context.drawImage(bitmap, left, 0);
    left += bitmap.width + gap;
  }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
