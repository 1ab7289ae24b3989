import type { Type } from '@nestjs/common';
import {
  declareEventType,
  type EventType,
  type EventTypeOptions,
  eventTypeOf,
} from '../../platform/events/index.js';
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
    record(actions, { ...rules, type: eventTypeOf(model) });
  };
}

/**
 * Declares types of events that have the same data: by name, what happened, and the actions that
 * the trail records. Without actions, it is the name without its module.
 */
export function recordedEvents<T extends object>(
  model: Type<T>,
  { data, concerns, byOperator, ...options }: RecordedRules<T> & Omit<EventTypeOptions, 'description'>,
  types: Readonly<Record<string, string | readonly [description: string, ...actions: string[]]>>,
): void {
  for (const [name, declared] of Object.entries(types)) {
    const [description, ...actions] = typeof declared === 'string' ? [declared] : declared;
    const type = declareEventType({ ...options, description, name, model });
    record(actions.length > 0 ? actions : [name.slice(name.indexOf('.') + 1)], {
      data,
      ...(concerns && { concerns }),
      ...(byOperator && { byOperator }),
      type,
    });
  }
}

function record(actions: readonly string[], type: RecordedType): void {
  for (const action of actions) {
    if (byAction.has(action)) throw new Error(`${action} is recorded as two types of events.`);
    byAction.set(action, type);
  }
}

export function recordedTypeOf(action: string): RecordedType | undefined {
  return byAction.get(action);
}

/** @returns the actions that are events */
export function recordedActions(): string[] {
  return [...byAction.keys()];
}
