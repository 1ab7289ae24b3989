import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  type Acr,
  type Assurance,
  type AuthenticationNeed,
  type Evidence,
  isOwnProofMissing,
  isSufficient,
  type PersonPrincipal,
  selectedEvidence,
  SENSITIVE,
  type Shortfall,
  type TenantId,
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

/** A person, and who has vouched for them in the session. */
export type AssuredPerson = Assurance & { readonly userId: UserId };

/** Methods of a person; none for one who signs in by external providers and has no address. */
export interface OwnProofMethods {
  /** Methods that count in the session. */
  readonly methods: readonly ProofMethod[];
  /** Those of organizations that count after a recent proof, which makes them the person's own. */
  readonly later: readonly ProofMethod[];
  /** Those that no connection of an organization stands behind: the strongest that there are. */
  readonly own: readonly ProofMethod[];
  /** Whether there is one, also if none can be used now: a blocked app. */
  readonly hasOwn: boolean;
  /** Whether the person has a second factor that counts in the session. */
  readonly secondFactor: boolean;
}

/**
 * What sign-ins are judged by, from modules above this one. `app.module.ts` puts it together.
 */
export abstract class SignInConditions {
  abstract readonly methods: ProofMethods;
  abstract readonly connections: TenantConnections;
}

/** Methods of step-up authentication. */
interface ProofMethods {
  find(person: AssuredPerson & Evidence): Promise<OwnProofMethods>;
  /**
   * Returns whether the person has a second factor that counts in the session, by the cache.
   * @param fresh read the database instead
   */
  hasSecondFactor(person: AssuredPerson, fresh: boolean): Promise<boolean>;

  /** Returns whether at least one operator has a second factor. */
  hasEnrolledOperator(): Promise<boolean>;
}

/** Finds the connections of tenants. */
interface TenantConnections {
  /** @returns the active connection; null if the tenant has none */
  findOfTenant(tenantId: TenantId): Promise<{ readonly id: string } | null>;
}

/**
 * Refuses callers whose sign-in is too old or too weak (RFC 9470, ADR 22, ADR 34). Both are read
 * from the verified token; whether the person has a second factor, a permission check reads from a
 * cache, and a command from the database.
 */
