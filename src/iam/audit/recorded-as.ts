import type { Type } from '@nestjs/common';
import { type EventType, eventTypeOf } from '../../platform/events/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';

/** What the audit trail records, as an event needs it. */
export interface Recorded {
  readonly action: string;
  /** Person who did it, or whose account it was done to. */
  readonly actorId: UserId;
  readonly tenantId: TenantId | null;
  /** Last part of the subject. */
  readonly id: string;
  /** Names of the changed fields; empty if they are not known. */
  readonly changed: readonly string[];
  /** Id of what the subject belongs to; empty if it is not known. */
  readonly holderId: string;
}

interface RecordedRules<T> {
  readonly data: (recorded: Recorded) => T;
  /**
   * Whom an action without an organization concerns: the organizations of the person of whose
   * account it is, or the platform alone. Default: the person's.
   */
  readonly concerns?: 'person' | 'platform';
  /** Whether the trail names the person it was done to, so that the actor is not known. */
  readonly byOperator?: boolean;
}

interface RecordedType extends RecordedRules<object> {
  readonly type: EventType;
}

const byAction = new Map<string, RecordedType>();

/**
 * Emits an event of the type whenever the audit trail records one of these actions. Write it above
 * `@EventType`.
 */
export function RecordedAs<T extends object>(
  actions: readonly string[],
  rules: RecordedRules<T>,
): (model: Type<T>) => void {
  return (model) => {
    const type = eventTypeOf(model);
    for (const action of actions) {
      if (byAction.has(action)) throw new Error(`${action} is recorded as two types of events.`);
      byAction.set(action, { ...rules, type });
    }
  };
}

export function recordedTypeOf(action: string): RecordedType | undefined {
  return byAction.get(action);
}

/** @returns the actions that are events */
export function recordedActions(): string[] {
  return [...byAction.keys()];
}
