import { Reflector } from '@nestjs/core';

/** Shared station that has proved its key with a refresh token. */
export interface ProvenStation {
  /** Thumbprint of its key (RFC 7638), to which the grants of its sessions are bound. */
  readonly jkt: string;
  /** Seconds for which a session at it lasts without a refresh. */
  readonly idleSeconds: number;
}

/** A refresh, and the proofs that came with it. */
export interface StationRefresh {
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** All `Station-Proof` headers. */
  readonly proofs: readonly string[];
  readonly refreshToken: string;
  readonly ipAddress: string;
}

/** @throws {AppError} invalid-refresh-token for a proof that is not valid; forbidden */
export type ProveStation = (refresh: StationRefresh) => Promise<ProvenStation>;

/**
 * Marks the {@link ProveStation} of the module that has the stations: the refresh asks it about
 * requests with a proof only.
 */
export const ProvesStations = Reflector.createDecorator<true>();
