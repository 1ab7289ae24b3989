import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link BrowserRoute}. */
export const BrowserRouteMark = Reflector.createDecorator<true>();

/** Marks a route of the API that browsers open: its errors are pages for them. */
export function BrowserRoute(): CustomDecorator {
  return BrowserRouteMark(true);
}
