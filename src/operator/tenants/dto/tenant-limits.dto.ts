import { Input } from '../../../platform/api/index.js';
import { MAILS_PER_DAY, OPEN_INVITATIONS } from '../tenant-limits.fields.js';

export class TenantLimitsDto {
  @Input(MAILS_PER_DAY, { optional: true, nullable: true })
  mailsPerDay?: number | null;
  @Input(OPEN_INVITATIONS, { optional: true, nullable: true })
  openInvitations?: number | null;
}
