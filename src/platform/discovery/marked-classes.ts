import { Injectable } from '@nestjs/common';
import { DiscoveryService, type ReflectableDecorator, Reflector } from '@nestjs/core';

/** Provider whose class a decorator has marked. */
interface MarkedProvider<M, P> {
  readonly mark: M;
  readonly provider: P;
}

/** Finds providers by the metadata that a decorator has set on their class. */
@Injectable()
export class MarkedClasses {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** @returns the marked providers, in order of registration */
  find<M, P extends object>(decorator: ReflectableDecorator<M>): MarkedProvider<M, P>[] {
    return this.discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      const mark = this.reflector.get(decorator, instance.constructor) as M | undefined;
      return mark === undefined ? [] : [{ mark, provider: instance as P }];
    });
  }
}
