import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../../errors/index.js';
import { etagOf, headerValuesOf, parseEtags } from '../../web/index.js';

/** Metadata of {@link IfMatch}. */
export const IfMatchMark = Reflector.createDecorator<true>();

/** What a request expects of the resource that it changes (RFC 9110, section 13.1.1). */
export class Precondition {
  /** @param tags one of which must be the current one; null if the request expects nothing */
  constructor(private readonly tags: readonly string[] | null) {}

  /**
   * Requires that the resource is as the caller read it. To be called in the transaction of the
   * change, with the row locked; without `If-Match` it reads nothing.
   * @param read returns the resource as its GET does, from the database
   * @throws {AppError} precondition-failed
   */
  async require(read: () => Promise<object>): Promise<void> {
    if (this.tags !== null && !this.tags.includes(etagOf(await read())))
      throw new AppError('precondition-failed');
  }
}

const decorate = createParamDecorator(
  (_: unknown, context: ExecutionContext): Precondition => {
    const given = headerValuesOf(context.switchToHttp().getRequest<Request>(), 'if-match').join(',');
    if (given === '' || given.trim() === '*') return new Precondition(null); // the guards have found the resource
    const tags = parseEtags(given);
    if (!tags) throw AppError.violation('If-Match', 'must be "*" or entity tags in quotation marks');
    return new Precondition(tags);
  },
  [
    (target, key) => {
      const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
      if (key !== undefined && descriptor) IfMatchMark(true)(target, key, descriptor);
    },
  ],
);

/** Handler parameter: the {@link Precondition} of the request, which the handler must require. */
export const IfMatch = (): ParameterDecorator => decorate();
