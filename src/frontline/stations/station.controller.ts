import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiOperation,
  IfMatch,
  type ItemPage,
  type Precondition,
  Problems,
  QueryOf,
  SortedList,
  SortedPageOf,
  toSortedPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { StationsTag } from '../frontline-tags.js';
import {
  CreatedStationResponse,
  CreateStationDto,
  StationResponse,
  StationsQuery,
  UpdateStationDto,
} from './station.dto.js';
import { type ListedStation, STATION_ORDERS, type StationPage } from './station.repository.js';
import { StationService } from './station.service.js';

/** Operations on the stations of an organization. */
@StationsTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/stations')
export class StationController {
  constructor(private readonly stations: StationService) {}

  @Get()
  @RequireScopes('iam:station:read')
  @AbilitySubject('id')
  @SortedList(StationResponse, STATION_ORDERS)
  @ApiOperation({ operationId: 'listStations', summary: 'List stations' })
  async list(
    @Param('id') id: string,
    @SortedPageOf(STATION_ORDERS) page: StationPage,
    @QueryOf(StationsQuery) query: StationsQuery,
  ): Promise<ItemPage<StationResponse>> {
    const { stations, total } = await this.stations.list(id as TenantId, page, query);
    const positionOf = (station: ListedStation) => ({ key: station.sortKey, id: station.id });
    return toSortedPage(stations, page, positionOf, StationResponse.from, total);
  }

  @Post()
  @RequireScopes('iam:station:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createStation',
    summary: 'Create a station',
    description: 'The response contains the code by which its device registers, which cannot be read again.',
  })
  @Creates(CreatedStationResponse, '/api/v1/iam/tenants/:id/stations/{id}')
  async create(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Body() body: CreateStationDto,
  ): Promise<CreatedStationResponse> {
    const { station, registrationCode } = await this.stations.create(id as TenantId, userId, body);
    const registrationExpiresAt = station.registrationExpiresAt?.toISOString() ?? '';
    return { ...StationResponse.from(station), registrationCode, registrationExpiresAt };
  }

  @Get(':stationId')
  @RequireScopes('iam:station:read')
  @AbilitySubject('id')
  @ApiOperation({ operationId: 'getStation', summary: 'Read a station' })
  @Versioned(StationResponse)
  async read(@Param('id') id: string, @Param('stationId') stationId: string): Promise<StationResponse> {
    return StationResponse.from(await this.stations.get(id as TenantId, stationId));
  }

  @Patch(':stationId')
  @RequireScopes('iam:station:update')
  @AbilitySubject('stationId')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'updateStation',
    summary: 'Change a station',
    description: 'Omitted fields do not change. Times and networks hold from the next sign-in or refresh on.',
  })
  @Versioned(StationResponse)
  async update(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('stationId') stationId: string,
    @Body() body: UpdateStationDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<StationResponse> {
    await ifMatch.require(() => this.read(id, stationId));
    return StationResponse.from(await this.stations.update(id as TenantId, userId, stationId, body));
  }

  @Delete(':stationId')
  @RequireScopes('iam:station:delete')
  @AbilitySubject('stationId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteStation',
    summary: 'Delete a station',
    description: 'The session at it ends within a second.',
  })
  async delete(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('stationId') stationId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.read(id, stationId));
    await this.stations.delete(id as TenantId, userId, stationId);
  }
}
