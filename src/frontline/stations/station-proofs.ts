import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { forbid } from '../../ability/index.js';
import { SignInPolicies } from '../../iam/index.js';
import { isUlid } from '../../kernel/index.js';
import { networkCheck, UsedAssertionRepository } from '../../machine/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { isSameText } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ProvesStations, type ProvenStation, type StationRefresh } from '../../session/index.js';
import { NONCE_SECONDS, StationNonces } from './station-nonces.js';
import { isNamedBy } from './station-rule.js';
import { type RegisteredStation, StationRepository } from './station.repository.js';

const TYPE = 'station-proof+jwt';
/** Seconds between the clock of a station and ours, either way. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
/** Characters. A longer proof is refused before it is parsed. */
const MAX_PROOF_LENGTH = 4_096;
const MAX_JTI_LENGTH = 256;

/** Request that a proof is for. */
interface ProvenRequest extends Omit<StationRefresh, 'refreshToken'> {
  /** Refresh token whose hash the proof has; undefined for a sign-in. */
  readonly refreshToken?: string;
}

/**
 * Verifies proofs of stations: JWTs of the form of RFC 9449, signed by the key of the station,
 * which `kid` names.
 */
@Injectable()
export class StationProofs {
  constructor(
    private readonly stations: StationRepository,
    private readonly nonces: StationNonces,
    private readonly used: UsedAssertionRepository,
    private readonly policies: SignInPolicies,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Returns the station that has proved its key for a request.
   * @param stationId station that the request names
   * @throws {AppError} unauthenticated for a proof that is not valid; forbidden from a network that
   *   is not the station's
   */
  async require(request: ProvenRequest, stationId: string): Promise<RegisteredStation> {
    const station = await this.find(request);
    if (station?.id !== stationId) throw new AppError('unauthenticated', { detail: UNPROVEN });
    return station;
  }

  /**
   * As {@link require}, for a refresh, whose token belongs to a session at the station. An
   * organization that turns stations off ends all of these sessions; one that no longer names
   * people with an address, theirs. Only the last person at a station has a session there.
   */
  @ProvesStations(true)
  async proveRefresh(refresh: StationRefresh): Promise<ProvenStation> {
    const station = await this.find(refresh);
    if (!station || !isNamedBy((await this.policies.get(station.tenantId)).stations, station.hasAddress))
      throw new AppError('invalid-refresh-token');
    const { jkt, idleSeconds } = station;
    return { jkt, idleSeconds };
  }

  /** Verifies a proof. Marks it and its nonce as used, last, for all replicas. */
  private async find(request: ProvenRequest): Promise<RegisteredStation | null> {
    const [proof = ''] = request.proofs;
    if (request.proofs.length !== 1 || proof.length > MAX_PROOF_LENGTH) return null;
    const station = await this.findSigner(proof);
    const payload = station && (await verifySignature(proof, station));
    if (!payload || !this.isFor(request, payload)) return null;
    const { nonce, jti } = payload;
    if (typeof nonce !== 'string' || !this.nonces.accepts(station.id, nonce)) return null;
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH) return null;
    if (!(await this.take(station, 'nonce', nonce)) || !(await this.take(station, 'jti', jti))) return null;
    this.requireNetwork(station, request.ipAddress);
    if (station.isStale) await this.stations.noteSeen(station.tenantId, station.id);
    return station;
  }

  private async findSigner(proof: string): Promise<RegisteredStation | null> {
    const { decodeProtectedHeader } = await import('jose');
    try {
      const header = decodeProtectedHeader(proof);
      if (header.typ !== TYPE || 'jwk' in header || header.kid === undefined || !isUlid(header.kid))
        return null;
      const station = await this.stations.findRegistered(header.kid);
      return station?.status === 'disabled' ? null : station;
    } catch {
      return null;
    }
  }

  private isFor({ method, path, refreshToken }: ProvenRequest, { htm, htu, iat, ath }: JWTPayload): boolean {
    const isNow =
      typeof iat === 'number' && Math.abs(Date.now() / 1_000 - iat) <= MAX_CLOCK_DIFFERENCE_SECONDS;
    const hasToken =
      refreshToken === undefined ||
      (typeof ath === 'string' && isSameText(ath, hash('sha256', refreshToken, 'base64url')));
    return isNow && hasToken && htm === method && htu === this.settings.PUBLIC_URL + path;
  }

  /** @returns false for what was used before: it is kept for longer than it is accepted */
  private take({ id }: RegisteredStation, what: string, value: string): Promise<boolean> {
    const digest = hash('sha256', JSON.stringify(['station', id, what, value]), 'buffer');
    return this.used.take(digest, 3 * NONCE_SECONDS);
  }

  private requireNetwork({ networks }: RegisteredStation, ipAddress: string): void {
    if (networks.length > 0 && !networkCheck(networks)(ipAddress))
      throw new AppError('forbidden', { reason: forbid('station.other-network') });
  }
}

const UNPROVEN = 'The station has not proved its key, or is disabled.';

async function verifySignature(proof: string, { jwk }: RegisteredStation): Promise<JWTPayload | null> {
  const { importJWK, jwtVerify } = await import('jose');
  const verified = await jwtVerify(proof, await importJWK(jwk, 'ES256'), { algorithms: ['ES256'] }).catch(
    () => null,
  );
  return verified?.payload ?? null;
}
