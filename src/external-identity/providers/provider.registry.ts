import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import { KINDS, type ExternalProvider, type Kind } from './provider.js';

/** The providers of this deployment, one of each kind at most. */
export const PROVIDERS = Symbol('externalProviders');

@Injectable()
export class ProviderRegistry {
  constructor(@Inject(PROVIDERS) private readonly providers: readonly ExternalProvider[]) {}

  /** The kinds that are configured, in the order of the specification. */
  get configured(): readonly Kind[] {
    return KINDS.filter((kind) => this.providers.some((one) => one.kind === kind && one.configured));
  }

  /** @throws {AppError} validation-error for an unknown kind, not-found for one that is not configured */
  get(kind: string): ExternalProvider {
    if (!KINDS.includes(kind as Kind)) throw AppError.violation('kind', `must be one of ${KINDS.join(', ')}`);
    const provider = this.providers.find((one) => one.kind === kind && one.configured);
    if (!provider) throw new AppError('not-found', { detail: 'This way to sign in is not configured.' });
    return provider;
  }
}
