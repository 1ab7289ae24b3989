import type { SessionId, UserId } from '../../kernel/index.js';

/** Creates the entry of the audit trail for a session. */
export const sessionEvent = (what: string, actorId: UserId, id: SessionId) => ({
  actorId,
  action: `session.${what}`,
  subject: `iam/sessions/${id}`,
});
