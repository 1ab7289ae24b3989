import { blockField, Input, Output, textField } from '../../../platform/api/index.js';
import type { TenantId } from '../../../kernel/index.js';
import type { Branding } from './branding.repository.js';
import { accentsOf, logoUrlOf, type Look } from './branding.service.js';
import { MAX_LOGO_BYTES } from './logo/chunk.js';

const DISPLAY_NAME = textField({
  max: 60,
  description: 'Name shown on pages; null for that of the organization.',
  example: 'Lovelace Logistics',
});

const ACCENT_COLOR = textField({
  min: 7,
  max: 7,
  pattern: /^#[0-9A-Fa-f]{6}$/,
  shape: 'a color as #0b6b6b',
  description:
    'Color of buttons and links: its contrast with white must be at least 4.5:1. null for that of the service.',
  example: '#7a1fa2',
});

const SUPPORT_URL = textField({
  max: 500,
  pattern: /^https:\/\/[^\s"'<>\\@]+$/,
  shape: 'an address that begins with https://',
  description: 'Page where people of the organization find help.',
  example: 'https://help.example.com/sign-in',
});

const MAIL_SENDER_NAME = textField({
  max: 40,
  description:
    'Name before the address of the sender of mails of the organization. "via Gatehouse" follows it.',
  example: 'Lovelace Logistics',
});

const LOGO_URL = textField({
  max: 200,
  pattern: '^/api/v1/iam/auth/logos/[0-9A-Z]{26}/[0-9a-f]{64}$',
  description: 'Path of the logo on this service. It changes with the image.',
  example: `/api/v1/iam/auth/logos/01K3V9D7Q8Z4X5N6M7P8R9S0T3/${'0123456789abcdef'.repeat(4)}`,
});

const nullable = { nullable: true } as const;
const ON_DARK = {
  nullable: true,
  description: 'Accent for the dark theme, computed: its contrast there is at least 4.5:1.',
} as const;

export class BrandingResponse {
  @Output(DISPLAY_NAME, nullable)
  displayName: string | null;
  @Output(LOGO_URL, nullable)
  logoUrl: string | null;
  @Output(ACCENT_COLOR, nullable)
  accentColor: string | null;
  @Output(ACCENT_COLOR, ON_DARK)
  accentColorDark: string | null;
  @Output(SUPPORT_URL, nullable)
  supportUrl: string | null;
  @Output(MAIL_SENDER_NAME, nullable)
  mailSenderName: string | null;

  static from(tenantId: TenantId, branding: Branding): BrandingResponse {
    const { displayName, supportUrl, mailSenderName, logoHash, accentColor } = branding;
    const logoUrl = logoUrlOf(tenantId, logoHash);
    return { displayName, logoUrl, ...accentsOf(accentColor), supportUrl, mailSenderName };
  }
}

/** What pages show of an organization. */
export class LookResponse {
  @Output(DISPLAY_NAME, { description: 'Name shown.' })
  name: string;
  @Output(LOGO_URL, nullable)
  logoUrl: string | null;
  @Output(ACCENT_COLOR, nullable)
  accentColor: string | null;
  @Output(ACCENT_COLOR, ON_DARK)
  accentColorDark: string | null;
  @Output(SUPPORT_URL, nullable)
  supportUrl: string | null;

  static from({ name, logoUrl, accentColor, accentColorDark, supportUrl }: Look): LookResponse {
    return { name, logoUrl, accentColor, accentColorDark, supportUrl };
  }
}

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
