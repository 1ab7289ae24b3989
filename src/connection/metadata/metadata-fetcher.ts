import { Injectable } from '@nestjs/common';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { type ReadMetadata, readMetadata } from './metadata.js';

/** Fetches the metadata of identity providers of organizations. */
@Injectable()
export class MetadataFetcher {
  constructor(private readonly http: CustomerHttp) {}

  /**
   * Fetches metadata by https, from a public address, without redirects. Nothing of another
   * response is in the result: the address is a customer's.
   */
  async fetch(url: string): Promise<ReadMetadata> {
    const fault = this.http.findFault(url);
    if (fault !== null) return { fault };
    try {
      const text = await this.http.together(async () => {
        const response = await this.http.fetch(url, {
          headers: { accept: 'application/samlmetadata+xml, application/xml;q=0.9' },
        });
        if (response.status === 200) return response.text();
        await response.body?.cancel();
        return null;
      });
      return text === null ? UNREADABLE : readMetadata(text, Date.now());
    } catch {
      return UNREADABLE;
    }
  }
}

const UNREADABLE = { fault: 'could not be read at this address' } as const;
