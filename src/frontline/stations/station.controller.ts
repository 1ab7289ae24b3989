import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  IfMatch,
  Operation,
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
  @Operation('List stations')
  async listStations(
    @Param() { id }: TenantPath,
    @SortedPageOf(STATION_ORDERS) page: StationPage,
    @QueryOf(StationsQuery) query: StationsQuery,
  ) {
    const { stations, total } = await this.stations.list(id, page, query);
    const positionOf = (station: ListedStation) => ({ key: station.sortKey, id: station.id });
    return toSortedPage(stations, page, positionOf, StationResponse.from, total);
  }

  @Post()
  @RequireScopes('iam:station:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Create a station',
    'The response contains the code by which its device registers, which cannot be read again.',
  )
  @Creates(CreatedStationResponse, '/api/v1/iam/tenants/:id/stations/{id}')
  async createStation(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateStationDto,
  ) {
    const { station, registrationCode } = await this.stations.create(id, userId, body);
    const registrationExpiresAt = station.registrationExpiresAt?.toISOString() ?? '';
    return { ...StationResponse.from(station), registrationCode, registrationExpiresAt };
  }

  @Get(':stationId')
  @RequireScopes('iam:station:read')
  @AbilitySubject('id')
  @Operation('Get a station')
  @Versioned(StationResponse)
  async getStation(@Param() { id, stationId }: TenantPath<'stationId'>) {
    return StationResponse.from(await this.stations.get(id, stationId));
  }

  @Patch(':stationId')
  @RequireScopes('iam:station:update')
  @AbilitySubject('stationId')
  @Problems('conflict')
  @Operation(
    'Change a station',
    'Omitted fields do not change. Times and networks hold from the next sign-in or refresh on.',
  )
  @Versioned(StationResponse)
  async updateStation(
    @Caller() { userId }: Principal,
    @Param() { id, stationId }: TenantPath<'stationId'>,
    @Body() body: UpdateStationDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getStation({ id, stationId }));
    return StationResponse.from(await this.stations.update(id, userId, stationId, body));
  }

  @Delete(':stationId')
  @RequireScopes('iam:station:delete')
  @AbilitySubject('stationId')
  @HttpCode(204)
  @Operation('Delete a station', 'The session at it ends within a second.')
  async deleteStation(
    @Caller() { userId }: Principal,
    @Param() { id, stationId }: TenantPath<'stationId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getStation({ id, stationId }));
    await this.stations.delete(id, userId, stationId);
  }
}
