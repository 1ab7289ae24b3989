import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** Provider whose class a decorator has marked. */
interface MarkedProvider<M, P> {
  readonly mark: M;
  readonly provider: P;
}

/** Finds providers by the metadata that a decorator has set on their class. */
@Injectable()
export class MarkedClasses {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @returns the marked providers, in order of registration */
  find<M, P extends object>(key: string): MarkedProvider<M, P>[] {
    return this.discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      const mark = Reflect.getMetadata(key, instance.constructor) as M | undefined;
      return mark === undefined ? [] : [{ mark, provider: instance as P }];
    });
  }
}
