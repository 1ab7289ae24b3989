import type { ApiResponseNoStatusOptions } from '@nestjs/swagger';
import { HTML_PAGE } from '../../web/index.js';

/** Responses of the documentation's own routes, which have no class to derive them from. */

export const PAGE_ANSWER: ApiResponseNoStatusOptions = {
  description: 'The page.',
  content: {
    'text/html': { schema: HTML_PAGE, example: '<!doctype html>\n<html lang="en"></html>' },
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

export const SCRIPT_ANSWER: ApiResponseNoStatusOptions = {
  description: 'The script.',
  content: {
    'text/javascript': {
      schema: { type: 'string', pattern: '^SwaggerUIBundle', maxLength: 1_000 },
      example: 'SwaggerUIBundle({ url: "/api/docs/openapi.json", dom_id: "#ui" });',
    },
  },
};

const SOURCE = { type: 'string', pattern: '\\S', maxLength: 4_000_000 };

export const ASSET_ANSWER: ApiResponseNoStatusOptions = {
  description: 'The file.',
  content: {
    'text/css': { schema: SOURCE, example: '.swagger-ui { color: #3b4151 }' },
    'text/javascript': { schema: SOURCE, example: 'var SwaggerUIBundle;' },
  },
};
