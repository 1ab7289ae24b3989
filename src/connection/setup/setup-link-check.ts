import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { isInUse } from '../connections/connection.js';
import { ConnectionReach } from '../connections/connection-reach.js';
import { ConnectionRepository } from '../connections/connection.repository.js';
import { SCOPES_OF_INTENTS, type SetupIntent } from './setup-link.entity.js';

/** Requires of a caller what a new set-up link passes on. */
@Injectable()
export class SetupLinkCheck {
  constructor(
    private readonly callers: CallerScopes,
    private readonly connections: ConnectionRepository,
    private readonly reach: ConnectionReach,
  ) {}

  /** Requires that the caller holds what the link allows. */
  async requireHeld(caller: Principal, intents: readonly SetupIntent[]): Promise<void> {
    const holds = await this.callers.findCallerScopes(caller, true);
    const violations = intents.flatMap((intent, n): Violation[] => {
      const missing = SCOPES_OF_INTENTS[intent].find((scope) => holds?.(scope) !== true);
      return missing === undefined
        ? []
        : [
            {
              propertyPath: `intents[${n}]`,
              message: { id: 'setup-link.not-held', values: { scope: missing } },
            },
          ];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }

  /** @throws {AppError} validation-error on `connectionId` */
  async requireConnection(
    tenantId: TenantId,
    caller: Principal,
    intents: readonly SetupIntent[],
    id: string | null,
  ): Promise<void> {
    if (id === null) {
      if (intents.includes('certificate') && !intents.includes('sso'))
        throw AppError.violation('connectionId', 'must be given for a link for certificates');
      return;
    }
    const connection = await this.connections.findForShare(tenantId, id);
    if (!connection)
      throw AppError.violation('connectionId', 'There is no such connection in this organization.');
    const changesIt = intents.includes('sso') || intents.includes('certificate');
    // A draft that was never active signs no person in.
    if (!changesIt || !isInUse(connection)) return;
    if ((await this.reach.findExceeding(caller, tenantId, [id], true)).has(id))
      throw AppError.violation('connectionId', { id: 'connection.exceeds-caller' });
  }
}
