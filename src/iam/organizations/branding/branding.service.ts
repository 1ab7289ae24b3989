import { Injectable } from '@nestjs/common';
import type { Locked, TenantId, UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type MailLook, quotedName } from '../../../platform/mail/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { contrastWithWhite, MIN_CONTRAST, onDark } from './accent.js';
import { type Branding, BrandingRepository } from './branding.repository.js';
import { RefusedLogo } from './logo/chunk.js';
import { type Logo, readLogo } from './logo/logo.js';
import { ServiceNames } from './service-names.js';

/** Fields of a branding to change; the logo in base64. */
export type BrandingChanges = {
  readonly [Field in Exclude<keyof Branding, 'logoHash'> | 'logo']?: string | null | undefined;
};

/** What pages show of an organization. */
export interface Look {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly accentColor: string | null;
  /** Accent for the dark theme. */
  readonly accentColorDark: string | null;
  readonly supportUrl: string | null;
}

/** An organization's own look on pages and in mails. */
@Injectable()
export class BrandingService {
  constructor(
    private readonly brandings: BrandingRepository,
    private readonly tenants: TenantRepository,
    private readonly directory: MembershipDirectory,
    private readonly audit: AuditTrail,
    private readonly ownNames: ServiceNames,
  ) {}

  get(tenantId: TenantId): Promise<Branding> {
    return this.brandings.get(tenantId);
  }

  /**
   * Sets what is given; the rest stays.
   * @throws {AppError} validation-error for a color of low contrast, an image that is refused, and
   *   a name that looks like that of the service
   */
  async set(actorId: UserId, tenantId: Locked<TenantId>, changes: BrandingChanges): Promise<Branding> {
    const { logo: given, ...fields } = changes;
    if (typeof fields.accentColor === 'string') requireContrast(fields.accentColor);
    for (const field of ['displayName', 'mailSenderName'] as const)
      if (this.ownNames.resemble(fields[field] ?? ''))
        throw AppError.violation(field, { id: 'branding.looks-like-service' });
    const logo = typeof given === 'string' ? await logoOf(given) : given;
    const current = await this.brandings.get(tenantId);
    const chosen = Object.entries(fields).filter(([, value]) => value !== undefined);
    const next = { ...current, ...(Object.fromEntries(chosen) as Partial<Branding>) };
    const accentColor = next.accentColor?.toLowerCase() ?? null;
    await this.brandings.set(tenantId, { ...next, accentColor });
    if (logo !== undefined) await this.brandings.setLogo(tenantId, logo);
    const subject = `iam/brandings/${tenantId}`;
    await this.audit.record({ actorId, tenantId, action: 'branding.changed', subject });
    return this.brandings.get(tenantId);
  }

  /**
   * Finds what pages show of an organization to people who have not signed in.
   * @returns null if it has no own look, is archived, is being deleted, or is unknown: the
   *   answer does not tell which
   */
  async findLook(tenantId: TenantId): Promise<Look | null> {
    const state = await this.directory.findState(tenantId, false);
    if (!state || state.archived || state.deletionStarted) return null;
    const branding = await this.brandings.get(tenantId);
    const { displayName, accentColor, supportUrl, logoHash } = branding;
    if ([displayName, accentColor, supportUrl, logoHash].every((value) => value === null)) return null;
    const name = displayName ?? (await this.tenants.find(tenantId))?.name;
    return name === undefined
      ? null
      : { name, supportUrl, logoUrl: logoUrlOf(tenantId, logoHash), ...accentsOf(accentColor) };
  }

  /**
   * Returns how mails of the organization look. Of the sender's name only words are kept, because
   * mails may go to people who do not know the organization.
   */
  async lookOfMails(tenantId: TenantId): Promise<MailLook | undefined> {
    const { mailSenderName, accentColor } = await this.brandings.get(tenantId);
    const words = quotedName(mailSenderName ?? '')?.slice(1, -1) ?? null;
    // Set before such names were refused, or read so without what is left out.
    const sender = words === null || this.ownNames.resemble(words) ? null : words;
    return sender === null && accentColor === null ? undefined : { sender, accentColor };
  }

  findLogo(tenantId: TenantId, hash: string): ReturnType<BrandingRepository['findLogo']> {
    return this.brandings.findLogo(tenantId, hash);
  }
}

/** Returns the address of a logo. It names the content, so that it can be cached forever. */
export function logoUrlOf(tenantId: TenantId, hash: string | null): string | null {
  return hash === null ? null : `/api/v1/iam/auth/logos/${tenantId}/${hash}`;
}

/** Returns the accent in both themes. */
export function accentsOf(accentColor: string | null): Pick<Look, 'accentColor' | 'accentColorDark'> {
  return { accentColor, accentColorDark: accentColor === null ? null : onDark(accentColor) };
}

/** @throws {AppError} validation-error */
function requireContrast(color: string): void {
  const contrast = contrastWithWhite(color);
  if (contrast >= MIN_CONTRAST) return;
  // Cut and not rounded, so that 4.49 is not called 4.5.
  const shown = Math.floor(contrast * 10) / 10;
  throw AppError.violation('accentColor', {
    id: 'branding.low-contrast',
    values: { contrast: String(shown), min: String(MIN_CONTRAST) },
  });
}

/** @throws {AppError} validation-error */
async function logoOf(base64: string): Promise<Logo> {
  try {
    return await readLogo(Buffer.from(base64, 'base64'));
  } catch (error) {
    throw error instanceof RefusedLogo ? AppError.violation('logo', error.violation) : error;
  }
}
