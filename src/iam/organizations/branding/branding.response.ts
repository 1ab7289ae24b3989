import type { TenantId } from '../../../kernel/index.js';
import { Output } from '../../../platform/api/index.js';
import { ACCENT_COLOR, DISPLAY_NAME, LOGO_URL, MAIL_SENDER_NAME, SUPPORT_URL } from './branding.fields.js';
import type { Branding } from './branding.repository.js';
import { accentsOf, logoUrlOf, type Look } from './branding.service.js';

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
