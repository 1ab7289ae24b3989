import { deflateSync } from 'node:zlib';
import { contrastWithWhite, onDark } from '../../src/iam/organizations/branding/accent.js';
import { readFetchedLogo, readLogo } from '../../src/iam/organizations/branding/logo/logo.js';
import { JPEG, pngChunk, pngOf, WEBP, webpChunk, webpOf } from '../support/images.js';

const reasonOf = (bytes: Buffer) =>
  readLogo(bytes).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

/** Header of the extended format of WebP. */
const extended = (flags: number, width: number, height: number): Buffer => {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
};
const lossless = webpChunk('VP8L', WEBP.subarray(20, 33));
const lossy = (width: number, height: number): Buffer => {
  const data = Buffer.from('000000' + '9d012a' + '00000000' + '0000', 'hex');
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
};

describe('A logo', () => {
  it.each([
    ['PNG', pngOf(), 'image/png'],
    ['WebP', WEBP, 'image/webp'],
  ])('is accepted as %s, without a change', async (_name, bytes, type) => {
    const logo = await readLogo(bytes);
    expect([logo.type, logo.image.equals(bytes)]).toEqual([type, true]);
    expect(logo.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('loses texts, positions and animations', async () => {
    const chunks = ['tEXt', 'iTXt', 'eXIf', 'acTL', 'prVt'].map((type) =>
      pngChunk(type, Buffer.from('<script>')),
    );
    expect((await readLogo(pngOf({ chunks }))).image.equals(pngOf())).toBe(true);
    const described = webpOf(extended(0x0c, 1, 1), lossless, webpChunk('EXIF', Buffer.from('<script>')));
    const { image } = await readLogo(described);
    expect(image.equals(webpOf(extended(0, 1, 1), lossless))).toBe(true);
  });

  const png = pngOf();
  const damagedSum = Buffer.from(png);
  damagedSum[40] = (damagedSum[40] ?? 0) ^ 1;
  const bomb = pngOf({ pixels: Buffer.alloc(40 * 1024 * 1024) });
  it.each<[string, Buffer, string]>([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'type'],
    ['a GIF', Buffer.from('GIF89a'), 'type'],
    ['nothing', Buffer.alloc(0), 'type'],
    ['a page behind a PNG', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]), 'damaged'],
    ['a page before a PNG', Buffer.concat([Buffer.from('<!doctype html>'), png]), 'type'],
    ['an archive behind a WebP', Buffer.concat([WEBP, Buffer.from('PK\u0003\u0004')]), 'damaged'],
    ['a chunk behind a WebP', Buffer.concat([WEBP, webpChunk('TEXT', Buffer.from('<script>'))]), 'damaged'],
    ['a PNG of 10,000 × 10,000 pixels', pngOf({ width: 10_000, height: 10_000, pixels: png }), 'pixels'],
    ['a PNG without width', pngOf({ width: 0, pixels: png }), 'pixels'],
    ['a PNG with another checksum', damagedSum, 'damaged'],
    ['a PNG that is cut off', png.subarray(0, -4), 'damaged'],
    [
      'a PNG without pixels',
      Buffer.concat([png.subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]),
      'damaged',
    ],
    ['a PNG with two headers', pngOf({ chunks: [png.subarray(8, 33)] }), 'damaged'],
    ['a PNG that unpacks to 40 MiB', bomb, 'damaged'],
    [
      'a PNG of no pixels that unpack',
      Buffer.concat([
        png.subarray(0, 33),
        pngChunk('IDAT', Buffer.from('no')),
        pngChunk('IEND', Buffer.alloc(0)),
      ]),
      'damaged',
    ],
    ['a PNG over 256 KiB', Buffer.concat([png, Buffer.alloc(256 * 1024)]), 'bytes'],
    ['a WebP of 2,000 pixels', webpOf(lossy(2_000, 10)), 'pixels'],
    ['a WebP with a canvas of 2,000 pixels', webpOf(extended(0, 10, 2_000), lossless), 'pixels'],
    ['an animated WebP', webpOf(extended(2, 10, 10), lossless), 'animated'],
    ['a WebP with a frame', webpOf(webpChunk('ANMF', Buffer.alloc(24)), lossless), 'animated'],
    ['a WebP without an image', webpOf(extended(0, 1, 1)), 'damaged'],
    ['a WebP with two images', webpOf(lossless, lossless), 'damaged'],
    ['a WebP without its start code', webpOf(webpChunk('VP8 ', Buffer.alloc(12))), 'damaged'],
    [
      'a WebP with a longer chunk than itself',
      webpOf(Buffer.from('VP8L\u00ff\u00ff\u0000\u0000', 'latin1')),
      'damaged',
    ],
  ])('is refused as %s', async (_name, bytes, reason) => {
    expect(await reasonOf(bytes)).toBe(`branding.logo-${reason}`);
  });

  it('is refused or accepted, and never fails otherwise, whatever its bytes are', async () => {
    for (const whole of [png, WEBP, webpOf(extended(0, 1, 1), lossless)])
      for (let at = 0; at < whole.length; at += 1) {
        const changed = Buffer.from(whole);
        changed[at] = 255 - (changed[at] ?? 0);
        for (const bytes of [changed, whole.subarray(0, at)])
          expect(await reasonOf(bytes)).toMatch(/^(?:accepted|branding\.logo-)/);
      }
  });

  it('can use all bytes of the largest size', async () => {
    const pixels = deflateSync(Buffer.alloc(1024 * (1024 * 3 + 1)));
    expect(pixels.length).toBeLessThan(256 * 1024);
    expect(await reasonOf(pngOf({ width: 1024, height: 1024, pixels: Buffer.alloc(1024 * 3073) }))).toBe(
      'accepted',
    );
  });
});

