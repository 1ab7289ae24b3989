import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../../platform/database/index.js';

/** How an organization looks on pages and in mails. Without a row, as the service does. */
@Entity('brandings')
export class BrandingEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Name shown; null for the organization's. */
  @Column({ type: 'text', nullable: true })
  readonly displayName!: string | null;

  /** As `#0b6b6b`. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly accentColor!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly supportUrl!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly mailSenderName!: string | null;

  @Column({ type: 'bytea', nullable: true })
  readonly logo!: Buffer | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly logoType!: string | null;

  /** SHA-256 of the logo in hexadecimal digits: its address changes with it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly logoHash!: string | null;
}
