import { applyDecorators, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Kind } from './provider.js';

/** Kind and display name of a provider. */
export interface ProviderNames {
  readonly kind: Kind;
  /** Display name: "you can sign in with …". */
  readonly name: string;
}

/** Metadata of {@link ExternalProvider}. */
export const ExternalProviderMark = Reflector.createDecorator<ProviderNames>();

/**
 * Registers a {@link SignInStrategy}: it is found at start, and adds its kind.
 * @param kind lower-case letters, digits and underscores
 * @param name display name, for pages and mails: "you can sign in with …"
 */
export function ExternalProvider(kind: Kind, name: string): ClassDecorator {
  return applyDecorators(Injectable(), ExternalProviderMark({ kind, name }));
}
