import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { FIRST_PARTY_CLIENT, type Principal } from '../kernel/index.js';
import { AbilityRegistry } from './ability.registry.js';
import { ClientScopes, EVERY_SCOPE } from './client-scopes.js';
import { HeldScopes, type ScopePredicate } from './held-scopes.js';

const holdsAll: ScopePredicate = () => true;

/** What a caller holds: what the user holds, cut to the scopes of the client that acts in their name (ADR 12). */
@Injectable()
export class CallerScopes implements OnModuleInit {
  private heldScopes: HeldScopes | undefined;
  private clientScopes: ClientScopes | undefined;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.heldScopes = this.modules.get(HeldScopes, { strict: false });
    this.clientScopes = this.modules.get(ClientScopes, { strict: false });
  }

  /** What the client may do for any user. Our own app may do everything; asking for it costs nothing. */
  async getClientScopes(clientId: string, lock: boolean): Promise<ScopePredicate> {
    if (clientId === FIRST_PARTY_CLIENT) return holdsAll;
    const scopes = await this.clientScopes?.findScopes(clientId, lock);
    if (!scopes) return () => false;
    return (scope) =>
      this.registry.find(scope)?.firstParty === false && (scopes.has(EVERY_SCOPE) || scopes.has(scope));
  }

  /** What the user holds in the selected tenant, by any client; null without a membership. */
  async findUserScopes({ userId, tenantId }: Principal, lock: boolean): Promise<ScopePredicate | null> {
    return tenantId === null
      ? null
      : ((await this.heldScopes?.findScopePredicate(userId, tenantId, lock)) ?? null);
  }

  /** What the caller holds in the selected tenant: what they may give to others. Null without a membership. */
  async findCallerScopes(caller: Principal, lock: boolean): Promise<ScopePredicate | null> {
    const mayClient = await this.getClientScopes(caller.clientId, lock);
    const holds = await this.findUserScopes(caller, lock);
    return holds && ((scope) => mayClient(scope) && holds(scope));
  }

  /** Whether the caller runs the platform, which is done in our own app alone. */
  async isOperator({ userId, clientId }: Principal, lock: boolean): Promise<boolean> {
    return clientId === FIRST_PARTY_CLIENT && (await this.heldScopes?.isOperator(userId, lock)) === true;
  }
}
