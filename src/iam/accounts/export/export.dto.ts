import { objectListField, Output, toResponse } from '../../../platform/api/index.js';
import type { AccountExport, ListedExport } from './account-export.repository.js';
import { MAX_EXPORTS } from './export.service.js';
import { MAX_EXPORTED } from './personal-data.decorator.js';

export class RequestedExportResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  id: string;
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'When it is deleted.' })
  expiresAt: string;

  static from(requested: AccountExport): RequestedExportResponse {
    return toResponse(RequestedExportResponse, requested);
  }
}

export class ListedExportResponse extends RequestedExportResponse {
  @Output.boolean({ description: 'Whether it can be read.', example: true })
  ready: boolean;

  static of({ ready, ...made }: ListedExport): ListedExportResponse {
    return { ...RequestedExportResponse.from(made), ready };
  }
}

export class ExportsResponse {
  @Output(objectListField(() => ListedExportResponse, MAX_EXPORTS))
  items: ListedExportResponse[];
}

const OBJECT = { type: 'object' as const, additionalProperties: true };

export class ExportPartResponse {
  @Output.text({ max: 100, example: 'sessions' })
  name: string;
  @Output.text({ max: 500, example: 'Sign-ins of your account in browsers and apps.' })
  description: string;
  @Output(
    { schema: OBJECT },
    {
      description: 'What each field of an item is.',
      example: { userAgent: 'The browser or app, as it names itself.' },
    },
  )
  fields: object;
  @Output(
    { schema: { type: 'array', items: OBJECT, maxItems: MAX_EXPORTED } },
    {
      description: 'The newest first, at most 10,000.',
      example: [{ userAgent: 'Mozilla/5.0' }],
    },
  )
  items: object[];
}

/** What is kept about a person. */
export class ExportResponse {
  @Output.time()
  createdAt: string;
  @Output(objectListField(() => ExportPartResponse, 100))
  parts: ExportPartResponse[];
}
