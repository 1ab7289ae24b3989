import 'reflect-metadata';
import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import { rememberValidationMetadata } from '../../src/platform/web/index.js';

class Named {
  @IsString()
  name: unknown;
}

class Aged extends Named {
  @IsInt({ groups: ['adult'] })
  age: unknown;
}

class Empty {}

const CLASSES = [Named, Aged, Empty];
const GROUPS = [undefined, ['adult'], ['child']];
const storage = getMetadataStorage();
const library = (Object.getPrototypeOf(storage) as typeof storage).getTargetValidationMetadatas;

describe('The remembered checks of a class', () => {
  beforeAll(rememberValidationMetadata);

  it('are those of the library, with and without groups, each time', () => {
    expect(storage.getTargetValidationMetadatas).not.toBe(library);
    for (let turn = 0; turn < 2; turn += 1)
      for (const type of CLASSES)
        for (const always of [false, true])
          for (const strict of [false, true])
            for (const groups of GROUPS)
              expect(storage.getTargetValidationMetadatas(type, '', always, strict, groups)).toEqual(
                library.call(storage, type, '', always, strict, groups),
              );
  });

  it('are looked up once', () => {
    const find = (): unknown => storage.getTargetValidationMetadatas(Named, '', false, false);
    expect(find()).toBe(find());
  });

  it('are not those of an object that hides its class', () => {
    const hidden = Object.assign(new Named(), { name: 'Ada', constructor: 'Named' });
    expect(validateSync(hidden)[0]?.constraints).toHaveProperty('unknownValue');
  });
});
