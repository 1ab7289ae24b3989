import { applyDecorators } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOkResponse, ApiParam } from '../../../platform/api/index.js';

const SCHEMA = { type: 'string', pattern: '^[\\s\\S]*$', maxLength: 262_144 };
const NAMES = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' } as const;

/** Documents the response of a route that serves an image by its hash, the parameter `hash`. */
export function ImageOfHash(...formats: (keyof typeof NAMES)[]): MethodDecorator {
  const content = formats.map((format) => [
    `image/${format}`,
    { schema: SCHEMA, example: `the bytes of a ${NAMES[format]}` },
  ]);
  return applyDecorators(
    ApiParam({
      name: 'hash',
      description: 'SHA-256 of the image.',
      schema: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        maxLength: 64,
        examples: ['0123456789abcdef'.repeat(4)],
      },
    }),
    ApiOkResponse({ description: 'The image.', content: Object.fromEntries(content) }),
  );
}

/** @param type that was found in the bytes, not what their sender said; browsers guess no other */
export function sendImage(response: Response, type: string, image: Buffer): void {
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('Content-Disposition', 'inline');
  // Whatever a browser makes of the bytes, opened as a page they run and load nothing.
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  response.setHeader('Content-Type', type);
  response.send(image);
}
