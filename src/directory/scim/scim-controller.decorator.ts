import { applyDecorators, Controller, UseFilters } from '@nestjs/common';
import { AnyQuery, ApiExcludeController, RawBodyMark } from '../../platform/api/index.js';
import { ByDirectory, SCIM_PATH } from './directory-access.js';
import { MAX_BODY_BYTES } from './discovery.js';
import { ScimExceptionFilter } from './scim-exception.filter.js';

/**
 * Declares a controller of SCIM: for tokens of the directory in its path, with bodies that are read
 * after authentication, and errors in the form of SCIM.
 * @param path below the base address of a directory
 */
export const ScimController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(`${SCIM_PATH}/${path}`),
    ByDirectory(true),
    AnyQuery('unknown parameters are ignored (RFC 7644 section 3.4.2)'),
    RawBodyMark({ type: 'application/scim+json', maxBytes: MAX_BODY_BYTES }),
    UseFilters(ScimExceptionFilter),
    ApiExcludeController(),
  );
