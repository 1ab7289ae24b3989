import { createHash } from 'node:crypto';
import { MAX_LOGO_BYTES, RefusedLogo } from './chunk.js';
import { cleanPng, PNG_SIGNATURE } from './png.js';
import { cleanWebp, isWebp } from './webp.js';

export type LogoType = 'image/png' | 'image/webp';

/** An image that can be served: it holds an image and nothing besides. */
export interface Logo {
  readonly image: Buffer;
  readonly type: LogoType;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/**
 * Reads a logo. Its first bytes decide what it is, and no name or type that comes with it.
 * @throws {RefusedLogo} for anything but a PNG or WebP of the right size
 */
export async function readLogo(bytes: Buffer): Promise<Logo> {
  if (bytes.length > MAX_LOGO_BYTES)
    throw new RefusedLogo({ id: 'branding.logo-bytes', values: { max: MAX_LOGO_BYTES / 1024 } });
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE))
    return logoOf(await cleanPng(bytes), 'image/png');
  if (isWebp(bytes)) return logoOf(cleanWebp(bytes), 'image/webp');
  throw new RefusedLogo({ id: 'branding.logo-type' });
}

function logoOf(image: Buffer, type: LogoType): Logo {
  return { image, type, hash: createHash('sha256').update(image).digest('hex') };
}
