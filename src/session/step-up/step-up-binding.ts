import { canonicalEmail, type PersonPrincipal, type SessionId } from '../../kernel/index.js';
import type { CodeSubject } from '../email-codes/email-code.repository.js';

/** A code confirms the person in this session, by the address that it was mailed to. */
export const codeSubjectOf = (sessionId: SessionId, email: string): CodeSubject =>
  `step-up|${sessionId}|${canonicalEmail(email)}`;

/** A passkey confirms the person in this session only. */
export const passkeyUseOf = ({ userId, sessionId }: PersonPrincipal) =>
  ({ purpose: 'step-up', binding: `${userId}|${sessionId}` }) as const;
