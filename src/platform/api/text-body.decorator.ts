import type { CustomDecorator, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FormLimits, type TextBodyRules, EVENT_TYPE, FORM_TYPE } from '../web/index.js';

/** Metadata of {@link FormBody} and {@link EventBody}. */
export const TextBodyMark = Reflector.createDecorator<TextBodyRules>();

/**
 * Takes a form besides JSON, as a text (`request.body`), which `parametersOf` reads.
 * @param maxBytes or the provider that knows it for each request
 */
export function FormBody(maxBytes: number | Type<FormLimits>): CustomDecorator {
  return TextBodyMark({ type: FORM_TYPE, maxBytes });
}

/** Takes a security event token besides JSON, as a text (RFC 8935 section 2.1). */
export function EventBody(maxBytes: number): CustomDecorator {
  return TextBodyMark({ type: EVENT_TYPE, maxBytes });
}
