import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import type { Kind } from './provider.js';

export const EXTERNAL_PROVIDER = 'gatehouse:external-provider';

/** Kind and display name of a provider. */
export interface ProviderNames {
  readonly kind: Kind;
  /** Display name: "you can sign in with …". */
  readonly name: string;
}

/**
 * Registers a {@link SignInStrategy}: it is found at start, and adds its kind.
 * @param kind lower-case letters, digits and underscores
 * @param name display name, for pages and mails: "you can sign in with …"
 */
export function ExternalProvider(kind: Kind, name: string): ClassDecorator {
  const names: ProviderNames = { kind, name };
  return applyDecorators(Injectable(), SetMetadata(EXTERNAL_PROVIDER, names));
}
