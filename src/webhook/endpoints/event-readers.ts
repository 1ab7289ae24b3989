import { Injectable } from '@nestjs/common';
import { CallerScopes, HeldScopes, holdsBy, type ScopePredicate } from '../../ability/index.js';
import { AccountService } from '../../iam/index.js';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import { findEventType, PLATFORM } from '../../platform/events/index.js';
import { matchesType, typesOfStream } from '../matching.js';
import { READ } from '../webhook.declarations.js';

interface Subscriber {
  readonly tenantId: TenantId;
  readonly createdBy: UserId;
}

/** Decides who may read which types of events. */
@Injectable()
export class EventReaders {
  constructor(
    private readonly callers: CallerScopes,
    private readonly accounts: AccountService,
    private readonly held: HeldScopes,
  ) {}

  /**
   * Returns whether the creator of a subscription may read all of these types now. An operator who
   * may see subscriptions may read all of the platform. By caches: {@link mayReadForShare} is what
   * a review asks.
   */
  async mayRead({ tenantId, createdBy }: Subscriber, types: readonly string[]): Promise<boolean> {
    if (tenantId === PLATFORM) return this.callers.isOperatorFor(createdBy, READ, false);
    return coversAll(await this.callers.findScopesOf(createdBy, tenantId, false), types);
  }

  /**
   * Returns the same from the database, and false if the creator is suspended or disabled. Locks
   * account, membership and roles until the transaction ends.
   */
  async mayReadForShare({ tenantId, createdBy }: Subscriber, types: readonly string[]): Promise<boolean> {
    const isPerson = (await this.accounts.lockActiveForShare(createdBy)) !== null;
    if (tenantId === PLATFORM) return isPerson && (await this.callers.isOperatorFor(createdBy, READ, true));
    const source = isPerson ? this.held.members : this.held.machines;
    return coversAll(holdsBy(await source.findRoles(createdBy, tenantId, true)), types);
  }

  /**
   * Returns a function that tells whether a caller may read a type, in the selected tenant or of
   * the platform.
   */
  async createCheck(
    tenantId: TenantId,
    caller: Principal,
    lock: boolean,
  ): Promise<(type: string) => boolean> {
    if (tenantId === PLATFORM) {
      const mayRead = await this.mayReadPlatform(caller, lock);
      return () => mayRead;
    }
    const holds = await this.callers.findCallerScopes(caller, lock);
    return (type) => covers(holds, type);
  }

  /**
   * Returns a function that finds a read scope which a caller lacks for the events of a
   * subscription, by its filters. It returns null if there is none. The secret of a subscription
   * signs its events, so that a caller who gets it must be able to read them.
   */
  async createLackedScopeOf(
    tenantId: TenantId,
    caller: Principal,
    lock: boolean,
  ): Promise<(filters: readonly string[]) => string | null> {
    const mayRead = await this.createCheck(tenantId, caller, lock);
    const lacked = typesOfStream(tenantId).filter(({ name }) => !mayRead(name));
    return (filters) =>
      lacked.find(({ name }) => filters.some((filter) => matchesType(filter, name)))?.readScope ?? null;
  }

  /** Returns whether a caller may read the events of the platform. */
  mayReadPlatform({ userId }: Principal, lock: boolean): Promise<boolean> {
    return this.callers.isOperatorFor(userId, READ, lock);
  }
}

function covers(holds: ScopePredicate | null, type: string): boolean {
  const declared = findEventType(type);
  return declared !== undefined && holds?.(declared.readScope) === true;
}

const coversAll = (holds: ScopePredicate | null, types: readonly string[]): boolean =>
  types.every((type) => covers(holds, type));
