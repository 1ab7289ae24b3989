import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { AppError, type Violation } from '../errors/index.js';
import { badItems, type CheckContext } from '../api/index.js';
import { rememberValidationMetadata } from '../web/index.js';

/**
 * Validates bodies and queries against their DTO class (API-7): drops unknown properties; wrong
 * types are violations and never coerced. {@link QueryGuard} has refused unknown query parameters.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  constructor() {
    rememberValidationMetadata();
  }

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || metatype === Object) return value;
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body))
      throw AppError.violation('', 'The body must be a JSON object.');
    const instance = plainToInstance(metatype as Type<object>, body);
    const errors = await validate(instance, {
      whitelist: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
    });
    if (errors.length > 0)
      throw new AppError('validation-error', {
        violations: errors.flatMap((error) => violationsOf(error, '')),
      });
    return instance;
  }
}

function violationsOf(error: ValidationError, prefix: string): Violation[] {
  const index = /^\d+$/.test(error.property);
  const path = index
    ? `${prefix}[${error.property}]`
    : prefix === ''
      ? error.property
      : `${prefix}.${error.property}`;
  const own = Object.entries(error.constraints ?? {})
    .slice(0, 1)
    .flatMap(([rule, text]) => {
      const check = error.contexts?.[rule] as CheckContext | undefined;
      const message = check?.message ?? text;
      if (rule !== 'items') return [{ propertyPath: path, message }];
      return itemViolations(error, path, message, check?.pattern);
    });
  return [...own, ...(error.children ?? []).flatMap((child) => violationsOf(child, path))];
}

/** Returns one violation for each invalid item of a list. */
function itemViolations(
  { value }: ValidationError,
  path: string,
  message: Violation['message'],
  pattern: CheckContext['pattern'] = /(?!)/,
): Violation[] {
  return badItems(value as unknown[], pattern).map((n) => ({
    propertyPath: `${path}[${n}]`,
    message,
  }));
}
