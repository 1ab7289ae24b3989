import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CallerScopes, HeldScopes } from '../../ability/index.js';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import { findEventType, PLATFORM } from '../../platform/events/index.js';

interface Subscriber {
  readonly tenantId: TenantId;
  readonly createdBy: UserId;
}

/** Decides who may read which types of events. */
@Injectable()
export class Readers implements OnModuleInit {
  private held: HeldScopes;

  constructor(
    private readonly callers: CallerScopes,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.held = this.modules.get(HeldScopes, { strict: false });
  }

  /**
   * Returns whether the creator of a subscription may read all of these types now. An operator may
   * read all of the platform.
   */
  async mayRead({ tenantId, createdBy }: Subscriber, types: readonly string[]): Promise<boolean> {
    if (tenantId === PLATFORM) return this.held.isOperator(createdBy, false);
    const holds = await this.held.findScopePredicate(createdBy, tenantId, false);
    return types.every((type) => {
      const declared = findEventType(type);
      return declared !== undefined && holds?.(declared.readScope) === true;
    });
  }

  /** Returns a function that tells whether a caller may read a type in the selected tenant. */
  async createCheck(caller: Principal, lock: boolean): Promise<(type: string) => boolean> {
    const holds = await this.callers.findCallerScopes(caller, lock);
    return (type) => {
      const declared = findEventType(type);
      return declared !== undefined && holds?.(declared.readScope) === true;
    };
  }
}
