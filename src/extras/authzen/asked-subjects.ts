import { Injectable } from '@nestjs/common';
import { isUlid, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ABOUT_MEMBERS, AbilityService, HeldScopes, memberOf } from '../../ability/index.js';
import type { EvaluatedSubjectDto, EvaluationContextDto } from './evaluation.dto.js';

/** Lets a service account of the platform ask about the members of any organization. */
const ABOUT_ANYONE = 'platform:decision:read';
/** Lets a service account say in a question of what a thing is a part. */
const READ_THINGS = 'access:thing:read';

/** Whom a question is about. */
export interface AskedSubject {
  readonly subject: EvaluatedSubjectDto;
  readonly context?: EvaluationContextDto | undefined;
}

/**
 * As whom a question is decided; null for a subject without access to the organization, and
 * `refused` if the caller may not ask about it.
 */
export type Asked = Principal | null | 'refused';

/** Says about whom a caller may ask, and as whom such questions are decided. */
@Injectable()
export class AskedSubjects {
  constructor(
    private readonly abilities: AbilityService,
    private readonly held: HeldScopes,
  ) {}

  /**
   * Finds as whom questions are decided: as the caller, or with the roles of another subject and a
   * sign-in that the organization accepts.
   * @returns for each question; one principal for all questions about a subject
   * @throws {AppError} validation-error for an account of the platform that names no organization
   */
  async resolve(caller: Principal, questions: readonly AskedSubject[]): Promise<Asked[]> {
    const others = questions.filter(({ subject }) => !isCaller(subject, caller));
    const known = new Map<string, Asked>();
    for (const [, [first]] of Map.groupBy(others, ({ context }) => context?.tenantId)) {
      const tenantId = await this.findTenant(caller, first?.context);
      const asked = others.filter(({ context }) => context?.tenantId === first?.context?.tenantId);
      const active = await this.findActive(tenantId, asked);
      for (const question of asked)
        known.set(keyOf(question), tenantId === null ? 'refused' : principalOf(question, tenantId, active));
    }
    return questions.map((question) =>
      isCaller(question.subject, caller) ? caller : (known.get(keyOf(question)) ?? null),
    );
  }

  /**
   * Finds the organization about whose members a caller may ask: a service account's own, or the
   * one that an account of the platform names. People ask about themselves.
   * @returns null for callers who may not
   * @throws {AppError} validation-error
   */
  async findTenant(caller: Principal, context?: EvaluationContextDto): Promise<TenantId | null> {
    if (caller.kind === 'person' || caller.owner === 'person') return null;
    if (caller.owner !== 'platform')
      return (await this.mayUse(caller, ABOUT_MEMBERS)) ? caller.tenantId : null;
    if (!(await this.mayUse(caller, ABOUT_ANYONE))) return null;
    const { tenantId } = context ?? {};
    if (tenantId === undefined) throw AppError.violation('context.tenantId', 'is missing');
    return tenantId as TenantId;
  }

  /** Returns whether a caller may say of what things are parts. */
  async mayNameParents(caller: Principal): Promise<boolean> {
    const isService = caller.kind === 'machine' && caller.owner === 'service-account';
    return isService && (await this.mayUse(caller, READ_THINGS));
  }

  private async findActive(
    tenantId: TenantId | null,
    questions: readonly AskedSubject[],
  ): Promise<ReadonlySet<string>> {
    const people = questions.flatMap(({ subject: { type, id } }) => (type === 'user' ? [id as UserId] : []));
    return tenantId === null ? new Set() : this.held.assignments.findActive(tenantId, people);
  }

  private async mayUse(caller: Principal, scope: string): Promise<boolean> {
    const [decision] = await this.abilities.decide(caller, [{ scope }]);
    return decision?.allowed === true;
  }
}

const keyOf = ({ subject: { type, id }, context }: AskedSubject): string =>
  JSON.stringify([type, id, context?.tenantId]);

function principalOf(
  { subject: { type, id } }: AskedSubject,
  tenantId: TenantId,
  active: ReadonlySet<string>,
): Principal | null {
  if (type === 'service_account' && isUlid(id)) return serviceAccountOf(tenantId, id as UserId);
  return type === 'user' && active.has(id) ? memberOf(tenantId, id as UserId) : null;
}

/** A service account with everything that its roles give. */
export const serviceAccountOf = (tenantId: TenantId, id: UserId): Principal => ({
  kind: 'machine',
  owner: 'service-account',
  userId: id,
  clientId: id,
  tenantId,
  credentialId: id,
  scopes: null,
});

/** Returns whether a subject is the caller. */
function isCaller({ type, id }: EvaluatedSubjectDto, { kind, userId, ...caller }: Principal): boolean {
  if (kind === 'machine' && 'owner' in caller && caller.owner !== 'person')
    return type === 'service_account' && id === userId;
  return type === 'user' && id === (('subject' in caller ? caller.subject : undefined) ?? userId);
}