@Injectable()
export class AuthenticationCheck {
  constructor(
    private readonly conditions: SignInConditions,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Finds what the caller's sign-in lacks to be recent and strong enough. Where no factor of the
   * session counts in the selected tenant, that is a proof of the person's own.
   * @param fresh read the database, not the cache
   * @returns null if it lacks nothing
   */
  async findShortfall(
    principal: PersonPrincipal,
    asked: AuthenticationNeed,
    fresh: boolean,
  ): Promise<AuthenticationNeed | Shortfall | null> {
    const { tenantId, stationId } = principal;
    // A PIN at a shared station is no strong sign-in, also of people who have no factor.
    const isRaised = stationId !== undefined && asked.acr === 'aal2-if-enrolled';
    const need: AuthenticationNeed = isRaised ? { ...asked, acr: 'aal2' } : asked;
    const { acr = 'aal1', maxAge } = need;
    const evidence = selectedEvidence(principal);
    const isByOther = tenantId !== null && isOwnProofMissing(principal, tenantId);
    if (acr !== 'aal2-if-enrolled') {
      if (isSufficient(evidence, acr, maxAge)) return null;
      return isByOther && acr !== 'aal1' ? OWN_PROOF : need;
    }
    if (isSufficient(evidence, 'aal2', maxAge)) return null;
    const isRecent = isSufficient(evidence, 'aal1', maxAge);
    if (!isRecent && !isByOther) return need;
    const isEnrolled = await this.conditions.methods.hasSecondFactor(principal, fresh);
    if (isEnrolled) return isByOther ? OWN_PROOF : need;
    return isRecent ? null : need;
  }

  /** Returns whether the person has their own second factor, by the cache. */
  hasOwnSecondFactor(userId: UserId): Promise<boolean> {
    return this.conditions.methods.hasSecondFactor({ userId }, false);
  }

  /**
   * Requires a proof of the person's own, which is older than the session (ADR 49).
   * @param tenantId organization that the request is about; null for what is the person's
   * @throws {AppError} insufficient-user-authentication
   */
  async requireOwnProof(
    principal: PersonPrincipal,
    tenantId: TenantId | null,
    when: OwnProofRule = 'always',
  ): Promise<void> {
    if (!isOwnProofMissing(principal, tenantId)) return;
    if (!(await this.acceptsWithoutOwnProof(principal, when)))
      throw await this.createRefusal(principal, OWN_PROOF, reasonOf(principal, OWN_PROOF));
  }

  /** Returns whether a rule accepts a person without their own proof: they have none. */
  async acceptsWithoutOwnProof(person: AssuredPerson & Evidence, when: OwnProofRule): Promise<boolean> {
    return when === 'if-available' && !(await this.conditions.methods.find(person)).hasOwn;
  }

  /**
   * Returns whether an operator's sign-in is too weak for every scope of operators. They can reach
   * every account, so that one factor is not enough (`OPERATOR_REQUIRES_SECOND_FACTOR`).
   */
  async lacksSecondFactor(operator: PersonPrincipal): Promise<boolean> {
    if (isSufficient(operator, 'aal2', undefined)) return false;
    const { OPERATOR_REQUIRES_SECOND_FACTOR: required } = this.settings;
    return (
      required === 'on' || (required === 'auto' && (await this.conditions.methods.hasEnrolledOperator()))
    );
  }

  /**
   * Requires a sign-in that is recent and strong enough.
   * @throws {AppError} insufficient-user-authentication
   */
  async require(principal: PersonPrincipal, need: AuthenticationNeed): Promise<void> {
    const lacking = await this.findShortfall(principal, need, true);
    if (lacking) throw await this.createRefusal(principal, lacking, reasonOf(principal, lacking));
  }

  /**
   * Creates the problem, with what is needed and the methods by which the person can confirm it.
   * `enrol` tells a person without a second factor to add one first.
   */
  async createRefusal(
    person: AssuredPerson & Evidence,
    need: AuthenticationNeed | Shortfall,
    reason: Refusal,
  ): Promise<AppError> {
    const { acr: asked = 'aal1', maxAge } = need;
    if ('connectionId' in need) return connectionRefusal(need.connectionId ?? null, reason);
    const { methods, later, own, secondFactor } = await this.conditions.methods.find(person);
    const endsSession = 'newSession' in need;
    const lacksOwnProof = 'ownProof' in need;
    const isByFactor = lacksOwnProof ? own.some((method) => STRENGTHS[method] !== 'aal1') : secondFactor;
    const acr = lacksOwnProof || asked === 'aal2-if-enrolled' ? (isByFactor ? 'aal2' : 'aal1') : asked;
    const fitting = (lacksOwnProof ? own : methods).filter(
      (method) => !endsSession && isAtLeast(STRENGTHS[method], acr),
    );
    const enrol = !lacksOwnProof && acr !== 'aal1' && fitting.length === 0;
    // They have one, which counts once they have confirmed who they are.
    if (enrol && later.some((method) => isAtLeast(STRENGTHS[method], acr)))
      return this.createRefusal(person, SENSITIVE, reason);
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
        ...(lacksOwnProof && { missing: ['own_proof'] }),
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

/** Of whom their own proof is asked: of all people, or of people who have one. */
type OwnProofRule = 'always' | 'if-available';

/** What a session lacks for which only another organization's connection has vouched. */
export const OWN_PROOF = { ownProof: true } as const satisfies Shortfall;

/** Returns the reason for a refusal: the sign-in is too weak, or else too old. */
export function reasonOf(
  principal: PersonPrincipal,
  { acr = 'aal1', maxAge, ...need }: AuthenticationNeed | Shortfall,
): Refusal {
  if ('ownProof' in need) return forbid('ability.own-proof');
  const evidence = selectedEvidence(principal);
  const ofEnrolled = isSufficient(evidence, 'aal1', maxAge) ? 'aal2' : 'aal1';
  const needed = acr === 'aal2-if-enrolled' ? ofEnrolled : acr;
  if (isSufficient(evidence, needed, undefined)) return forbid('ability.authentication-insufficient');
  return forbid(needed === 'phr' ? 'ability.passkey-required' : 'ability.second-factor-required');
}
