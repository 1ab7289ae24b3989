import type { SessionId, UserId } from '../../kernel/index.js';

/** What the audit trail tells of a session. */
export const sessionEvent = (what: string, actorId: UserId, id: SessionId) => ({
  actorId,
  action: `session.${what}`,
  subject: `iam/sessions/${id}`,
});
