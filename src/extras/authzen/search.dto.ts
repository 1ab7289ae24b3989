import { Input, integerField, objectField, textField } from '../../platform/api/index.js';
import {
  EvaluatedActionDto,
  EvaluatedResourceDto,
  EvaluatedSubjectDto,
  EvaluationContextDto,
} from './evaluation.dto.js';

/** Resources of one page. */
const MAX_RESULTS = 1_000;

class SearchedResourceDto {
  @Input(
    textField({
      max: 200,
      example: 'warehouse/loads',
      description: 'Module and collection of the entities.',
    }),
  )
  type: string;
}

class SearchPageDto {
  @Input(
    textField({
      max: 300,
      example: 'MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE',
      description: '`next_token` of the page before.',
    }),
    { optional: true },
  )
  token?: string;

  @Input(
    integerField({ min: 1, max: MAX_RESULTS, example: 100, description: 'Maximum number. Default: 100.' }),
    { optional: true },
  )
  limit?: number;
}

export class ResourceSearchDto {
  @Input(objectField(() => EvaluatedSubjectDto))
  subject: EvaluatedSubjectDto;

  @Input(objectField(() => EvaluatedActionDto))
  action: EvaluatedActionDto;

  @Input(objectField(() => SearchedResourceDto))
  resource: SearchedResourceDto;

  @Input(objectField(() => SearchPageDto), { optional: true })
  page?: SearchPageDto;

  @Input(objectField(() => EvaluationContextDto), { optional: true })
  context?: EvaluationContextDto;
}

class SearchedSubjectDto {
  @Input(textField({ max: 100, example: 'user', description: '`user`: members of the organization.' }))
  type: string;
}

export class SubjectSearchDto {
  @Input(objectField(() => SearchedSubjectDto))
  subject: SearchedSubjectDto;

  @Input(objectField(() => EvaluatedActionDto))
  action: EvaluatedActionDto;

  @Input(objectField(() => EvaluatedResourceDto))
  resource: EvaluatedResourceDto;

  @Input(objectField(() => SearchPageDto), { optional: true })
  page?: SearchPageDto;

  @Input(objectField(() => EvaluationContextDto), { optional: true })
  context?: EvaluationContextDto;
}
