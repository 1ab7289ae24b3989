/**
 * Decorators of @nestjs/swagger for controllers, recorded at start and applied when the OpenAPI
 * document is first requested: loading the library's 500 files would take a tenth of the start
 * (ADR 21). Fields of classes do not need them (`fields/model.ts`).
 */
import type * as Library from '@nestjs/swagger';

type Decorator = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;
/** Names of the library's decorators: all its exports that begin with "Api". */
type DecoratorName = Extract<keyof typeof Library, `Api${string}`>;

const recorded: ((library: typeof Library) => void)[] = [];

/** Returns a decorator that records its use until {@link describeClasses} applies it. */
function later<Name extends DecoratorName>(name: Name): (typeof Library)[Name] {
  const decorate =
    (...options: unknown[]): Decorator =>
    (...target) => {
      recorded.push((library) => {
        const describe = library[name] as unknown as (...options: unknown[]) => Decorator;
        describe(...options)(...target);
      });
    };
  return decorate as unknown as (typeof Library)[Name];
}

export const ApiAcceptedResponse = later('ApiAcceptedResponse');
export const ApiBody = later('ApiBody');
export const ApiConsumes = later('ApiConsumes');
export const ApiCreatedResponse = later('ApiCreatedResponse');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExcludeEndpoint = later('ApiExcludeEndpoint');
export const ApiExtraModels = later('ApiExtraModels');
export const ApiNoContentResponse = later('ApiNoContentResponse');
export const ApiOkResponse = later('ApiOkResponse');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiTags = later('ApiTags');

/** @returns the JSON reference of the schema of a class */
export function schemaOf(model: new () => object): string {
  return `#/components/schemas/${model.name}`;
}

/** Loads @nestjs/swagger and applies the recorded decorators, each once. */
export async function describeClasses(): Promise<typeof Library> {
  const library = await import('@nestjs/swagger');
  for (let apply = recorded[0]; apply; apply = recorded[0]) {
    apply(library);
    recorded.shift();
  }
  return library;
}
