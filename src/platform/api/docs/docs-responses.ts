import type { ApiResponseNoStatusOptions } from '@nestjs/swagger';
import { HTML_PAGE } from '../../web/index.js';

/** Responses of the documentation's own routes, which have no class to derive them from. */

export const PAGE_ANSWER: ApiResponseNoStatusOptions = {
  description: 'The page.',
  content: {
    'text/html': {
      schema: { ...HTML_PAGE, maxLength: 1_000_000 },
      example: '<!doctype html>\n<html lang="en"></html>',
    },
  },
};

export const DOCUMENT_ANSWER: ApiResponseNoStatusOptions = {
  description: 'The document.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: true,
        required: ['openapi', 'info', 'paths'],
        properties: {
          openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$', maxLength: 10 },
          info: { type: 'object' },
          paths: { type: 'object' },
        },
      },
      example: { openapi: '3.1.0', info: { title: 'Gatehouse', version: '1.0.0' }, paths: {} },
    },
  },
};
