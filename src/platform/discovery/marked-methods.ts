import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, type ReflectableDecorator, Reflector } from '@nestjs/core';

/** Method that a decorator has marked, bound to its provider. */
export interface MarkedMethod<M, F> {
  readonly mark: M;
  readonly method: F;
  readonly provider: object;
}

type AnyFunction = (...values: never[]) => unknown;

/**
 * Finds methods of providers by the metadata that a decorator has set on them, so that a module
 * contributes without being imported.
 */
@Injectable()
export class MarkedMethods {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @returns the marked methods, in order of registration */
  find<M, F extends AnyFunction>(decorator: ReflectableDecorator<M>): MarkedMethod<M, F>[] {
    return this.discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      const provider = instance as Record<string, unknown>;
      const prototype = Object.getPrototypeOf(provider) as object;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const method = provider[name];
        const mark =
          typeof method === 'function' ? (this.reflector.get(decorator, method) as M | undefined) : undefined;
        return mark === undefined
          ? []
          : [{ mark, provider, method: (method as F).bind(provider) as unknown as F }];
      });
    });
  }
}
