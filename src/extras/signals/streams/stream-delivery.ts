import { Injectable } from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { OutboundPost } from '../../../platform/outbound/index.js';
import { PUSH, SIGNAL_TYPES } from '../signal-types.js';
import type { CreateStreamDto } from './signal-stream.dto.js';
import type { StreamTraits } from './signal-stream.repository.js';

/** What a header of HTTP can have: another text would fail at each push. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

/** Reads what a client requests of a stream: its events, and how they are delivered. */
@Injectable()
export class StreamDelivery {
  private readonly sealer: Sealer;

  constructor(
    private readonly outbound: OutboundPost,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'signal-authorization');
  }

  /** @throws {AppError} validation-error on `delivery` */
  traitsOf(data: CreateStreamDto): StreamTraits {
    return {
      ...this.deliveryOf(data.delivery),
      ...eventsOf(data.events_requested),
      description: data.description ?? null,
    };
  }

  /** @throws {AppError} validation-error for an address or header that cannot be pushed with */
  deliveryOf(
    delivery: CreateStreamDto['delivery'],
  ): Pick<StreamTraits, 'method' | 'endpointUrl' | 'sealedAuthorization'> {
    if (delivery?.method !== PUSH) return { method: 'poll', endpointUrl: null, sealedAuthorization: null };
    const { endpoint_url: endpointUrl, authorization_header: header } = delivery;
    const fault = endpointUrl === undefined ? 'is missing' : this.outbound.findFault(endpointUrl);
    if (endpointUrl === undefined || fault !== null)
      throw AppError.violation('delivery.endpoint_url', fault ?? 'is missing');
    if (header !== undefined && !HEADER_VALUE.test(header))
      throw AppError.violation('delivery.authorization_header', 'must be in ASCII');
    return {
      method: 'push',
      endpointUrl,
      sealedAuthorization: header === undefined ? null : this.sealer.seal(header),
    };
  }
}

/** Types that are not supported are kept as requested, and not delivered. */
export function eventsOf(
  requested: readonly string[] = SIGNAL_TYPES,
): Pick<StreamTraits, 'eventsRequested' | 'eventsDelivered'> {
  const types = [...new Set(requested)];
  return { eventsRequested: types, eventsDelivered: types.filter((type) => SIGNAL_TYPES.includes(type)) };
}
