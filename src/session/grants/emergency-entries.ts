import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { GrantView } from './grant.repository.js';

/** Notes entries of owners without the connection that their organization requires. */
@Injectable()
export class EmergencyEntries {
  constructor(
    private readonly signIns: SignInCheck,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Joins the open transaction, in which the sign-in has been accepted. */
  async note(grant: GrantView, tenantId: TenantId): Promise<void> {
    if (!(await this.signIns.isEmergency(grant, tenantId))) return;
    const { userId, sessionId } = grant;
    await this.lifecycle.emit('tenant.entered-in-emergency', { userId, tenantId, sessionId });
  }
}
