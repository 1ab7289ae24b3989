import { Injectable } from '@nestjs/common';
import { DiscoveryService, type ReflectableDecorator, Reflector } from '@nestjs/core';

/** Provider whose class a decorator has marked. */
interface MarkedProvider<M, P> {
  readonly mark: M;
  readonly provider: P;
}

/**
 * Marks by decorator and class, which do not change once a class is declared. Kept by this module,
 * as the start asks several times: a search takes 3 ms.
 */
const known = new WeakMap<object, WeakMap<object, { readonly mark: unknown }>>();

/** Finds providers by the metadata that a decorator has set on their class. */
@Injectable()
export class MarkedClasses {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** @returns the marked providers, in order of registration */
  find<M, P extends object>(decorator: ReflectableDecorator<M>): MarkedProvider<M, P>[] {
    const ofDecorator = known.get(decorator) ?? new WeakMap<object, { readonly mark: unknown }>();
    known.set(decorator, ofDecorator);
    return this.discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      const type = instance.constructor;
      const { mark } = ofDecorator.get(type) ?? { mark: this.reflector.get(decorator, type) as unknown };
      ofDecorator.set(type, { mark });
      return mark === undefined ? [] : [{ mark: mark as M, provider: instance as P }];
    });
  }
}
