import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { findAllowedBy } from '../../ability/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { TypedEmission } from '../../platform/events/index.js';
import { type AuditEvent, AuditEventRepository } from './audit-event.repository.js';
import { recordedTypeOf } from './recorded-as.js';

const acting = new AsyncLocalStorage<UserId>();

/** Runs the request of an operator who acts as a person: the audit trail then names both. */
export function runAsImpersonator<T>(operatorId: UserId, work: () => T): T {
  return acting.run(operatorId, work);
}

/** @returns the operator who acts as the caller of this request; null only for the person */
export const findImpersonator = (): UserId | null => acting.getStore() ?? null;

type NewEvent = Pick<AuditEvent, 'actorId' | 'action'> &
  Partial<Pick<AuditEvent, 'tenantId' | 'subject' | 'details' | 'impersonatorId' | 'ticket'>> & {
    /** Names of the changed fields, for the event. */
    readonly changed?: readonly string[];
    /** Organizations that the event concerns, where its person has left them already. */
    readonly concerns?: readonly TenantId[];
    /** Id of what the subject belongs to, for the event. */
    readonly holderId?: string;
  };

/** Append-only audit trail of changes. */
@Injectable()
export class AuditTrail {
  constructor(private readonly rows: AuditEventRepository) {}

  /**
   * Records events, in the given order. Joins the open transaction: that of the change itself. The
   * same statement emits those that organizations can subscribe to. Events of a request by which an
   * operator acts as a person name the operator too.
   */
  async record(...events: NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const impersonatorId = findImpersonator();
    const made = events.map((event) => ({ id: newId(), impersonatorId, ...allowedBy(event), ...event }));
    await this.rows.insert(made, events.flatMap(emissionOf));
  }

  /**
   * Records an event of an account, by its owner.
   * @param what second part of the action, such as `created`
   */
  recordForAccount(
    actorId: UserId,
    what: string,
    event: Pick<NewEvent, 'changed' | 'concerns'> = {},
  ): Promise<void> {
    return this.record({ actorId, action: `account.${what}`, subject: `iam/accounts/${actorId}`, ...event });
  }
}

/** Returns what allowed the caller what they do in their organization, for the event. */
function allowedBy({ actorId, tenantId }: NewEvent): Pick<NewEvent, 'details'> {
  const by = findAllowedBy();
  if (by === null || by.userId !== actorId || by.tenantId !== tenantId) return {};
  const { role, on, via } = by;
  return { details: { role, on, via } };
}

/** @returns the event that a recorded action is, or nothing */
function emissionOf({
  actorId,
  action,
  tenantId = null,
  subject,
  changed = [],
  concerns,
  holderId = '',
}: NewEvent): TypedEmission[] {
  const recorded = recordedTypeOf(action);
  if (!recorded || subject === undefined || subject === null) return [];
  const id = subject.slice(subject.lastIndexOf('/') + 1);
  const data = recorded.data({ action, actorId, tenantId, id, changed, holderId });
  const actor = recorded.byOperator === true ? null : actorId;
  const emission = { type: recorded.type, subject, actorId: actor, data };
  if (tenantId !== null) return [{ ...emission, tenantIds: [tenantId] }];
  if (concerns) return [{ ...emission, tenantIds: concerns }];
  return [recorded.concerns === 'platform' ? emission : { ...emission, person: actorId }];
}
