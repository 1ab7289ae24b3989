import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Public key in a JWK Set (RFC 7517). */
export interface PublishedKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y?: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: string;
}

/** Metadata of {@link PublishesKeys}. */
export const PublishesKeysMark = Reflector.createDecorator<true>();

/** Marks a method that returns keys for `/.well-known/jwks.json`, as `PublishedKey[]`. */
export function PublishesKeys(): CustomDecorator {
  return PublishesKeysMark(true);
}
