import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AppError } from '../platform/errors/index.js';
import { isRecentProof, type Principal, type UserId } from '../kernel/index.js';

/** Methods of step-up authentication. Implemented by the module that keeps the credentials. */
export abstract class ProofMethods {
  /** @returns the methods by which the person can confirm a sign-in, such as `password` */
  abstract findMethods(userId: UserId): Promise<readonly string[]>;
}

/**
 * Refuses callers whose sign-in is too old (RFC 9470, ADR 22). The age is that of the verified
 * token, so that only a refusal reads the database.
 */
@Injectable()
export class RecentProof implements OnModuleInit {
  private methods: ProofMethods;

  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    this.methods = this.modules.get(ProofMethods, { strict: false });
  }

  /**
   * Requires a sign-in of at most this age.
   * @param maxAge in seconds
   * @throws {AppError} insufficient-user-authentication
   */
  async require(principal: Principal, maxAge: number): Promise<void> {
    if (!isRecentProof(principal, maxAge)) throw await this.createRefusal(principal, maxAge);
  }

  /** Creates the problem, with the maximum age and the methods by which the person can confirm. */
  async createRefusal({ userId }: Principal, maxAge: number): Promise<AppError> {
    const methods = await this.methods.findMethods(userId);
    return new AppError('insufficient-user-authentication', {
      members: { code: 'authentication_insufficient', maxAge, methods },
      challenge: `error="insufficient_user_authentication", max_age="${maxAge}"`,
    });
  }
}
