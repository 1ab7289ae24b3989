import { Controller, Delete, Get, Module, Param } from '@nestjs/common';
import { Caller, Confirmed, GatehouseModule, Public, RequireScopes } from '@gatehouse/client/nestjs';
import type { AccessToken, VerifierOptions } from '@gatehouse/client/verifier';

@Controller('labels')
class LabelController {
  @Get()
  @RequireScopes('logistics:shipment:dispatch')
  list(@Caller() { tenantId }: AccessToken) {
    return { labelsOf: tenantId }; // and of no other tenant
  }

  @Get('mine')
  mine(@Caller() { userId }: AccessToken) {
    return { printedBy: userId };
  }

  @Delete(':id')
  @RequireScopes('logistics:shipment:dispatch')
  @Confirmed() // after a logout, not for another ten minutes
  remove(@Param('id') id: string) {
    return { removed: id };
  }

  @Get('formats')
  @Public('contains no personal data')
  formats() {
    return ['A6', 'A5'];
  }
}

/** @param gatehouse `{ issuer: 'https://id.example.com', audience: 'https://api.example.com' }` */
export function labels(gatehouse: VerifierOptions) {
  @Module({ imports: [GatehouseModule.forRoot(gatehouse)], controllers: [LabelController] })
  class Labels {}
  return Labels;
}
