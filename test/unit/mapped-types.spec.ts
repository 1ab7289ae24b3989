import 'reflect-metadata';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import * as swagger from '@nestjs/swagger';
import { Input, IntersectionType, OmitType, PartialType, PickType } from '../../src/platform/api/index.js';
import { ValidationPipe } from '../../src/platform/validation/index.js';

class PlanDto {
  @Input.text({ max: 20, example: 'Spare parts' })
  contents: string;
  @Input.word(['standard', 'express'])
  speed: string;
}

class WeighedDto extends PlanDto {
  @Input.number({ nullable: true, min: 1, max: 100, example: 2 })
  weight: number | null;
}

class Picked extends PickType(WeighedDto, ['contents', 'weight']) {}
class Omitted extends OmitType(WeighedDto, ['contents', 'weight']) {}
class Partial extends PartialType(WeighedDto) {
  @Input.text({ max: 50, example: 'Paid twice' })
  reason: string;
}
class Both extends IntersectionType(Picked, Omitted) {}
class PickedByLibrary extends swagger.PickType(WeighedDto, ['contents', 'weight']) {}
class PartialByLibrary extends swagger.PartialType(WeighedDto) {}

const DTOS = { Picked, Omitted, Partial, Both, PickedByLibrary, PartialByLibrary };

@Controller()
class Routes {
  @Post('picked') picked(@Body() _body: Picked): void {}
  @Post('omitted') omitted(@Body() _body: Omitted): void {}
  @Post('partial') partial(@Body() _body: Partial): void {}
  @Post('both') both(@Body() _body: Both): void {}
  @Post('picked-by-library') pickedByLibrary(@Body() _body: PickedByLibrary): void {}
  @Post('partial-by-library') partialByLibrary(@Body() _body: PartialByLibrary): void {}
}

@Module({ controllers: [Routes] })
class App {}

/** Fields of a body, with the required ones. */
const EXPECTED = {
  Picked: [
    ['contents', 'weight'],
    ['contents', 'weight'],
  ],
  Omitted: [['speed'], ['speed']],
  Partial: [['contents', 'speed', 'weight', 'reason'], ['reason']],
  Both: [
    ['contents', 'weight', 'speed'],
    ['contents', 'weight', 'speed'],
  ],
  PickedByLibrary: [
    ['contents', 'weight'],
    ['contents', 'weight'],
  ],
  PartialByLibrary: [['contents', 'speed', 'weight'], undefined],
};

/** Violations by class. All are refused a text in place of the weight, if they have one. */
const VALID = { contents: 'Spare parts', speed: 'express', weight: null, reason: 'Paid twice' };

describe('Mapped types of described classes', () => {
  let schemas: Record<string, swagger.SchemaObject | swagger.ReferenceObject>;
  beforeAll(async () => {
    const app = await NestFactory.create(App, { logger: false });
    const document = swagger.SwaggerModule.createDocument(app, new swagger.DocumentBuilder().build());
    schemas = document.components?.schemas ?? {};
    await app.close();
  });
  const pipe = new ValidationPipe();
  const violationsOf = (metatype: new () => object, body: object): Promise<unknown> =>
    pipe.transform(body, { type: 'body', metatype }).then(
      () => [],
      (error: { violations?: { propertyPath: string }[] }) =>
        error.violations?.map(({ propertyPath }) => propertyPath).toSorted(),
    );

  it.each(Object.keys(DTOS) as (keyof typeof DTOS)[])('document the fields of %s', (name) => {
    const { properties = {}, required } = schemas[name] as swagger.SchemaObject;
    expect([Object.keys(properties), required]).toEqual(EXPECTED[name]);
    if ('contents' in properties)
      expect(properties['contents']).toMatchObject({ maxLength: 20, minLength: 1 });
    if ('weight' in properties) expect(properties['weight']).toMatchObject({ maximum: 100, nullable: true });
  });

  it.each(Object.keys(DTOS) as (keyof typeof DTOS)[])('validate the fields of %s', async (name) => {
    const fields = EXPECTED[name][0] ?? [];
    expect(await violationsOf(DTOS[name], VALID)).toEqual([]);
    const wrong = Object.fromEntries(Object.keys(VALID).map((field) => [field, false]));
    expect(await violationsOf(DTOS[name], wrong)).toEqual(fields.toSorted());
  });

  it('refuse null for an optional field that is not nullable', async () => {
    expect(await violationsOf(Partial, { contents: null, weight: null, reason: 'Paid twice' })).toEqual([
      'contents',
    ]);
  });
});
