import { Injectable } from '@nestjs/common';
import { conflict, denialError, denyByState } from '../../ability/index.js';
import { AuditTrail, namesOfGiven } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import { violationsOfNetworks } from '../../machine/index.js';
import { hashApiKey, KeyDerivation } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { CreateStationDto, StationsQuery, UpdateStationDto } from './station.dto.js';
import { createRegistrationCode, foldRegistrationCode } from './registration-code.js';
import { StationSessions } from './station-sessions.js';
import {
  type ListedStation,
  type Station,
  type StationPage,
  StationRepository,
} from './station.repository.js';

const MAX_STATIONS = 2_000;
const DEFAULT_IDLE_SECONDS = 300;
const DEFAULT_SHIFT_SECONDS = 43_200;
const REGISTRATION_SECONDS = 600;

/** Manages stations. The caller has checked the permission before. */
@Injectable()
export class StationService {
  constructor(
    private readonly stations: StationRepository,
    private readonly sessions: StationSessions,
    private readonly keys: KeyDerivation,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page; `total` on the first one only. */
  async list(
    tenantId: TenantId,
    page: StationPage,
    { query, status }: StationsQuery,
  ): Promise<{ readonly stations: ListedStation[]; readonly total: number | null }> {
    const filter = { query: query ?? null, status: status ?? null };
    const stations = await this.stations.list(tenantId, page, filter);
    const total = page.after ? null : await this.stations.countMatching(tenantId, filter);
    return { stations, total };
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Station> {
    return (await this.stations.find(tenantId, id)) ?? AppError.notFound();
  }

  /**
   * Creates a station, with the code by which its device registers.
   * @throws {AppError} validation-error on `networks[n]`; conflict beyond {@link MAX_STATIONS}
   */
  async create(
    tenantId: TenantId,
    actorId: UserId,
    { name, place = null, idleSeconds, shiftSeconds, networks = [] }: CreateStationDto,
  ): Promise<{ readonly station: Station; readonly registrationCode: string }> {
    requireNetworks(networks);
    if ((await this.stations.count(tenantId)) >= MAX_STATIONS)
      throw new AppError('conflict', { reason: conflict('station.too-many', { max: MAX_STATIONS }) });
    const id = newId();
    const registrationCode = createRegistrationCode();
    await this.stations.insert(tenantId, {
      id,
      name,
      place,
      idleSeconds: idleSeconds ?? DEFAULT_IDLE_SECONDS,
      shiftSeconds: shiftSeconds ?? DEFAULT_SHIFT_SECONDS,
      networks,
      registrationHash: hashApiKey(this.keys, 'station-code', foldRegistrationCode(registrationCode)),
      registrationExpiresAt: new Date(Date.now() + REGISTRATION_SECONDS * 1_000),
      createdBy: actorId,
    });
    await this.record(tenantId, actorId, id, 'created');
    return { station: await this.get(tenantId, id), registrationCode };
  }

  /**
   * Changes the given fields. Disabling ends the session at the station; activating lifts a lock.
   * @throws {AppError} not-found; conflict to activate a station whose device has not registered
   */
  async update(tenantId: TenantId, actorId: UserId, id: string, given: UpdateStationDto): Promise<Station> {
    const { status, networks, ...fields } = given;
    if (networks) requireNetworks(networks);
    const { isRegistered } = await this.get(tenantId, id);
    if (status === 'active' && !isRegistered) throw denialError(denyByState(conflict('station.pending')));
    const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    await this.stations.update(tenantId, id, {
      ...changes,
      ...(networks && { networks }),
      ...(status && { status, failedAt: [] }),
    });
    if (status === 'disabled') await this.sessions.endAt(tenantId, id);
    await this.record(tenantId, actorId, id, 'updated', namesOfGiven(given));
    return this.get(tenantId, id);
  }

  /** Deletes a station and ends the session at it. */
  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.get(tenantId, id);
    await this.sessions.endAt(tenantId, id);
    await this.stations.delete(tenantId, id);
    await this.record(tenantId, actorId, id, 'deleted');
  }

  private record(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    what: string,
    changed: readonly string[] = [],
  ): Promise<void> {
    const subject = `iam/stations/${id}`;
    return this.audit.record({ actorId, tenantId, action: `station.${what}`, subject, changed });
  }
}

function requireNetworks(networks: readonly string[]): void {
  const violations = violationsOfNetworks(networks);
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
