import 'reflect-metadata';
import { Input, objectField, objectListField, PickType } from '../../src/platform/api/index.js';
import { ValidationPipe } from '../../src/platform/validation/index.js';

class PlaceDto {
  @Input.text({ max: 20, example: 'Rotterdam' })
  city: string;
}

class StopDto {
  @Input(objectField(() => PlaceDto))
  place: PlaceDto;
  @Input.integer({ min: 0, max: 9, example: 1 })
  order: number;
}

class RouteDto {
  @Input(objectField(() => PlaceDto))
  start: PlaceDto;
  @Input(objectField(() => PlaceDto), { optional: true, nullable: true })
  via?: PlaceDto | null;
  @Input(objectListField(() => StopDto, 2))
  stops: StopDto[];
}

class StartDto extends PickType(RouteDto, ['start']) {}

const START = { city: 'Rotterdam' };
const STOP = { place: { city: 'Ghent' }, order: 1 };

describe('An object in a body', () => {
  const pipe = new ValidationPipe();
  const violationsOf = (body: object, metatype: new () => object = RouteDto): Promise<unknown> =>
    pipe.transform(body, { type: 'body', metatype }).then(
      () => [],
      ({ violations }: { violations: unknown }) => violations,
    );
  const at = (propertyPath: string, message: unknown) => ({ propertyPath, message });
  const AN_OBJECT = 'must be an object';
  const A_LIST = 'must be a list of at most 2 objects';

  it('is accepted, and loses fields that it does not have', async () => {
    const body = {
      start: { ...START, zip: 1 },
      stops: [{ ...STOP, place: { ...START, zip: 1 } }],
      via: null,
    };
    const route = (await pipe.transform(body, { type: 'body', metatype: RouteDto })) as RouteDto;
    expect(JSON.parse(JSON.stringify(route))).toEqual({
      start: START,
      stops: [{ place: START, order: 1 }],
      via: null,
    });
    expect(route.stops[0]?.place).toBeInstanceOf(PlaceDto);
  });

  it.each([undefined, null, 'Rotterdam', 3, true, [], [START]])('is not %j', async (start) => {
    expect(await violationsOf({ start, stops: [] })).toEqual([at('start', AN_OBJECT)]);
    expect(await violationsOf({ start }, StartDto)).toEqual([at('start', AN_OBJECT)]);
  });

  it.each([undefined, null, 'stops', {}, [null], ['Ghent'], [[STOP]], [STOP, STOP, STOP]])(
    'is not %j where a list of them is asked for',
    async (stops) => {
      expect(await violationsOf({ start: START, stops })).toEqual([at('stops', A_LIST)]);
    },
  );

  it('names the field of it that is wrong', async () => {
    expect(
      await violationsOf({
        start: { city: 'x'.repeat(21) },
        via: {},
        stops: [STOP, { place: { city: 'x'.repeat(21) }, order: 10 }],
      }),
    ).toEqual([
      at('start.city', { id: 'field.text', values: { min: 1, max: 20 } }),
      at('via.city', { id: 'field.text', values: { min: 1, max: 20 } }),
      at('stops[1].place.city', { id: 'field.text', values: { min: 1, max: 20 } }),
      at('stops[1].order', { id: 'field.integer', values: { min: 0, max: 9 } }),
    ]);
  });
});
