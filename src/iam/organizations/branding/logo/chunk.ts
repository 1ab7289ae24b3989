import type { Message } from '../../../../platform/messages/index.js';
import '../../organization.messages.js';

/** Largest logo in bytes. */
export const MAX_LOGO_BYTES = 256 * 1024;
/** Largest width and height of a logo in pixels. */
export const MAX_LOGO_PIXELS = 1024;

/** A logo that is not accepted. */
export class RefusedLogo extends Error {
  /** @param violation what is wrong with the field */
  constructor(readonly violation: Message) {
    super(violation.id);
  }
}

/** @throws {RefusedLogo} */
export function requireSize(width: number, height: number): void {
  if (width >= 1 && height >= 1 && width <= MAX_LOGO_PIXELS && height <= MAX_LOGO_PIXELS) return;
  throw new RefusedLogo({ id: 'branding.logo-pixels', values: { max: MAX_LOGO_PIXELS } });
}

/** @returns an error for an image that breaks the rules of its format */
export const damaged = (): RefusedLogo => new RefusedLogo({ id: 'branding.logo-damaged' });
