import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, type ReflectableDecorator, Reflector } from '@nestjs/core';

/** Method that a decorator has marked, bound to its provider. */
export interface MarkedMethod<M, F> {
  readonly mark: M;
  readonly method: F;
  readonly provider: object;
}

type AnyFunction = (...values: never[]) => unknown;

/** Name of a marked method, and its mark. */
type Marked = readonly [name: string, mark: unknown];

/**
 * Marked methods by decorator and prototype, which do not change once a class is declared. Kept by
 * this module, as a process may start several applications: a scan for one decorator takes 4 ms.
 */
const known = new WeakMap<object, WeakMap<object, readonly Marked[]>>();

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
    const ofDecorator = known.get(decorator) ?? new WeakMap<object, readonly Marked[]>();
    known.set(decorator, ofDecorator);
    return this.discovery.getProviders().flatMap(({ instance, isAlias }) => {
      if (isAlias || typeof instance !== 'object' || instance === null) return [];
      const provider = instance as Record<string, F>;
      const prototype = Object.getPrototypeOf(provider) as object;
      const marked = ofDecorator.get(prototype) ?? this.scan(decorator, prototype);
      ofDecorator.set(prototype, marked);
      return marked.map(([name, mark]) => ({
        mark: mark as M,
        provider,
        method: (provider[name] as F).bind(provider) as unknown as F,
      }));
    });
  }

  private scan<M>(decorator: ReflectableDecorator<M>, prototype: object): Marked[] {
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const mark: unknown = this.reflector.get(
        decorator,
        (prototype as Record<string, AnyFunction>)[name] as AnyFunction,
      );
      return mark === undefined ? [] : [[name, mark] as const];
    });
  }
}
