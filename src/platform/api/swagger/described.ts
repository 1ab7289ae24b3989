/**
 * The decorators of @nestjs/swagger for every class of the service. The library's five hundred
 * files are an eighth of the start, so they are read when the API's document is first requested;
 * until then the decorators only record what they say.
 */
import type * as Library from '@nestjs/swagger';

type Decorator = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;
/** Everything that begins so is a decorator. */
type Described = Extract<keyof typeof Library, `Api${string}`>;

/** In the order in which classes were described, as a decorator of a field goes by those of the fields before it. */
const noted: ((library: typeof Library) => void)[] = [];

/** The decorator of that name. What it says is noted, and comes to the class with {@link describeClasses}. */
function later<Name extends Described>(name: Name): (typeof Library)[Name] {
  const decorate =
    (...said: unknown[]): Decorator =>
    (...where) =>
      void noted.push((library) => {
        const describe = library[name] as unknown as (...said: unknown[]) => Decorator;
        describe(...said)(...where);
      });
  return decorate as unknown as (typeof Library)[Name];
}

export const ApiAcceptedResponse = later('ApiAcceptedResponse');
export const ApiCreatedResponse = later('ApiCreatedResponse');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExtraModels = later('ApiExtraModels');
export const ApiNoContentResponse = later('ApiNoContentResponse');
export const ApiOkResponse = later('ApiOkResponse');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiProperty = later('ApiProperty');
export const ApiPropertyOptional = later('ApiPropertyOptional');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiTags = later('ApiTags');

/** What a schema of another place is named by. */
export function schemaOf(model: new () => object): string {
  return `#/components/schemas/${model.name}`;
}

/** Reads the library and tells it everything that has been noted so far. */
export async function describeClasses(): Promise<typeof Library> {
  const library = await import('@nestjs/swagger');
  for (let tell = noted[0]; tell; tell = noted[0]) {
    tell(library);
    noted.shift();
  }
  return library;
}
