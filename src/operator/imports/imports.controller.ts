import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequireScopes } from '../../ability/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Input, Operation, Problems, QueryOf, RawBody } from '../../platform/api/index.js';
import { Caller, callerGone } from '../../platform/web/index.js';
import { ImportRuns, MAX_FILE_NAME } from './import-runs.service.js';
import { ImportResponse, ImportRunResponse, ImportRunsResponse } from './import.dto.js';

/** Largest part: some thousand people, who are imported within the time of a request. */
const MAX_PART_BYTES = 1024 * 1024;

class ImportQuery {
  @Input.word(['true', 'false'], {
    optional: true,
    description: 'Says what would be done, and does nothing.',
  })
  dryRun?: 'true' | 'false';

  @Input.word(['true', 'false'], {
    optional: true,
    description: 'Invites people whose address is not verified to the organizations of their memberships.',
  })
  invite?: 'true' | 'false';

  @Input.ulid({
    optional: true,
    description: 'New id of the import, the same for all parts of its file: it is then listed.',
  })
  runId?: string;

  @Input.text({
    optional: true,
    max: MAX_FILE_NAME,
    description: 'Name of the file, for the list.',
    example: 'people.csv',
  })
  fileName?: string;
}

/** Import of people of another system. */
@OperatorsTag()
@Controller('api/v1/operator/imports')
export class ImportsController {
  constructor(private readonly runs: ImportRuns) {}

  @Get()
  @RequireScopes('platform:import:create')
  @Operation(
    'List imports',
    'The newest 50 whose parts had a `runId`, and of the command line, for 90 days. Dry runs are not listed.',
  )
  @Answers(ImportRunsResponse)
  async listImports() {
    return { items: (await this.runs.list()).map((run) => ImportRunResponse.from(run)) };
  }

  @Post()
  @RequireScopes('platform:import:create')
  @RawBody(
    { type: 'application/x-ndjson', maxBytes: MAX_PART_BYTES },
    {
      description: 'A person a line, as JSON: a part of a file of at most 1 MiB, cut between two lines.',
      example: '{"externalId":"4711","email":"ada@example.com","emailVerified":true}\n',
    },
  )
  @Problems('payload-too-large', 'unsupported-media-type')
  @Operation(
    'Import people of another system',
    'With their passwords. As the command `people:import`, in parts: a part that was interrupted can be sent again. Accounts that exist are never changed, and people are sent no mail, except those whom `invite` invites: they get no account. A person becomes a member only of an organization that lets support in (`supportAccess`), and no owner of one that has an owner; its owners are mailed. With `OPERATOR_FOUR_EYES`, lines with memberships wait until another operator imports the same part.',
  )
  @Answers(ImportResponse)
  async importPeople(
    @Caller() { userId }: Principal,
    @Req() { body }: Request,
    @Res({ passthrough: true }) response: Response,
    @QueryOf(ImportQuery) { dryRun, invite, runId, fileName = '' }: ImportQuery,
  ) {
    const options = {
      isDryRun: dryRun === 'true',
      invites: invite === 'true',
      file: runId === undefined ? null : { id: runId, fileName },
    };
    return ImportResponse.from(await this.runs.run(body as Buffer, userId, options, callerGone(response)));
  }
}
