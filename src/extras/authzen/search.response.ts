import { objectField, objectListField, Output, textField } from '../../platform/api/index.js';

class FoundResourceResponse {
  @Output(textField({ max: 200, example: 'warehouse/loads' }))
  type: string;
  @Output(textField({ max: 200, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
}

class SearchedPageResponse {
  @Output(
    textField({
      max: 300,
      description: 'Token of the next page; empty on the last one.',
      example: 'MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE',
    }),
  )
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
  @Output(textField({ max: 100, example: 'user' }))
  type: string;
  @Output(textField({ max: 100, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  id: string;
}

/** Page of who may do an action on the resource, in order of id. */
export class SubjectSearchResponse {
  @Output(objectListField(() => FoundSubjectResponse, 1_000))
  results: FoundSubjectResponse[];
  @Output(objectField(() => SearchedPageResponse))
  page: SearchedPageResponse;
}
