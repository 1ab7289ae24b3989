import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type Client, networkOf } from '../../platform/web/index.js';
import { TokenIssuer, type TokenResponse } from '../../session/index.js';
import type { StationSignInDto } from '../stations/station.dto.js';
import type { RegisteredStation } from '../stations/station.repository.js';
import { WorkerEntry } from './worker-entry.js';
import { WorkerProof } from './worker-proof.js';

/** Signs people in at stations: by number or badge, and PIN. */
@Injectable()
export class StationSignInService {
  constructor(
    private readonly database: Database,
    private readonly proofs: WorkerProof,
    private readonly entry: WorkerEntry,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Starts a session at a station, and ends the session of the person before.
   * @param station that has proved its key
   * @throws {AppError} as {@link WorkerProof.verify} and {@link WorkerEntry.start}
   */
  async signIn(station: RegisteredStation, given: StationSignInDto, client: Client): Promise<TokenResponse> {
    const proven = await this.proofs.verify(station, given, networkOf(client.ipAddress));
    const grant = await this.database.transaction(() => this.entry.start(station, proven, client));
    return this.tokens.issue(grant);
  }
}
