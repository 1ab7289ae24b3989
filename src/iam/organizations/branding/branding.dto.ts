import { blockField, Input } from '../../../platform/api/index.js';
import { ACCENT_COLOR, DISPLAY_NAME, MAIL_SENDER_NAME, SUPPORT_URL } from './branding.fields.js';
import { MAX_LOGO_BYTES } from './logo/chunk.js';

/** Length of the largest logo in base64. */
const MAX_BASE64 = 4 * Math.ceil(MAX_LOGO_BYTES / 3);
/** Largest request: a logo, and the other fields. */
export const MAX_BRANDING_BYTES = MAX_BASE64 + 16 * 1024;

const optional = { optional: true, nullable: true } as const;

export class BrandingDto {
  @Input(DISPLAY_NAME, optional)
  displayName?: string | null;
  @Input(
    blockField({
      max: MAX_BASE64,
      pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      message: 'must be an image of at most 256 KiB in base64',
      description: 'PNG or WebP of at most 256 KiB and 1024 × 1024 pixels, in base64. null removes it.',
      example:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    }),
    optional,
  )
  logo?: string | null;
  @Input(ACCENT_COLOR, optional)
  accentColor?: string | null;
  @Input(SUPPORT_URL, optional)
  supportUrl?: string | null;
  @Input(MAIL_SENDER_NAME, optional)
  mailSenderName?: string | null;
}
