import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { InvitationExpired } from '../organization.events.js';
import { InvitationRepository } from './invitation.repository.js';

/** Invitations of one transaction. */
const BATCH = 200;

/** Tells subscribers of invitations that have expired, within ten minutes, once for each. */
@Injectable()
export class InvitationExpiry {
  private readonly expired: Emitter<InvitationExpired>;

  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    events: Events,
  ) {
    this.expired = events.emitter(InvitationExpired);
  }

  /** @returns whether some may be left */
  @Cleanup()
  noteExpired(): Promise<boolean> {
    return this.database.transaction(async () => {
      const noted = await this.invitations.noteExpired(BATCH);
      await this.emit(noted);
      return noted.length === BATCH;
    });
  }

  /** Revokes an expired invitation, so that the address can be invited again. */
  async revokeExpired(tenantId: TenantId, emailKey: string): Promise<void> {
    const id = await this.invitations.revokeExpired(tenantId, emailKey);
    if (id !== null) await this.emit([{ tenantId, id }]);
  }

  /** Emits the events in the open transaction. */
  private emit(invitations: readonly { readonly tenantId: TenantId; readonly id: string }[]): Promise<void> {
    return this.expired.emit(
      ...invitations.map(({ tenantId, id }) => ({
        tenantIds: [tenantId],
        subject: `iam/invitations/${id}`,
        actorId: null,
        data: { invitationId: id },
      })),
    );
  }
}
