import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AppError } from '../platform/errors/index.js';
import { isRecentProof, type Principal, type UserId } from '../kernel/index.js';

/** The ways in which people can confirm who they are. Implemented by the module that keeps their credentials. */
export abstract class ProofMethods {
  abstract findMethods(userId: UserId): Promise<readonly string[]>;
}

/** Refuses callers whose sign-in is too old (RFC 9470, ADR 22). The age is judged by the verified token: no statement, unless it is refused. */
@Injectable()
export class RecentProof implements OnModuleInit {
  private methods: ProofMethods | undefined;

  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    this.methods = this.modules.get(ProofMethods, { strict: false });
  }

  /**
   * @param maxAge seconds
   * @throws {AppError} insufficient-user-authentication
   */
  async require(principal: Principal, maxAge: number): Promise<void> {
    if (!isRecentProof(principal, maxAge)) throw await this.createRefusal(principal, maxAge);
  }

  /** The problem: says how old the sign-in may be and how this person can confirm. */
  async createRefusal({ userId }: Principal, maxAge: number): Promise<AppError> {
    const methods = (await this.methods?.findMethods(userId)) ?? [];
    return new AppError('insufficient-user-authentication', {
      denialCode: 'authentication_insufficient',
      neededProof: { maxAge, methods },
    });
  }
}
