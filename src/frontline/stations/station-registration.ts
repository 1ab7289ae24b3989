import { Injectable } from '@nestjs/common';
import { AuditTrail, BrandingService, MemberAuthority } from '../../iam/index.js';
import { findKeyFault } from '../../machine/index.js';
import { hashesOfApiKey, KeyDerivation } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Registered, RegisterStationDto } from './station.dto.js';
import { foldRegistrationCode } from './registration-code.js';
import { type NewlyRegistered, StationRepository } from './station.repository.js';

/** Registers the devices of stations. */
@Injectable()
export class StationRegistration {
  constructor(
    private readonly database: Database,
    private readonly stations: StationRepository,
    private readonly authority: MemberAuthority,
    private readonly brandings: BrandingService,
    private readonly keys: KeyDerivation,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Registers the device that shows the code, with its public key. A code counts only while its
   * creator could create a station: who is removed takes none along, at which PINs can be guessed.
   * @throws {AppError} validation-error on `registrationCode` if it is wrong, used or expired, and
   *   on `jwk`
   */
  async register({ registrationCode, jwk }: RegisterStationDto): Promise<Registered> {
    const { kty, crv, x, y } = jwk;
    const key = { kty, crv, x, y };
    const fault = kty === 'EC' && crv === 'P-256' ? findKeyFault(key) : 'must be a key on P-256';
    if (fault !== null) throw AppError.violation('jwk', fault);
    const { calculateJwkThumbprint } = await import('jose');
    const jkt = await calculateJwkThumbprint(key);
    const hashes = hashesOfApiKey(this.keys, 'station-code', foldRegistrationCode(registrationCode));
    return this.database.transaction(async () => {
      const station = await this.stations.register(hashes, key, jkt);
      const counts = station !== null && (await this.couldCreate(station));
      if (!counts) throw AppError.violation('registrationCode', { id: 'station.code-refused' });
      const { tenantId, id: stationId, name, createdBy, tenantName } = station;
      const subject = `iam/stations/${stationId}`;
      await this.audit.record({ actorId: createdBy, tenantId, action: 'station.registered', subject });
      const look = await this.brandings.findLook(tenantId);
      return { stationId, name, tenant: { id: tenantId, name: tenantName }, look };
    });
  }

  private couldCreate({ tenantId, createdBy: actorId }: NewlyRegistered): Promise<boolean> {
    return this.authority.couldGive({ tenantId, actorId }, ['iam:station:create'], []);
  }
}
