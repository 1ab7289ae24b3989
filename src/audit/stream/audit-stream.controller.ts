import { Controller, Get, Header, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../ability/index.js';
import { AuditTag } from '../../iam/index.js';
import { ApiOkResponse, Operation, QueryOf } from '../../platform/api/index.js';
import { StreamQuery } from './stream.dto.js';
import { StreamService } from './stream.service.js';

const LINES = { type: 'string', pattern: '^[\\s\\S]*$', maxLength: 20_000_000 };

/** The audit trail of an organization, and its anchors, for collectors of security events. */
@AuditTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants')
export class AuditStreamController {
  constructor(private readonly streams: StreamService) {}

  @Get(':id/audit-stream')
  @RequireScopes('iam:audit:read')
  @Header('Content-Type', 'application/x-ndjson')
  @Operation(
    'Get the audit trail as a stream (OCSF)',
    'For a SIEM: the events in the order of their chain, each a line of JSON in the form of OCSF 1.8.0. Continue with `after`: the `metadata.sequence` of the last line. No line: nothing new.',
  )
  @ApiOkResponse({
    description: 'A line for each event.',
    content: {
      'application/x-ndjson': {
        schema: LINES,
        example: '{"class_uid":3005,"activity_id":1,"metadata":{"sequence":42}}\n',
      },
    },
  })
  streamOrganizationAuditEvents(
    @Param() { id }: TenantPath,
    @QueryOf(StreamQuery) query: StreamQuery,
  ): Promise<string> {
    return this.streams.read(id, query);
  }

  @Get(':id/audit-anchors')
  @RequireScopes('iam:audit:read')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Operation(
    'List the anchors of the audit trail',
    'What the service has signed once a day about the chain of the trail: a JWS a line, oldest first. Keep them outside the service. Continue with `after`: the `sequence` of the last one.',
  )
  @ApiOkResponse({
    description: 'A JWS a line.',
    content: {
      'text/plain': { schema: LINES, example: 'eyJhbGciOiJFUzI1NiJ9.eyJzZXF1ZW5jZSI6NDJ9.c2lnbmF0dXJl\n' },
    },
  })
  listOrganizationAuditAnchors(
    @Param() { id }: TenantPath,
    @QueryOf(StreamQuery) query: StreamQuery,
  ): Promise<string> {
    return this.streams.readAnchors(id, query);
  }
}