describe('An accent', () => {
  it('has the contrast of WCAG', () => {
    expect(contrastWithWhite('#000000')).toBeCloseTo(21, 5);
    expect(contrastWithWhite('#ffffff')).toBeCloseTo(1, 5);
    expect(contrastWithWhite('#767676')).toBeGreaterThanOrEqual(4.5);
    expect(contrastWithWhite('#777777')).toBeLessThan(4.5);
  });

  it('becomes lighter for the dark theme until it can be read there', () => {
    expect(onDark('#000000')).not.toBe('#000000');
    expect(onDark('#7a1fa2')).toMatch(/^#[0-9a-f]{6}$/);
    expect(onDark('#ffffff')).toBe('#ffffff');
  });
});

describe('A logo that was fetched', () => {
  const segment = (marker: number, data: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const start = JPEG.subarray(0, 2);
  const rest = JPEG.subarray(2);
  const frame = JPEG.indexOf(Buffer.from([0xff, 0xc0]));
  const scan = JPEG.lastIndexOf(Buffer.from([0xff, 0xda]));
  const reasonOfFetched = (bytes: Buffer) =>
    readFetchedLogo(bytes).then(
      () => 'accepted',
      (error: Error) => error.message,
    );

  it.each([
    ['PNG', pngOf(), 'image/png'],
    ['WebP', WEBP, 'image/webp'],
    ['JPEG', JPEG, 'image/jpeg'],
  ])('is accepted as %s, without a change', async (_name, bytes, type) => {
    const logo = await readFetchedLogo(bytes);
    expect([logo.type, logo.image.equals(bytes)]).toEqual([type, true]);
  });

  it('loses positions, texts, thumbnails, and what follows the image', async () => {
    const script = Buffer.from('<script>');
    const described = Buffer.concat([
      start,
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), script])),
      segment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), script])),
      segment(0xfe, script),
      Buffer.from([0xff]), // a fill byte
      rest,
      script,
    ]);
    expect((await readFetchedLogo(described)).image.equals(JPEG)).toBe(true);
  });

  it('keeps the profile of its colors', async () => {
    const profile = segment(0xe2, Buffer.from('ICC_PROFILE\0profile'));
    const { image } = await readFetchedLogo(Buffer.concat([start, profile, rest]));
    expect(image.includes(profile)).toBe(true);
  });

  const sized = (height: number, width: number): Buffer => {
    const bytes = Buffer.from(JPEG);
    bytes.writeUInt16BE(height, frame + 5);
    bytes.writeUInt16BE(width, frame + 7);
    return bytes;
  };
  const swapped = (at: number, byte: number): Buffer => {
    const bytes = Buffer.from(JPEG);
    bytes[at] = byte;
    return bytes;
  };
  it.each<[string, Buffer, string]>([
    ['10,000 pixels wide', sized(4, 10_000), 'pixels'],
    ['without a height', sized(0, 4), 'pixels'],
    ['cut off', JPEG.subarray(0, -2), 'damaged'],
    ['cut off in a segment', JPEG.subarray(0, frame + 6), 'damaged'],
    ['without a scan', Buffer.concat([start, Buffer.from([0xff, 0xd9])]), 'damaged'],
    ['of lossless coding', swapped(frame + 1, 0xc3), 'damaged'],
    [
      'of two frames',
      Buffer.concat([JPEG.subarray(0, frame), JPEG.subarray(frame, frame + 19), JPEG.subarray(frame)]),
      'damaged',
    ],
    ['with bytes between segments', Buffer.concat([start, Buffer.from('x'), rest]), 'type'],
    ['with a second start', Buffer.concat([start, start, rest]), 'damaged'],
    [
      'of a thousand scans',
      Buffer.concat([
        JPEG.subarray(0, -2),
        ...Array<Buffer>(1_000).fill(JPEG.subarray(scan, -2)),
        JPEG.subarray(-2),
      ]),
      'damaged',
    ],
    ['too large', Buffer.concat([JPEG, Buffer.alloc(256 * 1_024)]), 'bytes'],
  ])('is refused as a JPEG %s', async (_name, bytes, reason) => {
    expect(await reasonOfFetched(bytes)).toBe(`branding.logo-${reason}`);
  });

  it('is no JPEG where an organization uploads it', async () => {
    expect(await reasonOf(JPEG)).toBe('branding.logo-type');
  });
});
