import { Input, objectField, objectListField, Output } from '../../platform/api/index.js';
import {
  EvaluatedActionDto,
  EvaluatedResourceDto,
  EvaluatedSubjectDto,
  EvaluationContextDto,
} from './evaluation.dto.js';

class FoundResourceResponse {
  @Output.text({ max: 200, example: 'warehouse/loads' })
  type: string;
  @Output.text({ max: 200, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
}

class SearchedPageResponse {
  @Output.text({
    max: 300,
    description: 'Token of the next page; empty on the last one.',
    example: 'MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE',
  })
  next_token: string;
}

/** Page of what the subject may do an action on, in order of id. */
export class ResourceSearchResponse {
  @Output(objectListField(() => FoundResourceResponse, 1_000))
  results: FoundResourceResponse[];
  @Output(objectField(() => SearchedPageResponse))
  page: SearchedPageResponse;
}

class FoundSubjectResponse {
  @Output.text({ max: 100, example: 'user' })
  type: string;
  @Output.text({ max: 100, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
}

/** Page of who may do an action on the resource, in order of id. */
export class SubjectSearchResponse {
  @Output(objectListField(() => FoundSubjectResponse, 1_000))
  results: FoundSubjectResponse[];
  @Output(objectField(() => SearchedPageResponse))
  page: SearchedPageResponse;
}

/** Resources of one page. */
const MAX_RESULTS = 1_000;

class SearchedResourceDto {
  @Input.text({
    max: 200,
    example: 'warehouse/loads',
    description: 'Module and collection of the entities.',
  })
  type: string;
}

class SearchPageDto {
  @Input.text({
    optional: true,
    max: 300,
    example: 'MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE',
    description: '`next_token` of the page before.',
  })
  token?: string;

  @Input.integer({
    optional: true,
    min: 1,
    max: MAX_RESULTS,
    example: 100,
    description: 'Maximum number. Default: 100.',
  })
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
  @Input.text({ max: 100, example: 'user', description: '`user`: members of the organization.' })
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
