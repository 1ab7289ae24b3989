import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import {
  Answers,
  ApiParam,
  LargeBody,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  Tag,
  toPage,
} from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import {
  RegisteredThingsResponse,
  RegisterThingDto,
  RegisterThingsDto,
  ThingResponse,
  ThingsQuery,
} from './thing.dto.js';
import { ThingService } from './thing.service.js';

/** A thousand things with eight parents each. */
const MAX_BULK_BYTES = 2 * 1_024 * 1_024;

type ThingPath = TenantPath<'module' | 'collection' | 'thingId'>;

const NamePart = (name: string, example: string): MethodDecorator =>
  ApiParam({
    name,
    description: `The ${name} of the thing.`,
    schema: { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9-]*$', examples: [example] },
  });

/** Documents the path of a thing. */
const ThingParams = (): MethodDecorator => (target, key, descriptor) => {
  NamePart('module', 'freight')(target, key, descriptor);
  NamePart('collection', 'orders')(target, key, descriptor);
};

/** Things of other services, so that roles on things hold on what is below them. */
@Tag('Things', 'Things of other services, and of what they are parts.')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/things')
@TenantParam('id')
export class ThingController {
  constructor(private readonly things: ThingService) {}

  @Get()
  @RequireScopes('access:thing:read')
  @Paged(ThingResponse)
  @Operation('List registered things')
  async listThings(
    @Param() { id }: TenantPath,
    @PageOf() page: Page,
    @QueryOf(ThingsQuery) { query }: ThingsQuery,
  ) {
    return toPage(await this.things.list(id, page, query ?? null), page, ThingResponse.from);
  }

  @Get(':module/:collection/:thingId')
  @RequireScopes('access:thing:read')
  @ThingParams()
  @Operation('Get a registered thing')
  @Answers(ThingResponse)
  async getThing(@Param() path: ThingPath) {
    return ThingResponse.from(await this.things.get(path.id, uriOf(path)));
  }

  @Put(':module/:collection/:thingId')
  @RequireScopes('access:thing:update')
  @ThingParams()
  @Problems('conflict')
  @Operation(
    'Register a thing',
    'With everything that it is a part of, in the place of what was registered: a role on one of these holds on the thing too. 409 for a cycle, for more than 16 levels, and for too many things.',
  )
  @Answers(ThingResponse)
  async registerThing(@Caller() caller: Principal, @Param() path: ThingPath, @Body() body: RegisterThingDto) {
    const thing = uriOf(path);
    await this.things.register(path.id, caller, [{ ...body, thing }], () => '');
    return ThingResponse.from(await this.things.get(path.id, thing));
  }

  @Delete(':module/:collection/:thingId')
  @RequireScopes('access:thing:update')
  @ThingParams()
  @HttpCode(204)
  @Operation('Remove a thing', 'With what it is a part of. What is below it stays a part of it.')
  removeThing(@Caller() caller: Principal, @Param() path: ThingPath): Promise<void> {
    return this.things.remove(path.id, caller, uriOf(path));
  }

  @Post('bulk')
  @RequireScopes('access:thing:update')
  @LargeBody(MAX_BULK_BYTES)
  @Problems('conflict')
  @Operation('Register many things', 'At most 1,000, each as by `PUT`. All or none.')
  @Answers(RegisteredThingsResponse)
  async registerThings(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() { things }: RegisterThingsDto,
  ) {
    const changed = await this.things.register(id, caller, things, (n) => `things[${n}].`);
    return { changed };
  }
}

const uriOf = ({ module, collection, thingId }: ThingPath): string =>
  `gatehouse:///${module}/${collection}/${thingId}`;
