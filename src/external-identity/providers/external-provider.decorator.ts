import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import type { Kind } from './provider.js';

export const EXTERNAL_PROVIDER = 'gatehouse:external-provider';

/** What a provider is called. */
export interface ProviderNames {
  readonly kind: Kind;
  /** For people: "you can sign in by …". */
  readonly name: string;
}

/**
 * Marks a {@link SignInProvider}: it is found at start, and its kind is one more way to sign in.
 * @param kind lower-case letters, digits and underscores
 * @param name how people call it, for mails: "you can sign in by …"
 */
export function ExternalProvider(kind: Kind, name: string): ClassDecorator {
  const names: ProviderNames = { kind, name };
  return applyDecorators(Injectable(), SetMetadata(EXTERNAL_PROVIDER, names));
}
