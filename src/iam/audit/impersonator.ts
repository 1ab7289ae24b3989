import { AsyncLocalStorage } from 'node:async_hooks';
import type { UserId } from '../../kernel/index.js';

const acting = new AsyncLocalStorage<UserId>();

/** Runs the request of an operator who acts as a person: the audit trail then names both. */
export function runAsImpersonator<T>(operatorId: UserId, work: () => T): T {
  return acting.run(operatorId, work);
}

/** @returns the operator who acts as the caller of this request; null only for the person */
export const findImpersonator = (): UserId | null => acting.getStore() ?? null;
