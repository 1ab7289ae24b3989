import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Public key in a JWK Set (RFC 7517). */
export interface PublishedKey {
  readonly kty: string;
  /** Curve and coordinates of a key of the type EC or OKP. */
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  /** Modulus and exponent of a key of the type RSA. */
  readonly n?: string;
  readonly e?: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: string;
}

/** Metadata of {@link PublishesKeys}. */
export const PublishesKeysMark = Reflector.createDecorator<true>();

/** Marks a method that returns or promises keys for `/.well-known/jwks.json`: `PublishedKey[]`. */
export function PublishesKeys(): CustomDecorator {
  return PublishesKeysMark(true);
}
