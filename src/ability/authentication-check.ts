import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  type Acr,
  type AuthenticationNeed,
  type Evidence,
  isSufficient,
  owesFactor,
  type PersonPrincipal,
  type Shortfall,
  type UserId,
} from '../kernel/index.js';
import { forbid, type Refusal } from './decision.js';

/** Methods to confirm who a person is, and the strength that each can prove. */
const STRENGTHS = {
  password: 'aal1',
  email_code: 'aal1',
  totp: 'aal2',
  recovery_code: 'aal2',
  passkey: 'phr',
} as const satisfies Record<string, Acr>;
export type ProofMethod = keyof typeof STRENGTHS;

/** Methods of a person; none for one who signs in by external providers and has no address. */
export interface OwnProofMethods {
  readonly methods: readonly ProofMethod[];
  /** Whether the person has a second factor: every sign-in then asks for it. */
  readonly secondFactor: boolean;
}

/** Methods of step-up authentication. Implemented by the module that keeps the authenticators. */
export abstract class ProofMethods {
  abstract find(userId: UserId): Promise<OwnProofMethods>;
  /**
   * Returns whether the person has a second factor, by the cache.
   * @param fresh read the database instead
   */
  abstract hasSecondFactor(userId: UserId, fresh: boolean): Promise<boolean>;

  /** Returns whether at least one operator has a second factor. */
  abstract hasEnrolledOperator(): Promise<boolean>;
}

/**
 * Refuses callers whose sign-in is too old or too weak (RFC 9470, ADR 22, ADR 34). Both are read
 * from the verified token; whether the person has a second factor, a permission check reads from a
 * cache, and a command from the database.
 */
@Injectable()
export class AuthenticationCheck implements OnModuleInit {
  private methods: ProofMethods;

  constructor(
    private readonly modules: ModuleRef,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.methods = this.modules.get(ProofMethods, { strict: false });
  }

  /**
   * Returns whether the caller's sign-in is recent and strong enough.
   * @param fresh read the database, not the cache
   */
  async isMet(
    principal: PersonPrincipal,
    { acr = 'aal1', maxAge }: AuthenticationNeed,
    fresh: boolean,
  ): Promise<boolean> {
    if (acr !== 'aal2-if-enrolled') return isSufficient(principal, acr, maxAge);
    if (isSufficient(principal, 'aal2', maxAge)) return true;
    if (!isSufficient(principal, 'aal1', maxAge)) return false;
    return !(await this.methods.hasSecondFactor(principal.userId, fresh));
  }

  /**
   * Returns whether an operator's sign-in is too weak for every scope of operators. They can reach
   * every account, so that one factor is not enough (`OPERATOR_REQUIRES_SECOND_FACTOR`).
   */
  async lacksSecondFactor(operator: PersonPrincipal): Promise<boolean> {
    if (isSufficient(operator, 'aal2', undefined)) return false;
    if (owesFactor(operator, null)) return true;
    const { OPERATOR_REQUIRES_SECOND_FACTOR: required } = this.settings;
    return required === 'on' || (required === 'auto' && (await this.methods.hasEnrolledOperator()));
  }

  /**
   * Requires a sign-in that is recent and strong enough.
   * @throws {AppError} insufficient-user-authentication
   */
  async require(principal: PersonPrincipal, need: AuthenticationNeed): Promise<void> {
    if (!(await this.isMet(principal, need, true))) throw await this.createRefusal(principal, need);
  }

  /**
   * Creates the problem, with what is needed and the methods by which the person can confirm it.
   * `enrol` tells a person without a second factor to add one first.
   */
  async createRefusal(
    person: Evidence & { readonly userId: UserId },
    need: AuthenticationNeed | Shortfall,
    reason: Refusal = reasonOf(person, need),
  ): Promise<AppError> {
    const { acr: asked = 'aal1', maxAge } = need;
    if ('connectionId' in need) return connectionRefusal(need.connectionId ?? null, reason);
    const { methods, secondFactor } = await this.methods.find(person.userId);
    const acr = asked === 'aal2-if-enrolled' ? (secondFactor ? 'aal2' : 'aal1') : asked;
    const endsSession = 'newSession' in need;
    const fitting = methods.filter((method) => !endsSession && isAtLeast(STRENGTHS[method], acr));
    const enrol = acr !== 'aal1' && fitting.length === 0;
    const challenge = [
      'error="insufficient_user_authentication"',
      ...(acr === 'aal1' ? [] : [`acr_values="${acr}"`]),
      ...(maxAge === undefined ? [] : [`max_age="${maxAge}"`]),
    ];
    return new AppError('insufficient-user-authentication', {
      reason,
      members: {
        code: 'authentication_insufficient',
        acr,
        ...(maxAge !== undefined && { maxAge }),
        methods: fitting,
        ...(enrol && { enrol }),
      },
      challenge: challenge.join(', '),
    });
  }
}

/** Refuses a sign-in that the organization's connection has not vouched for. */
function connectionRefusal(connectionId: string | null, reason: Refusal): AppError {
  return new AppError('insufficient-user-authentication', {
    reason,
    members: {
      code: 'authentication_insufficient',
      acr: 'aal1',
      methods: ['connection'],
      ...(connectionId !== null && { connectionId }),
    },
    challenge: 'error="insufficient_user_authentication"',
  });
}

function isAtLeast(strength: Acr, needed: Acr): boolean {
  const order: readonly Acr[] = ['aal1', 'aal2', 'phr'];
  return order.indexOf(strength) >= order.indexOf(needed);
}

/** Returns the reason for a refusal: the sign-in is too weak, or else too old. */
export function reasonOf(evidence: Evidence, { acr = 'aal1', maxAge }: AuthenticationNeed): Refusal {
  const ofEnrolled = isSufficient(evidence, 'aal1', maxAge) ? 'aal2' : 'aal1';
  const needed = acr === 'aal2-if-enrolled' ? ofEnrolled : acr;
  if (isSufficient(evidence, needed, undefined)) return forbid('ability.authentication-insufficient');
  return forbid(needed === 'phr' ? 'ability.passkey-required' : 'ability.second-factor-required');
}
