import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { columnsOf, type Selected, TenantDatabase } from '../../../platform/database/index.js';
import { BrandingEntity } from './branding.entity.js';
import type { Logo } from './logo/logo.js';

const SHOWN = {
  displayName: true,
  accentColor: true,
  supportUrl: true,
  mailSenderName: true,
  logoHash: true,
} as const;
const COLUMNS = columnsOf(BrandingEntity, '', SHOWN);

/** Branding of an organization, without the image. */
export type Branding = Selected<BrandingEntity, typeof SHOWN>;

const NONE: Branding = {
  displayName: null,
  accentColor: null,
  supportUrl: null,
  mailSenderName: null,
  logoHash: null,
};

/** Brandings of organizations, each read by its organization. */
@Injectable()
export class BrandingRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  async get(tenantId: TenantId): Promise<Branding> {
    const sql = `SELECT ${COLUMNS} FROM brandings WHERE tenant_id = $1`;
    return (await this.tenants.row<Branding>(tenantId, sql)) ?? NONE;
  }

  /** Sets all but the logo. */
  async set(tenantId: TenantId, branding: Omit<Branding, 'logoHash'>): Promise<void> {
    const { displayName, accentColor, supportUrl, mailSenderName } = branding;
    await this.tenants.rows(
      tenantId,
      `INSERT INTO brandings (tenant_id, display_name, accent_color, support_url, mail_sender_name) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id) DO UPDATE SET display_name = $2, accent_color = $3, support_url = $4, mail_sender_name = $5`,
      [displayName, accentColor, supportUrl, mailSenderName],
    );
  }

  /** Replaces or removes the logo of a branding that is set. */
  async setLogo(tenantId: TenantId, logo: Logo | null): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE brandings SET logo = $2, logo_type = $3, logo_hash = $4 WHERE tenant_id = $1',
      [logo?.image ?? null, logo?.type ?? null, logo?.hash ?? null],
    );
  }

  /** Finds the logo with this hash of an organization, and of no other. */
  findLogo(tenantId: TenantId, hash: string): Promise<Pick<Logo, 'image' | 'type'> | null> {
    return this.tenants.row(
      tenantId,
      'SELECT logo AS image, logo_type AS type FROM brandings WHERE tenant_id = $1 AND logo_hash = $2',
      [hash],
    );
  }
}
