import { Injectable, Logger } from '@nestjs/common';
import {
  type FetchedLogoType,
  type Logo,
  readFetchedLogo,
  RefusedLogo,
  requireLogoBytes,
} from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { LiveClients } from '../registry/live-clients.js';
import type { Client } from '../registry/client.repository.js';
import { ClientLogoRepository } from './client-logo.repository.js';

const FETCH_CLIENT_LOGO = 'fetch_client_logo';
/** Attempts: with the pauses of the queue, the seventh is some ten minutes after the first. */
const MAX_ATTEMPTS = 7;
/** Fetches at a time: half of the places of the queue, so that servers that hang delay no mails. */
const MAX_FETCHES = 2;
/** Pause before the next attempt of a fetch without a place: as long as a fetch takes at most. */
const PAUSE_SECONDS = 5;
/** Pauses of a fetch; then it is given up, so that many servers that hang keep no jobs forever. */
const MAX_PAUSES = 60;
const ACCEPTED = 'image/png, image/webp, image/jpeg';

/** What a job knows. */
interface Wanted {
  /** Id of the client. */
  readonly id: string;
  /** Times that the fetch has waited for a place. */
  readonly pauses?: number;
}

/**
 * Fetches the logos of clients, and keeps copies. Pages show the copies: the address is of another
 * server, which would learn of each visitor, and could change the image.
 */
@Injectable()
export class ClientLogos {
  private readonly logger = new Logger('ClientLogos');
  private fetches = 0;

  constructor(
    private readonly database: Database,
    private readonly logos: ClientLogoRepository,
    private readonly live: LiveClients,
    private readonly jobs: JobQueue,
    private readonly http: CustomerHttp,
  ) {}

  /** Queues the fetch of the logo of a client, if it has one, in the open transaction. */
  async queue({ id, logoUri }: Pick<Client, 'id' | 'logoUri'>): Promise<void> {
    if (logoUri !== null) await this.jobs.add(FETCH_CLIENT_LOGO, { id }, { maxAttempts: MAX_ATTEMPTS });
  }

  /**
   * Fetches a logo. One that is refused, or at a private address, is not tried again: it would be
   * refused each time.
   * @throws if the server cannot be reached, or does not answer 200: the queue tries again
   */
  @JobHandler({ task: FETCH_CLIENT_LOGO })
  async fetch({ id, pauses = 0 }: Wanted): Promise<void> {
    const logoUri = await this.logos.findAddress(id);
    if (logoUri === null) return;
    if (this.fetches >= MAX_FETCHES) return this.pause({ id, pauses: pauses + 1 });
    const logo = await this.download(logoUri).catch((error: unknown) => {
      const reason = refusalOf(error);
      if (reason === null)
        throw new Error(`The logo of the client ${id} could not be fetched`, { cause: error });
      this.logger.warn(`The logo of the client ${id} is not shown: ${reason}`);
      return null;
    });
    if (!logo) return;
    await this.database.transaction(async () => {
      const clientId = await this.logos.keep(id, logoUri, logo);
      if (clientId !== null) await this.live.announce(clientId);
    });
  }

  /** Finds the copy with this hash of a client, and of no other. */
  find(clientId: string, hash: string): ReturnType<ClientLogoRepository['find']> {
    return this.logos.find(clientId, hash);
  }

  private async pause(wanted: Required<Wanted>): Promise<void> {
    const options = { maxAttempts: MAX_ATTEMPTS, delaySeconds: PAUSE_SECONDS };
    if (wanted.pauses <= MAX_PAUSES) await this.jobs.add(FETCH_CLIENT_LOGO, wanted, options);
    else this.logger.warn(`The logo of the client ${wanted.id} is not shown: other servers hang`);
  }

  /** @throws {RefusedLogo} */
  private async download(logoUri: string): Promise<Logo<FetchedLogoType>> {
    this.fetches += 1;
    try {
      return await this.read(logoUri);
    } finally {
      this.fetches -= 1;
    }
  }

  private read(logoUri: string): Promise<Logo<FetchedLogoType>> {
    return this.http.together(async () => {
      const response = await this.http.fetch(logoUri, { headers: { accept: ACCEPTED } });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        throw new Error(`The server answered ${response.status}`);
      }
      const chunks: Uint8Array[] = [];
      let length = 0;
      // Leaving the loop ends the response.
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        length += chunk.length;
        requireLogoBytes(length);
        chunks.push(chunk);
      }
      return readFetchedLogo(Buffer.concat(chunks));
    });
  }
}

/** Returns why a logo is refused for good; null for a fault that may pass. */
function refusalOf(error: unknown): string | null {
  if (error instanceof RefusedLogo) return error.message;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (code === 'EPRIVATE') return 'private address';
  return cause === undefined ? null : refusalOf(cause);
}
