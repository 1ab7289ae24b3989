import { hash } from 'node:crypto';
import { MAX_LOGO_BYTES, RefusedLogo } from './chunk.js';
import { cleanJpeg, isJpeg } from './jpeg.js';
import { cleanPng, PNG_SIGNATURE } from './png.js';
import { cleanWebp, isWebp } from './webp.js';

type LogoType = 'image/png' | 'image/webp';

/** An image that can be served: it holds an image and nothing besides. */
export interface Logo<Type extends string = LogoType> {
  readonly image: Buffer;
  readonly type: Type;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** Types of images that the service fetches from other servers. */
export type FetchedLogoType = LogoType | 'image/jpeg';

/**
 * Reads a logo. Its first bytes decide what it is, and no name or type that comes with it.
 * @throws {RefusedLogo} for anything but a PNG or WebP of the right size
 */
export async function readLogo(bytes: Buffer): Promise<Logo> {
  requireLogoBytes(bytes.length);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE))
    return logoOf(await cleanPng(bytes), 'image/png');
  if (isWebp(bytes)) return logoOf(cleanWebp(bytes), 'image/webp');
  throw new RefusedLogo({ id: 'branding.logo-type' });
}

/**
 * Reads a logo that was fetched, which can also be a JPEG.
 * @throws {RefusedLogo} as {@link readLogo}
 */
export async function readFetchedLogo(bytes: Buffer): Promise<Logo<FetchedLogoType>> {
  requireLogoBytes(bytes.length);
  return isJpeg(bytes) ? logoOf(cleanJpeg(bytes), 'image/jpeg') : readLogo(bytes);
}

/** @throws {RefusedLogo} for more bytes than a logo may have */
export function requireLogoBytes(length: number): void {
  if (length > MAX_LOGO_BYTES)
    throw new RefusedLogo({ id: 'branding.logo-bytes', values: { max: MAX_LOGO_BYTES / 1024 } });
}

function logoOf<Type extends string>(image: Buffer, type: Type): Logo<Type> {
  return { image, type, hash: hash('sha256', image, 'hex') };
}
