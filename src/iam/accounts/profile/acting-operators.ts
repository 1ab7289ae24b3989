import type { SessionId, TenantId, UserId } from '../../../kernel/index.js';

/** Session in which an operator acts as a person. */
export interface Acting {
  /** Id of the impersonation. */
  readonly id: string;
  readonly operatorId: UserId;
  readonly tenantId: TenantId;
  readonly reason: string;
  /** Number of the case at support; null if the operator gave none. */
  readonly ticket: string | null;
  readonly expiresAt: Date;
}

/** Finds what operators do as people. Implemented by the module that has sessions. */
export abstract class ActingOperators {
  /** @returns null for a session of the person's own */
  abstract find(sessionId: SessionId): Promise<Acting | null>;
}
