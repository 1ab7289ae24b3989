import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import type { TenantId } from '../../kernel/index.js';
import { actingTenantOf, setupLinkOf } from '../setup/setup-access.js';
import type { ReadMetadata } from './metadata.js';
import { MetadataFetcher } from './metadata-fetcher.js';
import { MetadataRepository } from './metadata.repository.js';

/** What was read at an address before the transaction of a command. */
export interface FetchedMetadata {
  readonly url: string;
  readonly metadata: ReadMetadata;
}

const RESULT = Symbol('metadata');
type WithMetadata = Request & { [RESULT]?: FetchedMetadata };
const MAX_URL = 500;

/**
 * Fetches the metadata that the body names, or else the connection of the path, before the
 * command's transaction: a slow server must not hold locks. Write it below `@RequireScopes`, so
 * that it runs first. The guard has checked the permission.
 */
@Injectable()
export class MetadataInterceptor implements NestInterceptor {
  constructor(
    private readonly metadata: MetadataRepository,
    private readonly fetcher: MetadataFetcher,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<WithMetadata>();
    const tenantId = actingTenantOf(request);
    const url = tenantId ? await this.findUrl(request, tenantId) : null;
    if (url !== null) request[RESULT] = { url, metadata: await this.fetcher.fetch(url) };
    return next.handle();
  }

  private async findUrl(request: Request, tenantId: TenantId): Promise<string | null> {
    const { body, params, path } = request;
    if (!/\/refresh-metadata\/?$/.test(path)) {
      const given = (body as { settings?: { metadataUrl?: unknown } } | undefined)?.settings?.metadataUrl;
      return typeof given === 'string' && given.length <= MAX_URL ? given : null;
    }
    const link = setupLinkOf(request);
    const connectionId = link ? (link.connectionId ?? '') : String(params['connectionId']);
    return (await this.metadata.find(tenantId, connectionId))?.metadataUrl ?? null;
  }
}

/** Handler parameter: the result of {@link MetadataInterceptor}; null if there was no address. */
export const Fetched = createParamDecorator(
  (_: unknown, context: ExecutionContext): FetchedMetadata | null => {
    const { [RESULT]: result } = context.switchToHttp().getRequest<WithMetadata>();
    return result ?? null;
  },
);
